/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "base/errors.h"
#include "base/units.h"
#include "import/recorded-training.h"
#include "import/torch-steps.h"

#include <boost/icl/interval_set.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace inca
{

namespace
{

constexpr std::int64_t PS_PER_NS = 1000;
constexpr std::int64_t MOST_NS = 1'000'000'000'000'000;

std::vector<std::uint64_t>
ElementsOf(const TorchStep& step)
{
    std::vector<std::uint64_t> elements;
    for (const auto& bucket : step.buckets)
    {
        elements.push_back(bucket.elements);
    }
    return elements;
}

/** Gives the profile's gradients what only the execution trace knows of them. */
void
TakeSizes(const TorchRecording& executionTrace,
          const TorchStep& known,
          const TorchRecording& profile,
          std::vector<TorchStep>& steps,
          ImportReport& report)
{
    const auto& first = steps.front();
    const bool exchanges = !first.buckets.empty();
    if (first.groupSize > 1 && known.groupSize > 1 && first.groupSize != known.groupSize)
    {
        report.Doubt(fmt::format("{} and {}: are of {} and of {} data-parallel workers",
                                 executionTrace.file,
                                 profile.file,
                                 known.groupSize,
                                 first.groupSize));
    }
    if (exchanges ? ElementsOf(first) != ElementsOf(known)
                  : first.gradients.size() != known.gradients.size())
    {
        throw InputError(fmt::format("{} and {}: exchange {} and {} gradients of other sizes: they "
                                     "are no records of the same training",
                                     executionTrace.file,
                                     profile.file,
                                     known.buckets.size(),
                                     first.buckets.size()));
    }
    if (first.gradients.size() != known.gradients.size())
    {
        report.Warn(
            fmt::format("{}: has {} gradients, the execution trace {}: only all-reduces are "
                        "the same in both",
                        profile.file,
                        first.gradients.size(),
                        known.gradients.size()));
        return;
    }
    for (auto& step : steps)
    {
        for (std::size_t i = 0; i < known.gradients.size(); ++i)
        {
            step.gradients[i].elements = known.gradients[i].elements;
        }
    }
    if (!exchanges)
    {
        report.Assume(
            fmt::format("{} gradients are the same in both by their order: the profile does "
                        "not say what all-reduces move",
                        first.gradients.size()));
        return;
    }
    report.Check(fmt::format("{} all-reduces have the same sizes in {} and {}",
                             known.buckets.size(),
                             executionTrace.file,
                             profile.file));
}

/** Times of one iteration's spans. (ns) */
struct StepTimes
{
    std::vector<std::int64_t> forward;
    std::vector<std::int64_t> backward;
    std::int64_t update{0};
};

using Interval = boost::icl::right_open_interval<std::int64_t>;
using Intervals =
    boost::icl::interval_set<std::int64_t, std::less, Interval>; ///< apart and ascending

/** @return how much of the time between lies in intervals */
std::int64_t
Within(const Intervals& intervals, std::int64_t from, std::int64_t to)
{
    return boost::icl::length(intervals & Interval(from, to));
}

/** When what a CPU asked of its GPU was done, and what that took. Collectives are no work of this. (ns) */
class DeviceClock
{
  public:
    explicit DeviceClock(const TorchRecording& recording)
    {
        for (const auto& work : recording.work)
        {
            const Interval interval(work.begin, work.end);
            m_both += interval;
            if (!work.isCollective)
            {
                m_computing += interval;
                m_launches.push_back(work.launch);
                m_doneAt.push_back(
                    std::max(work.end, m_doneAt.empty() ? work.end : m_doneAt.back()));
            }
        }
        for (const auto& run : recording.runs) // of gloo, say, on the CPU
        {
            m_both += HasWork() ? Interval(run.begin, run.end) : Interval();
        }
    }

    bool HasWork() const
    {
        return !m_launches.empty();
    }

    /** @return when the CPU has come to @p at and the GPU has done what was launched until then */
    std::int64_t DoneAt(std::int64_t at) const
    {
        const auto count = LaunchedUntil(at);
        return count == 0 ? at : std::max(at, m_doneAt[count - 1]);
    }

    /** Time from @p from to @p to in which the GPU computes. */
    std::int64_t Busy(std::int64_t from, std::int64_t to) const
    {
        return Within(m_computing, from, to);
    }

    /** Time from @p from to @p to in which a collective goes on and nothing computes. */
    std::int64_t ExposedCollectives(std::int64_t from, std::int64_t to) const
    {
        return Within(m_both, from, to) - Within(m_computing, from, to);
    }

  private:
    std::size_t LaunchedUntil(std::int64_t at) const
    {
        return static_cast<std::size_t>(std::upper_bound(m_launches.begin(), m_launches.end(), at) -
                                        m_launches.begin());
    }

    std::vector<std::int64_t> m_launches; ///< of what computes
    std::vector<std::int64_t> m_doneAt;   ///< the latest end up to there
    Intervals m_both;                     ///< of everything
    Intervals m_computing;                ///< of what computes
};

/** Takes the times of one iteration after the other. */
class StepTimer
{
  public:
    StepTimer(const TorchRecording& profile,
              const std::vector<GradientSpan>& spans,
              ImportReport& report)
        : m_profile(profile),
          m_spans(spans),
          m_clock(profile),
          m_report(report)
    {
    }

    StepTimes TimesOf(const TorchStep& step) const
    {
        StepTimes times;
        const auto backwardBegin = BackwardBegin(step);
        const auto forwardBegin =
            std::min(step.forwardBegin.value_or(step.begin.value_or(backwardBegin)), backwardBegin);
        auto begin = backwardBegin;
        for (const auto& span : m_spans)
        {
            const auto end = span.end > span.begin ? step.gradients[span.end - 1].readyAt
                                                   : step.buckets[span.bucket].begin;
            times.backward.push_back(std::max<std::int64_t>(0, Passed(begin, end)));
            begin = std::max(begin, end);
        }
        times.forward = Forward(step, forwardBegin, backwardBegin);
        if (!step.updateBegin)
        {
            m_report.Assume("updates take no time: the profile has no range of an optimizer");
            return times;
        }
        const auto passed = Passed(*step.updateBegin, *step.updateEnd);
        const auto waited = m_clock.ExposedCollectives(m_clock.DoneAt(*step.updateBegin),
                                                       m_clock.DoneAt(*step.updateEnd));
        times.update = std::max<std::int64_t>(0, passed - waited);
        return times;
    }

    /** Says what makes the times doubtful, of iterations from their beginning to their end. */
    void Warn(const std::vector<TorchStep>& steps) const
    {
        std::vector<std::int64_t> lengths; // less what the GPU waits for collectives
        std::vector<std::int64_t> busy;
        for (const auto& step : steps)
        {
            if (step.begin && step.end)
            {
                lengths.push_back(*step.end - *step.begin -
                                  m_clock.ExposedCollectives(*step.begin, *step.end));
                busy.push_back(m_clock.Busy(*step.begin, *step.end));
            }
        }
        const auto length = MedianOf(lengths);
        const auto computed = MedianOf(busy);
        if (m_clock.HasWork() && length > 0 && computed < length / 2)
        {
            m_report.Warn(fmt::format("bound by the CPU, whose times these are: the GPU "
                                      "computes for {} of {} per iteration in which it does not "
                                      "wait for collectives",
                                      HumanPicoseconds(computed * PS_PER_NS),
                                      HumanPicoseconds(length * PS_PER_NS)));
        }
    }

  private:
    std::int64_t BackwardBegin(const TorchStep& step) const
    {
        if (step.backwardBegin)
        {
            return *step.backwardBegin;
        }
        m_report.Assume("backward begins with the first gradient: the profile does not say");
        return !step.gradients.empty() ? step.gradients.front().readyAt
               : step.buckets.empty()  ? step.begin.value_or(0)
                                       : step.buckets.front().begin;
    }

    std::int64_t Passed(std::int64_t from, std::int64_t to) const
    {
        return m_clock.DoneAt(to) - m_clock.DoneAt(from);
    }

    /** When the operators of a span began in forward; nothing if not known. */
    std::optional<std::int64_t> ForwardBegin(const TorchStep& step, const GradientSpan& span) const
    {
        std::optional<std::int64_t> begin;
        for (auto i = span.begin; i < span.end; ++i)
        {
            const auto found = m_profile.forwards.find(step.gradients[i].sequence);
            if (found == m_profile.forwards.end())
            {
                return std::nullopt;
            }
            begin = std::min(begin.value_or(found->second), found->second);
        }
        return begin;
    }

    /** Of each span, from where its operators began to where the next ones did. */
    std::vector<std::int64_t> Forward(const TorchStep& step,
                                      std::int64_t begin,
                                      std::int64_t end) const
    {
        std::vector<std::pair<std::int64_t, std::size_t>> begins;
        std::vector<std::uint64_t> elements;
        bool areKnown = true;
        for (const auto& span : m_spans)
        {
            const auto at = ForwardBegin(step, span);
            areKnown = areKnown && at && *at >= begin && *at <= end;
            begins.emplace_back(at.value_or(begin), begins.size());
            elements.push_back(span.Elements());
        }
        if (!areKnown)
        {
            m_report.Assume("the forward pass is shared out by elements: the profile does not "
                            "tie operators to gradients");
            return SharedOut(Passed(begin, end), elements);
        }
        std::sort(begins.begin(), begins.end());
        std::vector<std::int64_t> times(begins.size());
        for (std::size_t i = 0; i < begins.size(); ++i)
        {
            const auto from = i == 0 ? begin : begins[i].first;
            const auto to = i + 1 == begins.size() ? end : begins[i + 1].first;
            times[begins[i].second] = Passed(from, to);
        }
        return times;
    }

    const TorchRecording& m_profile;
    const std::vector<GradientSpan>& m_spans;
    DeviceClock m_clock;
    ImportReport& m_report;
};

/** The times of iterations' spans from a profile, as TrainingOfTorch describes; says what makes them doubtful. */
std::vector<StepTimes>
TimesOfSteps(const TorchRecording& profile,
             const std::vector<TorchStep>& steps,
             const std::vector<GradientSpan>& spans,
             ImportReport& report)
{
    const StepTimer timer(profile, spans, report);
    std::vector<StepTimes> times;
    for (const auto& step : steps)
    {
        times.push_back(timer.TimesOf(step));
    }
    timer.Warn(steps);
    return times;
}

/** A training whose times are still 0; layers as in spans, last first. */
std::vector<RecordedLayer>
UntimedLayers(const std::vector<GradientSpan>& spans)
{
    std::vector<RecordedLayer> layers;
    for (auto span = spans.rbegin(); span != spans.rend(); ++span)
    {
        RecordedLayer layer;
        layer.name = span->name;
        layer.tensors.assign(span->tensors.rbegin(), span->tensors.rend());
        layers.push_back(std::move(layer));
    }
    return layers;
}

std::int64_t
PsOf(std::int64_t ns)
{
    if (ns > MOST_NS)
    {
        throw InputError("a profile's times add up to more than 10^6 s");
    }
    return ns * PS_PER_NS;
}

/** Puts the medians of @p times of @p spans into layers, which are last first. */
void
SetTimes(std::vector<RecordedLayer>& layers, const std::vector<StepTimes>& times)
{
    std::vector<std::uint64_t> elements;
    for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer)
    {
        elements.push_back(layer->Elements());
    }
    const auto update = SharedOut(
        PsOf(MedianOver(times, [](const StepTimes& step) { return step.update; })), elements);
    for (std::size_t i = 0; i < elements.size(); ++i)
    {
        auto& layer = layers[layers.size() - 1 - i];
        layer.forwardPs =
            PsOf(MedianOver(times, [i](const StepTimes& step) { return step.forward[i]; }));
        layer.backwardPs =
            PsOf(MedianOver(times, [i](const StepTimes& step) { return step.backward[i]; }));
        layer.updatePs = update[i];
    }
}

/** Layers and times from the iterations of a profile. */
void
TakeProfile(const TorchRecording& profile,
            const std::vector<TorchStep>& steps,
            ImportReport& report,
            RecordedTraining& training)
{
    const auto& step = steps.front();
    const bool byLayer = KnowsElements(step);
    if (!byLayer && step.buckets.empty())
    {
        throw InputError(profile.file + ": nothing says how large the gradients are: profile with "
                                        "record_shapes=True, or give the execution trace, too");
    }
    const auto spans = byLayer ? LayersOf(step) : BucketsOf(step);
    training.layers = UntimedLayers(spans);
    SetTimes(training.layers, TimesOfSteps(profile, steps, spans, report));
    if (!byLayer)
    {
        report.Assume("each all-reduce is one layer: nothing says which gradients are in it");
    }
    report.Assume("the update is shared out by elements");
    training.valueClass = "measured";
    training.device = profile.device;
}

/** The all-reduces of an iteration, and how long they went on; either may be empty. */
RecordedSums
SumsOf(const std::vector<TorchStep>& known, const std::vector<TorchStep>& timed)
{
    RecordedSums sums;
    const bool profileKnows = !timed.empty() && !timed.front().buckets.empty();
    if (!profileKnows && known.empty())
    {
        return sums;
    }
    const auto& step = profileKnows ? timed.front() : known.front();
    const auto count = step.buckets.size();
    const bool counted = std::all_of(timed.begin(), timed.end(), [&](const TorchStep& one) {
        return profileKnows || one.unsized.size() == count;
    });
    for (std::size_t i = 0; i < count; ++i)
    {
        const auto time = [&](const TorchStep& one) {
            return profileKnows ? one.buckets[i].ns : one.unsized[i];
        };
        const bool areKnown =
            counted && !timed.empty() &&
            std::all_of(timed.begin(), timed.end(), [&](const auto& one) { return time(one); });
        sums.each.push_back({step.buckets[i].elements * BytesOfGradientType(step.elementType), {}});
        if (areKnown)
        {
            sums.each.back().ps =
                PsOf(MedianOver(timed, [&](const auto& one) { return *time(one); }));
        }
    }
    sums.iterations = timed.size();
    sums.scattered = step.scattered;
    return sums;
}

/** Where nothing is exchanged: what all gradients are; empty if unknown, or no type of a trace. */
std::string
TypeOfGradients(const TorchStep& step)
{
    const auto& type =
        step.gradients.empty() ? step.elementType : step.gradients.front().elementType;
    const bool same =
        std::all_of(step.gradients.begin(), step.gradients.end(), [&type](const auto& gradient) {
            return gradient.elementType == type;
        });
    return same && BytesOfGradientType(type) > 0 ? type : "";
}

} // namespace

