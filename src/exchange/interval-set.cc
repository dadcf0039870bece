/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/interval-set.h"

#include <algorithm>
#include <iterator>

namespace inca
{

IntervalSet::Map::const_iterator
IntervalSet::FirstReaching(std::uint64_t element) const
{
    auto next = m_intervals.upper_bound(element);
    if (next != m_intervals.begin() && std::prev(next)->second >= element)
    {
        --next;
    }
    return next;
}

void
IntervalSet::Add(ElementRange range)
{
    if (range.count == 0)
    {
        return;
    }
    auto begin = range.begin;
    auto end = range.End();
    auto old = FirstReaching(begin);
    while (old != m_intervals.end() && old->first <= end)
    {
        begin = std::min(begin, old->first);
        end = std::max(end, old->second);
        old = m_intervals.erase(old);
    }
    m_intervals.emplace(begin, end);
}

std::vector<Interval>
IntervalSet::Cut(ElementRange range) const
{
    std::vector<Interval> pieces;
    auto at = range.begin;
    const auto addUpTo = [&](std::uint64_t end, bool held) {
        if (end > at)
        {
            pieces.push_back({{at, end - at}, held});
            at = end;
        }
    };
    for (auto held = FirstReaching(at); held != m_intervals.end() && at < range.End(); ++held)
    {
        addUpTo(std::min(held->first, range.End()), false);
        addUpTo(std::min(held->second, range.End()), true);
    }
    addUpTo(range.End(), false);
    return pieces;
}

} // namespace inca
