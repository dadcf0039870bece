/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/torch-steps.h"

#include "base/errors.h"
#include "base/printable.h"
#include "base/units.h"
#include "import/alike-steps.h"
#include "import/bucket-fit.h"
#include "import/collective-name.h"
#include "import/element-type.h"
#include "import/operation-sequence.h"
#include "import/repeated-sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
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

/** Where iterations that have no ranges of their own meet. */
class Boundary
{
  public:
    explicit Boundary(const std::vector<TorchMark>& marks)
        : m_hasUpdates(Has(marks, Kind::UPDATE))
    {
    }

    /**
     * Iterations end with the optimizer; without one, a forward pass after backward begins another.
     * @return whether an iteration begins with @p mark, the next one
     */
    bool Crosses(const TorchMark& mark)
    {
        const bool begins = m_hasUpdates ? mark.kind != Kind::UPDATE : mark.kind == Kind::FORWARD;
        const bool ends = m_hasUpdates ? mark.kind == Kind::UPDATE : IsBackward(mark);
        const bool crosses = m_ended && begins;
        m_ended = ends || (m_ended && !crosses);
        return crosses;
    }

  private:
    bool m_hasUpdates;
    bool m_ended{false};
};

/** Iterations begin at their ranges; where there are none, at boundaries. */
std::vector<MarkRange>
RangesOf(const TorchRecording& recording, ImportReport& report)
{
    const auto& marks = recording.marks;
    const bool hasSteps = Has(marks, Kind::STEP);
    std::vector<MarkRange> ranges;
    const TorchMark* step = nullptr;
    Boundary boundary(marks);
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
        if (boundary.Crosses(mark) || ranges.empty())
        {
            ranges.push_back({i, i});
        }
        ranges.back().end = i + 1;
    }
    return ranges;
}

/** Follows an iteration's marks: gradients are summed after autograd has begun and before the update. */
class BackwardSense
{
  public:
    /** @param knowsBackward the recording has marks of it */
    explicit BackwardSense(bool knowsBackward)
        : m_inside(!knowsBackward),
          m_knows(knowsBackward)
    {
    }

    bool IsInside(const TorchMark& mark)
    {
        if (IsBackward(mark))
        {
            m_inside = true;
        }
        else if (m_knows && (mark.kind == Kind::UPDATE || mark.kind == Kind::FORWARD))
        {
            m_inside = false;
        }
        return m_inside;
    }

  private:
    bool m_inside;
    bool m_knows;
};

bool
KnowsBackward(const TorchRecording& recording)
{
    return std::any_of(recording.marks.begin(), recording.marks.end(), IsBackward);
}

bool
MayBeGradient(const TorchCollective& collective)
{
    return IsSum(collective.name) && BytesOfGradientType(collective.elementType) > 0;
}

void
SayIfMarked(const ImportOptions& options, std::size_t count, ImportReport& report)
{
    if (options.iterations)
    {
        report.Warn(fmt::format("--iterations is not needed: the record marks {} iterations itself",
                                count));
    }
}

