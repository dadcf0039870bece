/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/operation-sequence.h"

#include "base/errors.h"
#include "base/printable.h"
#include "base/units.h"
#include "import/collectives.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace inca
{

namespace
{

bool
MayBeGradient(const RecordedOperation& operation)
{
    return IsSum(operation.collective) && operation.phase != RecordedPhase::FORWARD &&
           operation.bytes > 0;
}

/** One iteration of a sequence. */
struct SequenceStep
{
    std::int64_t forwardPs{0};
    std::int64_t updatePs{0};
    std::vector<std::uint64_t> gradients; ///< bytes
    std::vector<std::int64_t> backwardPs; ///< before each of them
    std::vector<std::int64_t> sumPs;      ///< that each goes on; 0: unknown
    bool knowsForward{false};
};

std::vector<SequenceStep>
StepsOf(const std::vector<RecordedOperation>& operations,
        const std::string& group,
        ImportReport& report)
{
    std::vector<SequenceStep> steps(1);
    std::int64_t since = 0; // computed, and of no known part
    for (const auto& operation : operations)
    {
        auto* step = &steps.back();
        if (operation.collective.empty() && operation.phase == RecordedPhase::FORWARD)
        {
            if (!step->gradients.empty())
            {
                step->updatePs = AddSaturated(step->updatePs, since);
                since = 0;
                step = &steps.emplace_back();
            }
            step->knowsForward = true;
            step->forwardPs = AddSaturated(step->forwardPs, operation.ps);
        }
        else if (operation.collective.empty() && operation.phase == RecordedPhase::UPDATE)
        {
            step->updatePs = AddSaturated(step->updatePs, operation.ps);
        }
        else if (operation.collective.empty())
        {
            since = AddSaturated(since, operation.ps);
        }
        else if (MayBeGradient(operation) && operation.group == group)
        {
            AssumeOfSum(operation.collective, report);
            step->gradients.push_back(operation.bytes);
            step->backwardPs.push_back(since);
            step->sumPs.push_back(operation.ps);
            since = 0;
        }
        else
        {
            report.LeaveOut(Printable(operation.collective),
                            WhyCollectiveLeftOut(operation.collective, operation.bytes),
                            operation.bytes);
        }
    }
    steps.back().updatePs = AddSaturated(steps.back().updatePs, since);
    return steps;
}

/** Iterations that nothing marks. */
std::vector<SequenceStep>
CutStep(const SequenceStep& step, std::size_t count)
{
    const auto each = static_cast<std::ptrdiff_t>(step.gradients.size() / count);
    std::vector<SequenceStep> steps(count);
    for (std::size_t i = 0; i < count; ++i)
    {
        const auto begin = static_cast<std::ptrdiff_t>(i) * each;
        const auto part = [begin, each](const auto& whole) {
            return std::decay_t<decltype(whole)>(whole.begin() + begin,
                                                 whole.begin() + begin + each);
        };
        steps[i].gradients = part(step.gradients);
        steps[i].backwardPs = part(step.backwardPs);
        steps[i].sumPs = part(step.sumPs);
    }
    steps.back().updatePs = step.updatePs;
    return steps;
}

/** Cuts what comes before the first gradient into forward and its backward. */
void
GuessForward(SequenceStep& step, ImportReport& report)
{
    std::int64_t total = 0;
    for (const auto ps : step.backwardPs)
    {
        total = AddSaturated(total, ps);
    }
    if (step.knowsForward || total == 0)
    {
        return;
    }
    step.forwardPs = std::min(step.backwardPs.front(), total / 3);
    step.backwardPs.front() -= step.forwardPs;
    report.Assume("a third of what is computed up to the last gradient is the forward pass, as far "
                  "as it comes before the first: nothing says what is");
}

} // namespace

RecordedPhase
PhaseOfName(const std::string& name)
{
    static const std::vector<std::pair<const char*, RecordedPhase>> signs{
        {"## forward ##", RecordedPhase::FORWARD},
        {"DistributedDataParallel.forward", RecordedPhase::FORWARD},
        {"FullyShardedDataParallel.forward", RecordedPhase::FORWARD},
        {"## backward ##", RecordedPhase::BACKWARD},
        {"autograd::engine::evaluate_function", RecordedPhase::BACKWARD},
        {"## optimizer ##", RecordedPhase::UPDATE},
        {"Optimizer.step#", RecordedPhase::UPDATE}};
    for (const auto& [sign, phase] : signs)
    {
        if (name.find(sign) != std::string::npos)
        {
            return phase;
        }
    }
    return RecordedPhase::UNKNOWN;
}

RecordedTraining
TrainingOfSequence(const std::vector<RecordedOperation>& operations,
                   const ImportOptions& options,
                   ImportReport& report)
{
    std::map<std::string, CountedBytes> groups;
    for (const auto& operation : operations)
    {
        if (MayBeGradient(operation))
        {
            ++groups[operation.group].count;
            groups[operation.group].bytes += operation.bytes;
        }
    }
    const auto group = DataParallelGroup(groups, options, report);
    auto all = StepsOf(operations, group, report);
    if (all.size() == 1 && !all.front().knowsForward)
    {
        all = CutStep(all.front(), IterationsOf(all.front().gradients, options, report));
    }
    else
    {
        WarnOfIterations(options, all.size(), report);
    }
    auto steps = AlikeSteps(
        all,
        [](const SequenceStep& step) {
            return step.gradients.empty() ? std::nullopt : std::optional(step.gradients);
        },
        report);
    RecordedTraining training;
    if (steps.empty())
    {
        return training;
    }
    for (auto& step : steps)
    {
        GuessForward(step, report);
    }
    const auto& gradients = steps.front().gradients;
    const auto forward = SharedOut(
        MedianOver(steps, [](const SequenceStep& step) { return step.forwardPs; }), gradients);
    const auto update = SharedOut(
        MedianOver(steps, [](const SequenceStep& step) { return step.updatePs; }), gradients);
    for (std::size_t i = 0; i < gradients.size(); ++i)
    {
        RecordedLayer layer;
        layer.name = fmt::format("gradient-{}", i + 1);
        layer.tensors = {
            ElementsOf(gradients[i], fmt::format("gradient {}: ", i + 1), options, report)};
        layer.forwardPs = forward[i];
        layer.updatePs = update[i];
        layer.backwardPs =
            MedianOver(steps, [i](const SequenceStep& step) { return step.backwardPs[i]; });
        training.buckets.push_back(layer.Elements());
        const auto ps = MedianOver(steps, [i](const SequenceStep& step) { return step.sumPs[i]; });
        training.sums.each.push_back({gradients[i], ps > 0 ? std::optional(ps) : std::nullopt});
        training.layers.insert(training.layers.begin(), std::move(layer));
    }
    training.sums.iterations = steps.size();
    training.sums.scattered =
        std::any_of(operations.begin(), operations.end(), [&group](const auto& operation) {
            return MayBeGradient(operation) && operation.group == group &&
                   IsScattered(operation.collective);
        });
    report.Assume("each exchanged gradient is one layer; the last is the model's first");
    report.Assume("forward and update times are shared out by elements");
    if (steps.size() > 1)
    {
        report.Check(
            fmt::format("{} iterations exchange the same bytes; times are medians", steps.size()));
    }
    return training;
}

} // namespace inca
