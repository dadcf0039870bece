/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/device-clock.h"

#include <algorithm>
#include <numeric>

namespace inca
{

DeviceClock::DeviceClock(const TorchRecording& recording)
{
    std::vector<Interval> all;
    for (const auto& work : recording.work)
    {
        const Interval interval{work.begin, work.end};
        all.push_back(interval);
        (work.isCollective ? m_collectives : m_computing).push_back(interval);
        if (!work.isCollective)
        {
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
    m_collectives = Union(std::move(m_collectives));
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

std::int64_t
DeviceClock::Collectives(std::int64_t from, std::int64_t to) const
{
    return Within(m_collectives, from, to);
}

} // namespace inca
