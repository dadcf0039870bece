/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/torch-steps.h"

#include "base/errors.h"
#include "base/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace inca
{

namespace
{

constexpr std::int64_t PS_PER_NS = 1000;

struct Interval
{
    std::int64_t begin;
    std::int64_t end;
};

/** Apart and ascending. */
std::vector<Interval>
Union(std::vector<Interval> intervals)
{
    std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) {
        return a.begin < b.begin;
    });
    std::vector<Interval> apart;
    for (const auto& interval : intervals)
    {
        if (!apart.empty() && interval.begin <= apart.back().end)
        {
            apart.back().end = std::max(apart.back().end, interval.end);
        }
        else
        {
            apart.push_back(interval);
        }
    }
    return apart;
}

/** @return how much of the time between lies in intervals that are apart and ascend */
std::int64_t
Within(const std::vector<Interval>& intervals, std::int64_t from, std::int64_t to)
{
    std::int64_t sum = 0;
    auto interval = std::lower_bound(intervals.begin(),
                                     intervals.end(),
                                     from,
                                     [](const Interval& a, std::int64_t at) { return a.end < at; });
    for (; interval != intervals.end() && interval->begin < to; ++interval)
    {
        sum += std::max<std::int64_t>(
            0, std::min(interval->end, to) - std::max(interval->begin, from));
    }
    return sum;
}

/** When what a CPU asked of its GPU was done, and what that took. Collectives are no work of this. (ns) */
class DeviceClock
{
  public:
    explicit DeviceClock(const TorchRecording& recording)
    {
        for (const auto& work : recording.work)
        {
            const Interval interval{work.begin, work.end};
            m_both.push_back(interval);
            if (!work.isCollective)
            {
                m_computing.push_back(interval);
                m_launches.push_back(work.launch);
                m_doneAt.push_back(
                    std::max(work.end, m_doneAt.empty() ? work.end : m_doneAt.back()));
            }
        }
        std::vector<std::size_t> byBegin(m_computing.size());
        std::iota(byBegin.begin(), byBegin.end(), 0);
        std::stable_sort(byBegin.begin(), byBegin.end(), [this](std::size_t a, std::size_t b) {
            return m_computing[a].begin < m_computing[b].begin;
        });
        m_busy.resize(m_computing.size() + 1);
        std::int64_t covered = INT64_MIN;
        for (const auto index : byBegin)
        {
            const auto& interval = m_computing[index];
            m_busy[index + 1] =
                std::max<std::int64_t>(0, interval.end - std::max(interval.begin, covered));
            covered = std::max(covered, interval.end);
        }
        std::partial_sum(m_busy.begin(), m_busy.end(), m_busy.begin());
        m_computing = Union(std::move(m_computing));
        m_both = Union(std::move(m_both));
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

    /**
     * Time in which the GPU computed what was launched after @p from, up to @p to; what goes on at the same
     * time counts once.
     */
    std::int64_t Busy(std::int64_t from, std::int64_t to) const
    {
        return m_busy[LaunchedUntil(to)] - m_busy[LaunchedUntil(from)];
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
    std::vector<std::int64_t> m_busy;  ///< sums of their shares in the time that the GPU computes
    std::vector<Interval> m_both;      ///< of everything, apart and ascending
    std::vector<Interval> m_computing; ///< the same of what computes
};

/** Takes the times of one iteration after the other. */
class StepTimer
{
  public:
    StepTimer(const TorchRecording& profile,
              const std::vector<GradientSpan>& spans,
              bool kernelTimes,
              ImportReport& report)
        : m_profile(profile),
          m_spans(spans),
          m_clock(profile),
          m_kernelTimes(kernelTimes),
          m_report(report)
    {
        if (m_kernelTimes && !m_clock.HasWork())
        {
            throw InputError("--times kernels: " + profile.file + " has no work of a GPU");
        }
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
        const auto waited = m_kernelTimes
                                ? 0
                                : m_clock.ExposedCollectives(m_clock.DoneAt(*step.updateBegin),
                                                             m_clock.DoneAt(*step.updateEnd));
        times.update = std::max<std::int64_t>(0, passed - waited);
        return times;
    }

    /** Says what makes the times doubtful, of iterations from their beginning to their end. */
    void Warn(const std::vector<TorchStep>& steps) const
    {
        std::vector<std::int64_t> lengths;
        std::vector<std::int64_t> busy;
        for (const auto& step : steps)
        {
            if (step.begin && step.end)
            {
                lengths.push_back(*step.end - *step.begin);
                busy.push_back(m_clock.Busy(*step.begin, *step.end));
            }
        }
        const auto length = MedianOf(lengths);
        const auto computed = MedianOf(busy);
        if (m_clock.HasWork() && length > 0 && computed < length / 2)
        {
            m_report.Warn(fmt::format("bound by the CPU: the GPU computes for {} of {} per "
                                      "iteration; --times kernels takes what it computes",
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
        return m_kernelTimes ? m_clock.Busy(from, to) : m_clock.DoneAt(to) - m_clock.DoneAt(from);
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
    bool m_kernelTimes;
    ImportReport& m_report;
};

} // namespace

std::vector<StepTimes>
TimesOfSteps(const TorchRecording& profile,
             const std::vector<TorchStep>& steps,
             const std::vector<GradientSpan>& spans,
             const ImportOptions& options,
             ImportReport& report)
{
    const StepTimer timer(profile, spans, options.kernelTimes, report);
    std::vector<StepTimes> times;
    for (const auto& step : steps)
    {
        times.push_back(timer.TimesOf(step));
    }
    timer.Warn(steps);
    return times;
}

} // namespace inca
