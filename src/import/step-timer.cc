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

} // namespace

DeviceClock::DeviceClock(const TorchRecording& recording)
{
    std::vector<Interval> all;
    for (const auto& work : recording.work)
    {
        const Interval interval{work.begin, work.end};
        all.push_back(interval);
        if (!work.isCollective)
        {
            m_computing.push_back(interval);
            m_launches.push_back(work.launch);
            m_doneAt.push_back(std::max(work.end, m_doneAt.empty() ? work.end : m_doneAt.back()));
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
    m_both = Union(std::move(all));
}

std::vector<DeviceClock::Interval>
DeviceClock::Union(std::vector<Interval> intervals)
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

std::int64_t
DeviceClock::Within(const std::vector<Interval>& intervals, std::int64_t from, std::int64_t to)
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

std::int64_t
DeviceClock::DoneAt(std::int64_t at) const
{
    const auto after = std::upper_bound(m_launches.begin(), m_launches.end(), at);
    const auto count = static_cast<std::size_t>(after - m_launches.begin());
    return count == 0 ? at : std::max(at, m_doneAt[count - 1]);
}

std::int64_t
DeviceClock::Busy(std::int64_t from, std::int64_t to) const
{
    const auto upTo = [this](std::int64_t at) {
        const auto after = std::upper_bound(m_launches.begin(), m_launches.end(), at);
        return m_busy[static_cast<std::size_t>(after - m_launches.begin())];
    };
    return upTo(to) - upTo(from);
}

std::int64_t
DeviceClock::ExposedCollectives(std::int64_t from, std::int64_t to) const
{
    return Within(m_both, from, to) - Within(m_computing, from, to);
}

StepTimer::StepTimer(const TorchRecording& profile,
                     const ImportOptions& options,
                     ImportReport& report)
    : m_profile(profile),
      m_clock(profile),
      m_kernelTimes(options.kernelTimes),
      m_report(report)
{
    if (m_kernelTimes && !m_clock.HasWork())
    {
        throw InputError("--times kernels: " + profile.file + " has no work of a GPU");
    }
}

StepTimes
StepTimer::TimesOf(const TorchStep& step, const std::vector<GradientSpan>& spans)
{
    StepTimes times;
    const auto backwardBegin = BackwardBegin(step);
    const auto forwardBegin =
        std::min(step.forwardBegin.value_or(step.begin.value_or(backwardBegin)), backwardBegin);
    times.backward = Backward(step, spans, backwardBegin);
    times.forward = Forward(step, spans, forwardBegin, backwardBegin);
    if (step.updateBegin)
    {
        const auto passed = Passed(*step.updateBegin, *step.updateEnd);
        const auto waited = m_kernelTimes
                                ? 0
                                : m_clock.ExposedCollectives(m_clock.DoneAt(*step.updateBegin),
                                                             m_clock.DoneAt(*step.updateEnd));
        times.update = std::max<std::int64_t>(0, passed - waited);
    }
    else
    {
        m_report.Assume("updates take no time: the profile has no range of an optimizer");
    }
    return times;
}

void
StepTimer::Warn(const std::vector<TorchStep>& steps)
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

std::int64_t
StepTimer::BackwardBegin(const TorchStep& step) const
{
    if (step.backwardBegin)
    {
        return *step.backwardBegin;
    }
    const auto first = !step.gradients.empty() ? step.gradients.front().readyAt
                       : step.buckets.empty()  ? step.begin.value_or(0)
                                               : step.buckets.front().begin;
    m_report.Assume("backward begins with the first gradient: the profile does not say");
    return first;
}

std::int64_t
StepTimer::Passed(std::int64_t from, std::int64_t to) const
{
    return m_kernelTimes ? m_clock.Busy(from, to) : m_clock.DoneAt(to) - m_clock.DoneAt(from);
}

std::vector<std::int64_t>
StepTimer::Backward(const TorchStep& step,
                    const std::vector<GradientSpan>& spans,
                    std::int64_t begin) const
{
    std::vector<std::int64_t> times;
    for (const auto& span : spans)
    {
        const auto end = span.end > span.begin ? step.gradients[span.end - 1].readyAt
                                               : step.buckets[span.bucket].begin;
        times.push_back(std::max<std::int64_t>(0, Passed(begin, end)));
        begin = std::max(begin, end);
    }
    return times;
}

/** When the operators of a span began in forward; nothing if not known. */
std::optional<std::int64_t>
StepTimer::ForwardBegin(const TorchStep& step, const GradientSpan& span) const
{
    std::optional<std::int64_t> begin;
    for (auto i = span.begin; i < span.end; ++i)
    {
        const auto found = m_profile.forwards.find(step.gradients[i].sequence);
        if (found == m_profile.forwards.end())
        {
            return std::nullopt;
        }
        begin = begin ? std::min(*begin, found->second.begin) : found->second.begin;
    }
    return begin;
}

std::vector<std::int64_t>
StepTimer::Forward(const TorchStep& step,
                   const std::vector<GradientSpan>& spans,
                   std::int64_t begin,
                   std::int64_t end) const
{
    std::vector<std::pair<std::int64_t, std::size_t>> begins;
    for (std::size_t i = 0; i < spans.size(); ++i)
    {
        const auto at = ForwardBegin(step, spans[i]);
        if (!at || *at < begin || *at > end)
        {
            m_report.Assume("the forward pass is shared out by elements: the profile does not "
                            "tie operators to gradients");
            std::vector<std::uint64_t> elements;
            for (const auto& span : spans)
            {
                elements.push_back(span.Elements());
            }
            return SharedOut(Passed(begin, end), elements);
        }
        begins.emplace_back(*at, i);
    }
    std::sort(begins.begin(), begins.end());
    std::vector<std::int64_t> times(spans.size());
    for (std::size_t i = 0; i < begins.size(); ++i)
    {
        const auto from = i == 0 ? begin : begins[i].first;
        const auto to = i + 1 == begins.size() ? end : begins[i + 1].first;
        times[begins[i].second] = Passed(from, to);
    }
    return times;
}

} // namespace inca