RecordedTraining
TrainingOfTorch(const TorchRecording* executionTrace,
                const TorchRecording* profile,
                const ImportOptions& options,
                ImportReport& report)
{
    std::vector<TorchStep> known;
    std::vector<TorchStep> timed;
    if (executionTrace != nullptr)
    {
        known = StepsOf(*executionTrace, options, report);
    }
    if (profile != nullptr)
    {
        timed = StepsOf(*profile, options, report);
    }
    if (!known.empty() && !timed.empty())
    {
        TakeSizes(*executionTrace, known.front(), *profile, timed, report);
    }
    const bool profileKnows = !timed.empty() && (known.empty() || !timed.front().buckets.empty());
    const auto& step = profileKnows ? timed.front() : known.front();
    if (profile != nullptr && profile->worldSize && *profile->worldSize < step.groupSize)
    {
        report.Doubt(fmt::format("{}: sums of {} workers, and distributedInfo says {}",
                                 profile->file,
                                 step.groupSize,
                                 *profile->worldSize));
    }
    RecordedTraining training;
    training.gradientType = step.elementType.empty() ? TypeOfGradients(step) : step.elementType;
    training.buckets = ElementsOf(step);
    training.sums = SumsOf(known, timed);
    training.workers = step.groupSize > 0   ? std::optional(step.groupSize)
                       : profile != nullptr ? profile->worldSize
                                            : std::nullopt;
    if (!timed.empty())
    {
        TakeProfile(*profile, timed, report, training);
    }
    else
    {
        training.layers = UntimedLayers(KnowsElements(step) ? LayersOf(step) : BucketsOf(step));
        report.Warn("no times in an execution trace: the layers take none; give a profile of the "
                    "same training, too");
    }
    std::uint64_t elements = 0;
    for (const auto& layer : training.layers)
    {
        elements += layer.Elements();
    }
    const auto exchanged =
        std::accumulate(training.buckets.begin(), training.buckets.end(), std::uint64_t{0});
    const auto& type = training.gradientType.empty() ? options.gradientType : training.gradientType;
    const auto bytesPerElement = type.empty() ? 4 : BytesOfGradientType(type);
    if (training.buckets.empty())
    {
        report.Warn("no all-reduces: nothing checks the gradients' sizes");
    }
    const auto padding = training.buckets.empty() || !KnowsElements(step) ? 0 : step.padding;
    if (padding > 0)
    {
        report.LeaveOut("padding of reduce-scatters",
                        "no gradients: parts are as long as each other",
                        padding * bytesPerElement);
    }
    report.bytesIn = (training.buckets.empty() ? elements : exchanged - padding) * bytesPerElement;
    return training;
}

} // namespace inca
