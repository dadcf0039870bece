/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/breakdown.h"

#include <numeric>
#include <utility>

namespace inca
{

namespace
{

/** Counts @p spans within @p open as @p activity. @return what is left of @p open */
SpanSet
CountAs(Activity activity, const SpanSet& spans, const SpanSet& open, Breakdown& breakdown)
{
    breakdown.activityPs[static_cast<std::size_t>(activity)] += Length(Intersect(open, spans));
    return Subtract(open, spans);
}

} // namespace

std::int64_t
Breakdown::TotalPs() const
{
    return std::accumulate(activityPs.begin(), activityPs.end(), communicationPs);
}

Breakdowns::Breakdowns(std::vector<const Timeline*> timelines)
    : m_timelines(std::move(timelines)),
      m_waitedFor(WaitedForByRank(m_timelines))
{
}

/** Counts everything but communication into @p breakdown. @return where communication is */
SpanSet
Breakdowns::Count(Rank worker, Span window, Breakdown& breakdown) const
{
    SpanSet open;
    if (window.beginPs < window.endPs)
    {
        open.push_back(window);
    }
    for (std::size_t i = 0; i < g_activityCount; ++i)
    {
        const auto activity = static_cast<Activity>(i);
        open = CountAs(activity, m_timelines[worker]->Spans(activity), open, breakdown);
    }
    open = CountAs(Activity::SUM, m_waitedFor[worker].summing, open, breakdown);
    return CountAs(Activity::UPDATE, m_waitedFor[worker].updating, open, breakdown);
}

Breakdown
Breakdowns::Of(Rank worker, Span window) const
{
    Breakdown breakdown;
    breakdown.communicationPs = Length(Count(worker, window, breakdown));
    return breakdown;
}

SpanSet
Breakdowns::Communication(Rank worker, Span window) const
{
    Breakdown breakdown;
    return Count(worker, window, breakdown);
}

} // namespace inca
