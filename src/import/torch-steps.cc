/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/torch-steps.h"

#include "base/errors.h"
#include "base/printable.h"
#include "base/units.h"
#include "import/recorded-training.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace inca
{

namespace
{

using Kind = TorchMark::Kind;

constexpr const char* TRANSPOSITION = "autograd::engine::evaluate_function: TBackward0";

/** Where an iteration's marks are. */
struct MarkRange
{
    std::size_t begin{0};
    std::size_t end{0};
};

bool
Has(const std::vector<TorchMark>& marks, Kind kind)
{
    return std::any_of(
        marks.begin(), marks.end(), [kind](const TorchMark& mark) { return mark.kind == kind; });
}

bool
IsBackward(const TorchMark& mark)
{
    return mark.kind == Kind::NODE || mark.kind == Kind::GRADIENT || mark.kind == Kind::COPY;
}

/**
 * Iterations begin at their ranges; where there are none, they end with the optimizer; without one, a forward
 * pass after backward begins another.
 */
std::vector<MarkRange>
RangesOf(const TorchRecording& recording, ImportReport& report)
{
    const auto& marks = recording.marks;
    const bool hasSteps = Has(marks, Kind::STEP);
    std::vector<MarkRange> ranges;
    const TorchMark* step = nullptr;
    const bool hasUpdates = Has(marks, Kind::UPDATE);
    bool hasEnded = false;
    for (std::size_t i = 0; i < marks.size(); ++i)
    {
        const auto& mark = marks[i];
        if (hasSteps && mark.kind == Kind::STEP)
        {
            if (step != nullptr && recording.hasTimes && mark.begin < step->end)
            {
                report.Doubt(fmt::format("{}: {} begins before {} has ended",
                                         recording.file,
                                         Printable(*mark.name),
                                         Printable(*step->name)));
            }
            step = &mark;
            ranges.push_back({i, i + 1});
            continue;
        }
        if (hasSteps)
        {
            if (step == nullptr || (recording.hasTimes && mark.begin > step->end))
            {
                report.LeaveOut("mark outside iterations", "the profile began or ended amid one");
                continue;
            }
            ranges.back().end = i + 1;
            continue;
        }
        const bool begins = hasUpdates ? mark.kind != Kind::UPDATE : mark.kind == Kind::FORWARD;
        const bool ends = hasUpdates ? mark.kind == Kind::UPDATE : IsBackward(mark);
        const bool isNext = ranges.empty() || (hasEnded && begins);
        if (isNext)
        {
            ranges.push_back({i, i});
        }
        hasEnded = ends || (hasEnded && !isNext);
        ranges.back().end = i + 1;
    }
    return ranges;
}

/**
 * @return of each mark, whether it is in backward, where gradients are summed: after autograd has begun and
 * before the update. Where nothing marks backward, all of them are.
 */
std::vector<bool>
InBackward(const std::vector<TorchMark>& marks, const std::vector<MarkRange>& ranges)
{
    const bool isKnown = std::any_of(marks.begin(), marks.end(), IsBackward);
    std::vector<bool> inside(marks.size(), !isKnown);
    for (const auto& range : ranges)
    {
        bool now = !isKnown;
        for (auto i = range.begin; i < range.end; ++i)
        {
            const auto kind = marks[i].kind;
            now = !isKnown || IsBackward(marks[i]) ||
                  (now && kind != Kind::UPDATE && kind != Kind::FORWARD);
            inside[i] = now;
        }
    }
    return inside;
}

bool
MayBeGradient(const TorchCollective& collective)
{
    return IsSum(collective.name) && BytesOfGradientType(collective.elementType) > 0;
}

/** @return the collective of a mark that may be a sum of gradients; null if it is none */
const TorchCollective*
SumOf(const TorchRecording& recording, std::size_t mark)
{
    const auto& [kind, index] =
        std::pair(recording.marks[mark].kind, recording.marks[mark].collective);
    return kind == Kind::COLLECTIVE && MayBeGradient(recording.collectives[index])
               ? &recording.collectives[index]
               : nullptr;
}

/** Warns of a record that nothing cuts into iterations, where its sums repeat. */
void
WarnOfRepeats(const TorchRecording& recording, std::size_t ranges, ImportReport& report)
{
    std::vector<std::uint64_t> sums;
    for (std::size_t i = 0; i < recording.marks.size() && ranges == 1; ++i)
    {
        if (const auto* collective = SumOf(recording, i))
        {
            sums.push_back(collective->elements);
        }
    }
    if (!Has(recording.marks, Kind::STEP) && !Has(recording.marks, Kind::UPDATE))
    {
        WarnOfRepeats(sums, report);
    }
}

/**
 * Where all gradients of an iteration add up to some of its sums exactly, the others sum something else (what
 * batches have in common, say), and are left out.
 */
void
LeaveOutOtherSums(TorchStep& step, ImportReport& report)
{
    if (!KnowsElements(step) || step.scattered)
    {
        return;
    }
    std::vector<TorchBucket> fitting;
    std::vector<TorchBucket> others;
    std::size_t first = 0;
    std::uint64_t pending = 0;
    for (const auto& bucket : step.buckets)
    {
        for (; first < bucket.gradientsEnd; ++first)
        {
            pending += step.gradients[first].elements;
        }
        const bool fits = bucket.elements == pending;
        (fits ? fitting : others).push_back(bucket);
        pending = fits ? 0 : pending;
    }
    if (fitting.empty() || pending > 0 || first < step.gradients.size())
    {
        return;
    }
    for (const auto& other : others)
    {
        report.LeaveOut("sum in backward",
                        "no gradients: those add up to the other sums",
                        other.elements * BytesOfGradientType(step.elementType));
    }
    step.buckets = std::move(fitting);
}

/**
 * Where gradients add up to their sums but for some that follow each other and that no sum takes, as of parameters
 * that DDP ignores, these are left out. More of them than of others are those of a batch that is not summed yet.
 */
void
LeaveOutOtherGradients(TorchStep& step, ImportReport& report)
{
    if (!KnowsElements(step) || step.buckets.empty())
    {
        return;
    }
    std::vector<TorchGradient> taken;
    CountedBytes others;
    auto buckets = step.buckets;
    buckets.push_back({0, step.gradients.size(), 0}); // what is ready after the last
    auto begin = step.gradients.begin();
    for (auto& bucket : buckets)
    {
        const auto end = step.gradients.begin() + static_cast<std::ptrdiff_t>(bucket.gradientsEnd);
        std::uint64_t surplus = 0;
        std::for_each(begin, end, [&surplus](const auto& one) { surplus += one.elements; });
        if (surplus < bucket.elements)
        {
            return;
        }
        surplus -= bucket.elements;
        auto first = std::find_if(
            begin, end, [surplus](const auto& one) { return one.elements == surplus; });
        auto last = first == end ? begin : first + 1;
        auto run = first == end ? 0 : surplus; // elements from first to last
        for (first = first == end ? begin : first; run != surplus;)
        {
            if (run < surplus && last == end)
            {
                return;
            }
            run += run < surplus ? (last++)->elements : -(first++)->elements;
        }
        others.count += static_cast<std::uint64_t>(last - first);
        others.bytes += surplus * BytesOfGradientType(step.elementType);
        taken.insert(taken.end(), begin, first);
        taken.insert(taken.end(), last, end);
        bucket.gradientsEnd = taken.size();
        begin = end;
    }
    if (others.count > 0 && others.count < taken.size())
    {
        report.LeaveOut("gradient", "no all-reduce takes it", others.bytes, others.count);
        buckets.pop_back();
        step.buckets = std::move(buckets);
        step.gradients = std::move(taken);
    }
}

/**
 * The sums' own sizes are the check of the gradients of iterations that exchange the same. Where they do not
 * fit, no gradient's size is known any more.
 * @throws InputError if they do not fit, but that the import is lenient
 */
void
CheckGradients(const std::string& file, std::vector<TorchStep>& steps, ImportReport& report)
{
    const auto& step = steps.front();
    if (!KnowsElements(step) || step.buckets.empty())
    {
        return;
    }
    std::uint64_t padding = 0;
    std::uint64_t elements = 0;
    std::uint64_t exchanged = 0;
    bool fitsEach = step.buckets.back().gradientsEnd == step.gradients.size();
    auto gradient = step.gradients.begin();
    for (const auto& bucket : step.buckets)
    {
        std::uint64_t sum = 0;
        std::uint64_t rows = 0;
        const auto end = step.gradients.begin() + static_cast<std::ptrdiff_t>(bucket.gradientsEnd);
        for (; gradient < end; ++gradient)
        {
            sum += gradient->elements;
            rows += gradient->rowElements;
        }
        // A part of each worker's may be filled up with whole rows of each gradient.
        const auto most = step.scattered ? step.groupSize * rows : 0;
        fitsEach &= sum <= bucket.elements && bucket.elements - sum <= most;
        padding += bucket.elements - sum;
        elements += sum;
        exchanged += bucket.elements;
    }
    for (; gradient != step.gradients.end(); ++gradient)
    {
        elements += gradient->elements;
    }
    const auto count = step.buckets.size();
    if (fitsEach || elements == exchanged)
    {
        report.Check(
            fmt::format("{}: {} gradients add up to {} all-reduces{}",
                        file,
                        step.gradients.size(),
                        fitsEach ? fmt::format("each of {}", count) : std::to_string(count),
                        fitsEach ? "" : " together, which go out in another order"));
    }
    else
    {
        report.Doubt(
            fmt::format("{}: the all-reduces have {} elements, the gradients before them {}",
                        file,
                        exchanged,
                        elements));
    }
    for (auto& each : steps)
    {
        each.padding = fitsEach ? padding : 0;
        for (auto& one : each.gradients)
        {
            one.elements = fitsEach || elements == exchanged ? one.elements : 0;
        }
    }
}

class StepMaker
{
  public:
    StepMaker(const TorchRecording& recording, const ImportOptions& options, ImportReport& report)
        : m_recording(recording),
          m_report(report),
          m_ranges(RangesOf(recording, report)),
          m_inBackward(InBackward(recording.marks, m_ranges)),
          m_group(Sums().DataParallelGroup(options, report))
    {
        WarnOfRepeats(recording, m_ranges.size(), report);
    }

    std::vector<TorchStep> Make()
    {
        std::vector<TorchStep> steps;
        for (const auto& range : m_ranges)
        {
            steps.push_back(StepOf(range));
            m_report.Read("iteration");
        }
        return steps;
    }

  private:
    GroupSums Sums() const
    {
        GroupSums sums(m_recording.file);
        for (const auto& range : m_ranges)
        {
            for (auto i = range.begin; i < range.end; ++i)
            {
                if (const auto* collective = m_inBackward[i] ? SumOf(m_recording, i) : nullptr)
                {
                    sums.Add(collective->group,
                             collective->bytes,
                             IsScattered(collective->name),
                             collective->groupSize);
                }
            }
        }
        return sums;
    }

    TorchStep StepOf(const MarkRange& range)
    {
        TorchStep step;
        // DDP copies gradients, but those that it lets autograd write into its buckets
        const auto* const marks = m_recording.marks.data();
        const bool copies = std::any_of(marks + range.begin,
                                        marks + range.end,
                                        [](const auto& mark) { return mark.kind == Kind::COPY; });
        std::size_t nodes = 0;
        const TorchMark* node = nullptr;
        if (range.begin < range.end)
        {
            step.begin = m_recording.marks[range.begin].begin;
        }
        for (auto i = range.begin; i < range.end; ++i)
        {
            const auto& mark = m_recording.marks[i];
            if (mark.kind == Kind::NODE)
            {
                // a transposed weight belongs to the product that it is used in
                const bool isView = node != nullptr && *mark.name == TRANSPOSITION;
                nodes += isView ? 0 : 1;
                node = isView ? node : &mark;
            }
            else if (mark.kind == (copies ? Kind::COPY : Kind::GRADIENT))
            {
                step.gradients.push_back(GradientOf(mark, node, nodes));
            }
            else if (mark.kind == Kind::COLLECTIVE)
            {
                TakeCollective(mark, m_inBackward[i], step);
            }
            TakeRange(mark, step);
        }
        LeaveOutOtherSums(step, m_report);
        LeaveOutOtherGradients(step, m_report);
        return step;
    }

    TorchGradient GradientOf(const TorchMark& mark, const TorchMark* node, std::size_t nodes) const
    {
        TorchGradient gradient;
        gradient.elements = mark.elements;
        gradient.rowElements = mark.rowElements;
        gradient.readyAt = mark.end;
        if (mark.elements > 0)
        {
            const auto type = FindElementType(*mark.type);
            gradient.elementType = type ? type->name : "";
        }
        gradient.node = nodes;
        if (node != nullptr)
        {
            const auto& name = *node->name;
            gradient.operation = name.substr(name.find(": ") + 2);
            gradient.sequence = node->sequence;
        }
        return gradient;
    }

    void TakeCollective(const TorchMark& mark, bool inside, TorchStep& step)
    {
        const auto& collective = m_recording.collectives[mark.collective];
        if (inside && IsSum(collective.name) && collective.elements == 0)
        {
            step.unsized.push_back(collective.ns);
            return;
        }
        if (!inside || !MayBeGradient(collective) || collective.group != m_group)
        {
            m_report.LeaveOut(Printable(collective.name) + " of " + collective.elementType,
                              WhyCollectiveLeftOut(collective.name, collective.bytes),
                              collective.bytes);
            return;
        }
        if (!step.elementType.empty() && step.elementType != collective.elementType)
        {
            m_report.Doubt(fmt::format("{}: gradients of {} and of {} in one iteration",
                                       m_recording.file,
                                       step.elementType,
                                       collective.elementType));
        }
        AssumeOfSum(collective.name, m_report);
        step.elementType = collective.elementType;
        step.groupSize = collective.groupSize;
        step.buckets.push_back(
            {collective.elements, step.gradients.size(), mark.begin, collective.ns});
        step.scattered |= IsScattered(collective.name);
    }

    static void TakeRange(const TorchMark& mark, TorchStep& step)
    {
        const auto earliest = [](std::optional<std::int64_t>& time, std::int64_t at) {
            time = time ? std::min(*time, at) : at;
        };
        switch (mark.kind)
        {
        case Kind::STEP:
            step.end = mark.end;
            break;
        case Kind::FORWARD:
            earliest(step.forwardBegin, mark.begin);
            break;
        case Kind::BACKWARD:
        case Kind::NODE:
            earliest(step.backwardBegin, mark.begin);
            break;
        case Kind::UPDATE:
            earliest(step.updateBegin, mark.begin);
            step.updateEnd = std::max(step.updateEnd.value_or(mark.end), mark.end);
            break;
        default:
            break;
        }
    }

    const TorchRecording& m_recording;
    ImportReport& m_report;
    std::vector<MarkRange> m_ranges;
    std::vector<bool> m_inBackward; ///< by mark
    std::string m_group;
};

} // namespace

std::uint64_t
GradientSpan::Elements() const
{
    return std::accumulate(tensors.begin(), tensors.end(), std::uint64_t{0});
}

bool
KnowsElements(const TorchStep& step)
{
    return !step.gradients.empty() &&
           std::all_of(step.gradients.begin(), step.gradients.end(), [](const auto& gradient) {
               return gradient.elements > 0;
           });
}

std::vector<GradientSpan>
LayersOf(const TorchStep& step)
{
    std::vector<GradientSpan> layers;
    for (std::size_t i = 0; i < step.gradients.size(); ++i)
    {
        const auto& gradient = step.gradients[i];
        const bool joins =
            !layers.empty() && gradient.node != 0 && gradient.node == step.gradients[i - 1].node;
        if (!joins)
        {
            layers.push_back({i, i, "", {}, 0});
        }
        layers.back().end = i + 1;
        layers.back().tensors.push_back(gradient.elements);
    }
    for (std::size_t i = 0; i < layers.size(); ++i)
    {
        auto name = step.gradients[layers[i].begin].operation; // "ConvolutionBackward0"
        name.resize(std::min(name.find("Backward"), name.size()));
        std::transform(name.begin(), name.end(), name.begin(), [](char letter) {
            return static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
        });
        layers[i].name = fmt::format("{}-{}", name.empty() ? "parameter" : name, layers.size() - i);
    }
    return layers;
}

std::vector<GradientSpan>
BucketsOf(const TorchStep& step)
{
    std::vector<GradientSpan> buckets;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < step.buckets.size(); ++i)
    {
        const auto& bucket = step.buckets[i];
        buckets.push_back(
            {begin, bucket.gradientsEnd, "bucket-" + std::to_string(i + 1), {bucket.elements}, i});
        begin = bucket.gradientsEnd;
    }
    return buckets;
}

