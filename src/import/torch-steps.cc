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
#include <map>
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
                                         Printable(recording.names[mark.name]),
                                         Printable(recording.names[step->name])));
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

/** Marks that are of no iteration, but repeat, are as many iterations as a user says. */
std::vector<MarkRange>
IterationRanges(const TorchRecording& recording, const ImportOptions& options, ImportReport& report)
{
    const auto ranges = RangesOf(recording, report);
    if (ranges.size() != 1 || Has(recording.marks, Kind::STEP) ||
        Has(recording.marks, Kind::UPDATE))
    {
        WarnOfIterations(options, ranges.size(), report);
        return ranges;
    }
    std::vector<std::uint64_t> sums;
    std::vector<std::size_t> ends;
    for (std::size_t i = 0; i < recording.marks.size(); ++i)
    {
        if (const auto* collective = SumOf(recording, i))
        {
            sums.push_back(collective->elements);
            ends.push_back(i + 1);
        }
    }
    const auto count = IterationsOf(sums, options, report);
    std::vector<MarkRange> cut;
    for (std::size_t i = 0; i < count; ++i)
    {
        const auto begin = i == 0 ? ranges.front().begin : cut.back().end;
        const auto isLast = i + 1 == count;
        cut.push_back(
            {begin, isLast ? ranges.front().end : ends[(i + 1) * sums.size() / count - 1]});
    }
    return cut;
}

/** How the gradients of an iteration fit the sums between them. */
struct BucketFit
{
    std::size_t wrong{0};       ///< the first sum that does not fit, from 1; 0: all do
    std::uint64_t wrongSum{0};  ///< what became ready before it
    std::uint64_t padding{0};   ///< of all sums
    std::size_t late{0};        ///< gradients after the last of them
    std::uint64_t elements{0};  ///< of all gradients
    std::uint64_t exchanged{0}; ///< by all sums
};

BucketFit
FitOf(const TorchStep& step)
{
    BucketFit fit;
    std::size_t first = 0;
    for (std::size_t i = 0; i < step.buckets.size(); ++i)
    {
        const auto& bucket = step.buckets[i];
        std::uint64_t sum = 0;
        std::uint64_t rows = 0;
        for (; first < bucket.gradientsEnd; ++first)
        {
            sum += step.gradients[first].elements;
            rows += step.gradients[first].rowElements;
        }
        // A part of each worker's may be filled up with whole rows of each gradient.
        const auto most = step.scattered ? step.groupSize * rows : 0;
        fit.elements += sum;
        fit.exchanged += bucket.elements;
        if (sum <= bucket.elements && bucket.elements - sum <= most)
        {
            fit.padding += bucket.elements - sum;
        }
        else if (fit.wrong == 0)
        {
            fit.wrong = i + 1;
            fit.wrongSum = sum;
        }
    }
    fit.late = step.gradients.size() - first;
    for (; first < step.gradients.size(); ++first)
    {
        fit.elements += step.gradients[first].elements;
    }
    return fit;
}

/** The all-reduces' own sizes are the check of the gradients. @return whether these can be taken */
bool
CheckBuckets(const std::string& file,
             const TorchStep& step,
             const BucketFit& fit,
             ImportReport& report)
{
    const auto found = fmt::format("{}: {} gradients add up to ", file, step.gradients.size());
    if (fit.wrong == 0 && fit.late == 0)
    {
        report.Check(found + fmt::format("each of {} all-reduces", step.buckets.size()));
        return true;
    }
    if (fit.elements == fit.exchanged)
    {
        report.Check(found + fmt::format("{} all-reduces together, which go out in another order "
                                         "than they become ready in",
                                         step.buckets.size()));
        return true;
    }
    if (fit.wrong > 0)
    {
        report.Doubt(fmt::format("{}: all-reduce {} has {} elements, the gradients that became "
                                 "ready before it {}",
                                 file,
                                 fit.wrong,
                                 step.buckets[fit.wrong - 1].elements,
                                 fit.wrongSum));
    }
    else
    {
        report.Doubt(
            fmt::format("{}: {} gradients become ready after the last all-reduce", file, fit.late));
    }
    return false;
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
 * The sums' own sizes are the check of the gradients of iterations that exchange the same. Where they do not
 * fit, no gradient's size is known any more.
 * @throws InputError if they do not fit, but that the import is lenient
 */
void
CheckGradients(const std::string& file, std::vector<TorchStep>& steps, ImportReport& report)
{
    const auto& first = steps.front();
    if (!KnowsElements(first) || first.buckets.empty())
    {
        return;
    }
    const auto fit = FitOf(first);
    const bool isRight = CheckBuckets(file, first, fit, report);
    for (auto& step : steps)
    {
        step.padding = isRight ? fit.padding : 0;
        for (auto& gradient : step.gradients)
        {
            gradient.elements = isRight ? gradient.elements : 0;
        }
    }
}

class StepMaker
{
  public:
    StepMaker(const TorchRecording& recording, const ImportOptions& options, ImportReport& report)
        : m_recording(recording),
          m_report(report),
          m_ranges(IterationRanges(recording, options, report)),
          m_inBackward(InBackward(recording.marks, m_ranges)),
          m_group(DataParallelGroup(Groups(), options, report))
    {
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
    std::map<std::string, CountedBytes> Groups() const
    {
        std::map<std::string, CountedBytes> groups;
        for (const auto& range : m_ranges)
        {
            for (auto i = range.begin; i < range.end; ++i)
            {
                if (const auto* collective = m_inBackward[i] ? SumOf(m_recording, i) : nullptr)
                {
                    ++groups[collective->group].count;
                    groups[collective->group].bytes += collective->bytes;
                }
            }
        }
        return groups;
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
                const bool isView =
                    node != nullptr && m_recording.names[mark.name] == TRANSPOSITION;
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
        CheckRanges(step);
        LeaveOutOtherSums(step, m_report);
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
            const auto type = FindElementType(m_recording.names[mark.type]);
            gradient.elementType = type ? type->name : "";
        }
        gradient.node = nodes;
        if (node != nullptr)
        {
            const auto& name = m_recording.names[node->name];
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

    /** Forward comes before backward, and that before the update. */
    void CheckRanges(const TorchStep& step)
    {
        if (!m_recording.hasTimes)
        {
            return;
        }
        const auto check = [this](const std::optional<std::int64_t>& first,
                                  const std::optional<std::int64_t>& second,
                                  const char* names) {
            if (first && second && *first > *second)
            {
                m_report.Doubt(m_recording.file + ": ranges overlap: " + names);
            }
        };
        check(step.forwardBegin, step.backwardBegin, "backward begins before forward");
        check(step.backwardBegin, step.updateBegin, "the optimizer begins before backward");
        if (!step.gradients.empty())
        {
            check(step.gradients.back().readyAt,
                  step.updateBegin,
                  "the optimizer begins before the last gradient is ready");
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
    std::size_t bucket = 0;
    for (std::size_t i = 0; i < step.gradients.size(); ++i)
    {
        const auto& gradient = step.gradients[i];
        const bool joins =
            !layers.empty() && gradient.node != 0 && gradient.node == step.gradients[i - 1].node;
        if (!joins)
        {
            layers.push_back({i, i, "", {}, 0});
        }
        while (bucket + 1 < step.buckets.size() && i >= step.buckets[bucket].gradientsEnd)
        {
            ++bucket;
        }
        layers.back().end = i + 1;
        layers.back().bucket = bucket;
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
        std::optional<std::vector<std::uint64_t>> exchanged; // iterations of the same are alike
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
    auto steps = AlikeSteps(all, exchangedBy, report);
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
