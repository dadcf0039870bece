/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/breakdown.h"

#include "exchange/shift-symmetry.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace inca
{

namespace
{

/** The first of @p spans that ends after @p timePs. */
SpanSet::const_iterator
FirstEndingAfter(const SpanSet& spans, std::int64_t timePs)
{
    return std::upper_bound(spans.begin(),
                            spans.end(),
                            timePs,
                            [](std::int64_t t, const Span& span) { return t < span.endPs; });
}

void
Append(const SpanSet& more, SpanSet& spans)
{
    spans.insert(spans.end(), more.begin(), more.end());
}

void
Sort(SpanSet& spans)
{
    std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
        return a.beginPs < b.beginPs;
    });
}

/** Sorts spans; those that touch or overlap become one. */
void
Merge(SpanSet& spans)
{
    Sort(spans);
    SpanSet merged;
    for (const auto& span : spans)
    {
        if (!merged.empty() && span.beginPs <= merged.back().endPs)
        {
            merged.back().endPs = std::max(merged.back().endPs, span.endPs);
        }
        else
        {
            merged.push_back(span);
        }
    }
    spans = std::move(merged);
}

/** Moves from @p open to @p share what of it is in @p spans. */
void
Take(const SpanSet& spans, SpanSet& open, SpanSet& share)
{
    Append(Intersect(open, spans), share);
    Sort(share);
    open = Subtract(open, spans);
}

/** In order of time; of waits at the same time, of several exchanges, the earlier counts. */
std::vector<Wait>
SeparateWaits(const Timeline& timeline, Rank representatives)
{
    auto waits = timeline.Waits();
    std::stable_sort(waits.begin(), waits.end(), [](const Wait& a, const Wait& b) {
        return a.span.beginPs < b.span.beginPs;
    });
    std::vector<Wait> separate;
    std::int64_t countedPs = 0;
    for (const auto& [span, peer] : waits)
    {
        const auto beginPs = std::max(span.beginPs, countedPs);
        if (beginPs < span.endPs)
        {
            separate.push_back({{beginPs, span.endPs}, StandInOf(peer, representatives)});
            countedPs = span.endPs;
        }
    }
    return separate;
}

} // namespace

SpanSet
Intersect(const SpanSet& a, const SpanSet& b)
{
    SpanSet both;
    for (const auto& span : a)
    {
        for (auto i = FirstEndingAfter(b, span.beginPs); i != b.end() && i->beginPs < span.endPs;
             ++i)
        {
            both.push_back({std::max(span.beginPs, i->beginPs), std::min(span.endPs, i->endPs)});
        }
    }
    return both;
}

SpanSet
Subtract(const SpanSet& a, const SpanSet& b)
{
    SpanSet rest;
    for (const auto& span : a)
    {
        auto beginPs = span.beginPs;
        for (auto i = FirstEndingAfter(b, span.beginPs); i != b.end() && i->beginPs < span.endPs;
             ++i)
        {
            if (i->beginPs > beginPs)
            {
                rest.push_back({beginPs, i->beginPs});
            }
            beginPs = i->endPs;
        }
        if (beginPs < span.endPs)
        {
            rest.push_back({beginPs, span.endPs});
        }
    }
    return rest;
}

std::int64_t
Length(const SpanSet& spans)
{
    return std::accumulate(
        spans.begin(), spans.end(), std::int64_t{0}, [](std::int64_t sum, const Span& span) {
            return sum + span.endPs - span.beginPs;
        });
}

std::int64_t
Breakdown::TotalPs() const
{
    return std::accumulate(activityPs.begin(), activityPs.end(), communicationPs);
}

Breakdowns::Breakdowns(std::vector<const Timeline*> timelines)
    : m_timelines(std::move(timelines))
{
    for (const auto* timeline : m_timelines)
    {
        m_waits.push_back(SeparateWaits(*timeline, static_cast<Rank>(m_timelines.size())));
        Append(timeline->Spans(Activity::SUM), m_anyBusy);
        Append(timeline->Spans(Activity::UPDATE), m_anyBusy);
    }
    Merge(m_anyBusy);
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
    BusyHosts busy{{}, {}, std::vector<bool>(m_timelines.size(), false)};
    Follow(worker, Intersect(open, m_anyBusy), busy);
    Merge(busy.summing);
    Merge(busy.updating);
    Take(busy.summing, open, share(Activity::SUM));
    Take(busy.updating, open, share(Activity::UPDATE));
    return shares;
}

/** Finds the hosts for which @p rank waits during @p open, or those for which these wait, and so on. */
void
Breakdowns::Follow(Rank rank, const SpanSet& open, BusyHosts& busy) const
{
    busy.visited[rank] = true;
    const auto& waits = m_waits[rank];
    const auto firstPs = open.empty() ? 0 : open.front().beginPs;
    auto wait = std::upper_bound(
        waits.begin(), waits.end(), firstPs, [](std::int64_t timePs, const Wait& one) {
            return timePs < one.span.endPs;
        });
    for (; !open.empty() && wait != waits.end() && wait->span.beginPs < open.back().endPs; ++wait)
    {
        auto rest = Intersect({wait->span}, open);
        const auto take = [&rest, &host = *m_timelines[wait->peer]](Activity is, SpanSet& share) {
            if (const auto more = Intersect(rest, host.Spans(is)); !more.empty())
            {
                Append(more, share);
                rest = Subtract(rest, more);
            }
        };
        take(Activity::SUM, busy.summing);
        take(Activity::UPDATE, busy.updating);
        if (!rest.empty() && !busy.visited[wait->peer]) // hosts may wait for each other in a ring
        {
            Follow(wait->peer, rest, busy);
        }
    }
    busy.visited[rank] = false;
}

Breakdown
Breakdowns::Of(Rank worker, Span window) const
{
    const auto shares = SpansOf(worker, window);
    Breakdown breakdown;
    std::transform(
        shares.activities.begin(), shares.activities.end(), breakdown.activityPs.begin(), Length);
    breakdown.communicationPs = Length(shares.communication);
    return breakdown;
}

} // namespace inca