std::vector<TorchStep>
StepsOf(const TorchRecording& recording, const ImportOptions& options, ImportReport& report)
{
    const auto all = StepMaker(recording, options, report).Make();
    const bool anyBuckets = std::any_of(
        all.begin(), all.end(), [](const TorchStep& step) { return !step.buckets.empty(); });
    const auto exchangedBy = [anyBuckets](const TorchStep& step) {
        std::optional<std::vector<std::uint64_t>>
            exchanged; // iterations with the same value are equal
        if (!(anyBuckets ? step.buckets.empty() : step.gradients.empty()))
        {
            exchanged.emplace(1, step.gradients.size());
            for (const auto& gradient : step.gradients)
            {
                exchanged->push_back(gradient.elements);
            }
            for (const auto& bucket : step.buckets)
            {
                exchanged->insert(exchanged->end(), {bucket.elements, bucket.gradientsEnd});
            }
        }
        return exchanged;
    };
    auto steps = EqualSteps(all, exchangedBy, report);
    if (steps.empty())
    {
        throw InputError(recording.file + ": no iteration with gradients in it; record whole "
                                          "training steps, backward included");
    }
    CheckGradients(recording.file, steps, report);
    if (steps.size() > 1)
    {
        report.Check(
            fmt::format("{}: {} iterations exchange the same", recording.file, steps.size()));
    }
    return steps;
}

} // namespace inca
