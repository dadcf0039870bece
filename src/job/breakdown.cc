/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/breakdown.h"

#include "job/span-set.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace inca
{

namespace
{

/** Whom a rank waited for, and when: the sets of different peers do not overlap. */
std::map<Rank, SpanSet>
WaitsByPeer(const Timeline& timeline)
{
    auto waits = timeline.Waits();
    std::stable_sort(waits.begin(), waits.end(), [](const Wait& a, const Wait& b) {
        return a.span.beginPs < b.span.beginPs;
    });
    std::map<Rank, SpanSet> byPeer;
    std::int64_t countedPs =
        0; // of waits at the same time, of several exchanges, the earlier counts
    for (const auto& wait : waits)
    {
        const auto beginPs = std::max(wait.span.beginPs, countedPs);
        if (beginPs < wait.span.endPs)
        {
            byPeer[wait.peer].push_back({beginPs, wait.span.endPs});
            countedPs = wait.span.endPs;
        }
    }
    return byPeer;
}

/** Counts the time of one worker piece by piece, and keeps what is not counted yet. */
class Counter
{
  public:
    Counter(const std::vector<const Timeline*>& timelines, Breakdown& breakdown)
        : m_timelines(timelines),
          m_breakdown(breakdown),
          m_onTheWay(timelines.size(), false)
    {
    }

    /** Counts @p activity of @p rank within @p open. @return what is left of @p open */
    SpanSet Count(Rank rank, Activity activity, const SpanSet& open)
    {
        const auto& spans = m_timelines[rank]->Spans(activity);
        m_breakdown.activityPs[static_cast<std::size_t>(activity)] +=
            Length(Intersect(open, spans));
        return Subtract(open, spans);
    }

    /** Counts what others did while @p rank waited for them within @p open; keeps the rest. */
    void CountWaits(Rank rank, SpanSet open)
    {
        m_onTheWay[rank] = true;
        for (const auto& [peer, waits] : WaitsByPeer(*m_timelines[rank]))
        {
            auto during = Intersect(open, waits);
            if (during.empty() || m_onTheWay[peer])
            {
                continue;
            }
            open = Subtract(open, waits);
            during = Count(peer, Activity::SUM, during);
            during = Count(peer, Activity::UPDATE, during);
            CountWaits(peer, std::move(during));
        }
        m_onTheWay[rank] = false;
        m_communication.insert(m_communication.end(), open.begin(), open.end());
    }

    /** What was left over; to be taken at the end. */
    SpanSet TakeCommunication()
    {
        std::sort(m_communication.begin(), m_communication.end(), [](const Span& a, const Span& b) {
            return a.beginPs < b.beginPs;
        });
        return std::move(m_communication);
    }

  private:
    const std::vector<const Timeline*>& m_timelines;
    Breakdown& m_breakdown;
    SpanSet m_communication;
    std::vector<bool> m_onTheWay; ///< from the worker to here, so that a ring of waits ends
};

/** Counts everything but communication into @p breakdown. @return where communication is */
SpanSet
Sort(const std::vector<const Timeline*>& timelines, Rank worker, Span window, Breakdown& breakdown)
{
    Counter counter(timelines, breakdown);
    SpanSet open;
    if (window.beginPs < window.endPs)
    {
        open.push_back(window);
    }
    for (std::size_t activity = 0; activity < g_activityCount; ++activity)
    {
        open = counter.Count(worker, static_cast<Activity>(activity), open);
    }
    counter.CountWaits(worker, std::move(open));
    return counter.TakeCommunication();
}

} // namespace

std::int64_t
Breakdown::TotalPs() const
{
    return std::accumulate(activityPs.begin(), activityPs.end(), communicationPs);
}

Breakdown
BreakDown(const std::vector<const Timeline*>& timelines, Rank worker, Span window)
{
    Breakdown breakdown;
    breakdown.communicationPs = Length(Sort(timelines, worker, window, breakdown));
    return breakdown;
}

SpanSet
CommunicationSpans(const std::vector<const Timeline*>& timelines, Rank worker, Span window)
{
    Breakdown breakdown;
    return Sort(timelines, worker, window, breakdown);
}

} // namespace inca
