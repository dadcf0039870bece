/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/breakdown.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace inca
{

namespace
{

/** Moves from @p open to @p share what of it is in @p spans. */
void
Take(const SpanSet& spans, SpanSet& open, SpanSet& share)
{
    const auto taken = Intersect(open, spans);
    const auto before = static_cast<std::ptrdiff_t>(share.size());
    share.insert(share.end(), taken.begin(), taken.end());
    std::inplace_merge(share.begin(),
                       share.begin() + before,
                       share.end(),
                       [](const Span& a, const Span& b) { return a.beginPs < b.beginPs; });
    open = Subtract(open, spans);
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

BreakdownSpans
Breakdowns::SpansOf(Rank worker, Span window) const
{
    BreakdownSpans shares;
    auto& open = shares.communication;
    if (window.beginPs < window.endPs)
    {
        open.push_back(window);
    }
    const auto share = [&shares](Activity activity) -> SpanSet& {
        return shares.activities[static_cast<std::size_t>(activity)];
    };
    for (std::size_t i = 0; i < g_activityCount; ++i)
    {
        Take(m_timelines[worker]->Spans(static_cast<Activity>(i)), open, shares.activities[i]);
    }
    const auto waitedPs = Length(open);
    const auto& [summing, updating] = m_waitedFor[worker];
    Take(Intersect(open, summing), open, share(Activity::SUM));
    Take(Intersect(open, updating), open, share(Activity::UPDATE));
    shares.waitedForPs = waitedPs - Length(open);
    return shares;
}

Breakdown
Breakdowns::Of(Rank worker, Span window) const
{
    const auto shares = SpansOf(worker, window);
    Breakdown breakdown;
    std::transform(
        shares.activities.begin(), shares.activities.end(), breakdown.activityPs.begin(), Length);
    breakdown.communicationPs = Length(shares.communication);
    breakdown.waitedForPs = shares.waitedForPs;
    return breakdown;
}

} // namespace inca