/** Marks that are of no iteration, but repeat, are as many iterations as a user says. */
std::vector<MarkRange>
CutRange(const TorchRecording& recording,
         const std::vector<MarkRange>& ranges,
         const ImportOptions& options,
         ImportReport& report)
{
    if (ranges.size() != 1)
    {
        SayIfMarked(options, ranges.size(), report);
        return ranges;
    }
    std::vector<std::uint64_t> sums;
    std::vector<std::size_t> ends;
    for (std::size_t i = 0; i < recording.marks.size(); ++i)
    {
        const auto& mark = recording.marks[i];
        if (mark.kind == Kind::COLLECTIVE && MayBeGradient(recording.collectives[mark.collective]))
        {
            sums.push_back(recording.collectives[mark.collective].elements);
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

std::vector<MarkRange>
IterationRanges(const TorchRecording& recording, const ImportOptions& options, ImportReport& report)
{
    auto ranges = RangesOf(recording, report);
    if (Has(recording.marks, Kind::STEP) || Has(recording.marks, Kind::UPDATE))
    {
        SayIfMarked(options, ranges.size(), report);
        return ranges;
    }
    return CutRange(recording, ranges, options, report);
}

class StepMaker
{
  public:
    StepMaker(const TorchRecording& recording, const ImportOptions& options, ImportReport& report)
        : m_recording(recording),
          m_report(report),
          m_knowsBackward(KnowsBackward(recording)),
          m_ranges(IterationRanges(recording, options, report)),
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
            BackwardSense backward(m_knowsBackward);
            for (auto i = range.begin; i < range.end; ++i)
            {
                const auto& mark = m_recording.marks[i];
                const bool inside = backward.IsInside(mark);
                if (mark.kind != Kind::COLLECTIVE || !inside)
                {
                    continue;
                }
                const auto& collective = m_recording.collectives[mark.collective];
                if (MayBeGradient(collective))
                {
                    auto& group = groups[collective.group];
                    ++group.count;
                    group.bytes += collective.bytes;
                }
            }
        }
        return groups;
    }

    /** DDP copies gradients, but those that it lets autograd write into its buckets. */
    Kind GradientKind(const MarkRange& range) const
    {
        for (auto i = range.begin; i < range.end; ++i)
        {
            if (m_recording.marks[i].kind == Kind::COPY)
            {
                return Kind::COPY;
            }
        }
        return Kind::GRADIENT;
    }

    TorchStep StepOf(const MarkRange& range)
    {
        TorchStep step;
        const auto gradientKind = GradientKind(range);
        BackwardSense backward(m_knowsBackward);
        std::size_t nodes = 0;
        const TorchMark* node = nullptr;
        for (auto i = range.begin; i < range.end; ++i)
        {
            const auto& mark = m_recording.marks[i];
            const bool inside = backward.IsInside(mark);
            if (i == range.begin)
            {
                step.begin = mark.begin;
            }
            if (mark.kind == Kind::NODE)
            {
                // a transposed weight belongs to the product that it is used in
                const bool isView =
                    node != nullptr && m_recording.names[mark.name] == TRANSPOSITION;
                nodes += isView ? 0 : 1;
                node = isView ? node : &mark;
            }
            else if (mark.kind == gradientKind)
            {
                step.gradients.push_back(GradientOf(mark, node, nodes));
            }
            else if (mark.kind == Kind::COLLECTIVE)
            {
                TakeCollective(mark, inside, step);
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
            const auto forward = m_recording.forwards.find(node->sequence);
            gradient.module = forward == m_recording.forwards.end() ? "" : forward->second.module;
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
        step.scattered |= collective.name.rfind("allreduce", 0) != 0;
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
    bool m_knowsBackward;
    std::vector<MarkRange> m_ranges;
    std::string m_group;
};

/** What an iteration exchanges; iterations of the same are alike. */
using Exchanged = std::pair<std::vector<std::uint64_t>, std::vector<std::uint64_t>>;

Exchanged
ExchangedOf(const TorchStep& step)
{
    Exchanged exchanged;
    for (const auto& gradient : step.gradients)
    {
        exchanged.first.push_back(gradient.elements);
    }
    for (const auto& bucket : step.buckets)
    {
        exchanged.second.push_back(bucket.elements);
        exchanged.second.push_back(bucket.gradientsEnd);
    }
    return exchanged;
}

} // namespace

std::vector<TorchStep>
StepsOf(const TorchRecording& recording, const ImportOptions& options, ImportReport& report)
{
    const auto all = StepMaker(recording, options, report).Make();
    const bool anyBuckets = std::any_of(
        all.begin(), all.end(), [](const TorchStep& step) { return !step.buckets.empty(); });
    const auto exchangedBy = [anyBuckets](const TorchStep& step) {
        const bool nothing = anyBuckets ? step.buckets.empty() : step.gradients.empty();
        return nothing ? std::nullopt : std::optional(ExchangedOf(step));
    };
    auto steps = AlikeSteps(all, exchangedBy, report);
    if (steps.empty())
    {
        throw InputError(recording.file + ": no iteration with gradients in it; record whole "
                                          "training steps, backward included");
    }
    CheckGradients(recording, steps, report);
    if (steps.size() > 1)
    {
        report.Check(
            fmt::format("{}: {} iterations exchange the same", recording.file, steps.size()));
    }
    return steps;
}

} // namespace inca
