/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/torch-steps.h"

#include "base/errors.h"
#include "base/printable.h"
#include "base/units.h"
#include "import/alike-steps.h"
#include "import/element-type.h"
#include "import/operation-sequence.h"

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

/** Iterations begin at their ranges; where there are none, they end with the optimizer's. */
std::vector<MarkRange>
RangesOf(const TorchRecording& recording, ImportReport& report)
{
    const auto& marks = recording.marks;
    const bool hasSteps = Has(marks, Kind::STEP);
    std::vector<MarkRange> ranges;
    const TorchMark* step = nullptr;
    bool ended = true;
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
        const bool begins = mark.kind != Kind::UPDATE && ended;
        if (begins || ranges.empty())
        {
            ranges.push_back({i, i});
        }
        ended = mark.kind == Kind::UPDATE;
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
        if (mark.kind == Kind::NODE || mark.kind == Kind::GRADIENT || mark.kind == Kind::COPY)
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
    return Has(recording.marks, Kind::NODE) || Has(recording.marks, Kind::GRADIENT) ||
           Has(recording.marks, Kind::COPY);
}

bool
MayBeGradient(const TorchCollective& collective)
{
    return IsSum(collective.name) && BytesOfGradientType(collective.elementType) > 0;
}

class StepMaker
{
  public:
    StepMaker(const TorchRecording& recording, const ImportOptions& options, ImportReport& report)
        : m_recording(recording),
          m_report(report),
          m_knowsBackward(KnowsBackward(recording)),
          m_gradientKind(Has(recording.marks, Kind::COPY) ? Kind::COPY : Kind::GRADIENT),
          m_ranges(RangesOf(recording, report)),
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

    TorchStep StepOf(const MarkRange& range)
    {
        TorchStep step;
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
            else if (mark.kind == m_gradientKind)
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
        return step;
    }

    TorchGradient GradientOf(const TorchMark& mark, const TorchMark* node, std::size_t nodes) const
    {
        TorchGradient gradient;
        gradient.elements = mark.elements;
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
        step.buckets.push_back({collective.elements, step.gradients.size(), mark.begin});
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
    Kind m_gradientKind;
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

/** The all-reduces' own sizes are the check of the gradients between them. */
void
CheckBuckets(const TorchRecording& recording, const TorchStep& step, ImportReport& report)
{
    const bool known = std::all_of(step.gradients.begin(),
                                   step.gradients.end(),
                                   [](const auto& gradient) { return gradient.elements > 0; });
    if (!known || step.gradients.empty() || step.buckets.empty())
    {
        return;
    }
    std::size_t first = 0;
    bool agree = true;
    for (std::size_t i = 0; i < step.buckets.size(); ++i)
    {
        std::uint64_t sum = 0;
        for (; first < step.buckets[i].gradientsEnd; ++first)
        {
            sum += step.gradients[first].elements;
        }
        if (sum != step.buckets[i].elements)
        {
            agree = false;
            report.Doubt(fmt::format("{}: all-reduce {} has {} elements, the gradients that became "
                                     "ready before it {}",
                                     recording.file,
                                     i + 1,
                                     step.buckets[i].elements,
                                     sum));
        }
    }
    if (first < step.gradients.size())
    {
        agree = false;
        report.Doubt(fmt::format("{}: {} gradients become ready after the last all-reduce",
                                 recording.file,
                                 step.gradients.size() - first));
    }
    if (agree)
    {
        report.Check(fmt::format("{}: {} gradients add up to each of {} all-reduces",
                                 recording.file,
                                 step.gradients.size(),
                                 step.buckets.size()));
    }
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
    CheckBuckets(recording, steps.front(), report);
    if (steps.size() > 1)
    {
        report.Check(
            fmt::format("{}: {} iterations exchange the same", recording.file, steps.size()));
    }
    return steps;
}

} // namespace inca
