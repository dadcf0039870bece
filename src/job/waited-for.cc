/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/waited-for.h"

#include "exchange/shift-symmetry.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <tuple>

namespace inca
{

namespace
{

constexpr Rank g_nobody = std::numeric_limits<Rank>::max();
constexpr std::size_t g_nowhere = std::numeric_limits<std::size_t>::max();

/** In which order changes of the same instant count: what ends makes room for what begins. */
enum class Kind : std::uint8_t
{
    WAIT_ENDS,
    SUM_ENDS,
    UPDATE_ENDS,
    WAIT_BEGINS,
    SUM_BEGINS,
    UPDATE_BEGINS,
};

struct Change
{
    std::int64_t atPs;
    Kind kind;
    Rank rank;
    Rank peer; ///< of a wait that begins

    bool operator<(const Change& other) const
    {
        return std::tie(atPs, kind, rank) < std::tie(other.atPs, other.kind, other.rank);
    }
};

/** A rank's waits in order of time; of those at the same time, of several exchanges, the earlier counts. */
void
AddWaits(const Timeline& timeline,
         Rank rank,
         const std::function<Rank(Rank)>& standInOf,
         std::vector<Change>& changes)
{
    auto waits = timeline.Waits();
    std::stable_sort(waits.begin(), waits.end(), [](const Wait& a, const Wait& b) {
        return a.span.beginPs < b.span.beginPs;
    });
    std::int64_t countedPs = 0;
    for (const auto& wait : waits)
    {
        const auto beginPs = std::max(wait.span.beginPs, countedPs);
        if (beginPs < wait.span.endPs)
        {
            changes.push_back({beginPs, Kind::WAIT_BEGINS, rank, standInOf(wait.peer)});
            changes.push_back({wait.span.endPs, Kind::WAIT_ENDS, rank, g_nobody});
            countedPs = wait.span.endPs;
        }
    }
}

void
AddSpans(const SpanSet& spans, Kind begins, Kind ends, Rank rank, std::vector<Change>& changes)
{
    for (const auto& span : spans)
    {
        changes.push_back({span.beginPs, begins, rank, g_nobody});
        changes.push_back({span.endPs, ends, rank, g_nobody});
    }
}

std::vector<Change>
ChangesOf(const std::vector<const Timeline*>& timelines)
{
    const auto standIns = static_cast<Rank>(timelines.size());
    const auto standInOf = [standIns](Rank rank) { return StandInOf(rank, standIns); };
    std::vector<Change> changes;
    for (Rank rank = 0; rank < timelines.size(); ++rank)
    {
        const auto& timeline = *timelines[rank];
        AddWaits(timeline, rank, standInOf, changes);
        AddSpans(timeline.Spans(Activity::SUM), Kind::SUM_BEGINS, Kind::SUM_ENDS, rank, changes);
        AddSpans(timeline.Spans(Activity::UPDATE),
                 Kind::UPDATE_BEGINS,
                 Kind::UPDATE_ENDS,
                 rank,
                 changes);
    }
    std::sort(changes.begin(), changes.end());
    return changes;
}

/** Ranks in no order, of which any leaves at once. @param places of all ranks in such lists, by rank */
class RankList
{
  public:
    void Add(Rank rank, std::vector<std::size_t>& places)
    {
        places[rank] = m_ranks.size();
        m_ranks.push_back(rank);
    }

    void Remove(Rank rank, std::vector<std::size_t>& places)
    {
        const auto place = places[rank];
        m_ranks[place] = m_ranks.back();
        places[m_ranks[place]] = place;
        m_ranks.pop_back();
        places[rank] = g_nowhere;
    }

    const std::vector<Rank>& Ranks() const
    {
        return m_ranks;
    }

  private:
    std::vector<Rank> m_ranks;
};

/** Who waits for whom, and who is busy, at one instant after the other. */
class Moment
{
  public:
    explicit Moment(std::size_t ranks)
        : m_ranks(ranks),
          m_waiters(ranks),
          m_placeAmongWaiters(ranks, g_nowhere),
          m_placeAmongBusy(ranks, g_nowhere),
          m_waitedFor(ranks)
    {
    }

    void Take(const Change& change)
    {
        auto& state = m_ranks[change.rank];
        switch (change.kind)
        {
        case Kind::WAIT_BEGINS:
            state.peer = change.peer;
            m_waiters[change.peer].Add(change.rank, m_placeAmongWaiters);
            break;
        case Kind::WAIT_ENDS:
            m_waiters[state.peer].Remove(change.rank, m_placeAmongWaiters);
            state.peer = g_nobody;
            break;
        case Kind::SUM_BEGINS:
        case Kind::SUM_ENDS:
            SetBusy(change.rank, change.kind == Kind::SUM_BEGINS, state.updating);
            break;
        case Kind::UPDATE_BEGINS:
        case Kind::UPDATE_ENDS:
            SetBusy(change.rank, state.summing, change.kind == Kind::UPDATE_BEGINS);
            break;
        }
    }

    /** Notes @p span, in which nothing changes, for all who wait for somebody busy. */
    void Last(Span span)
    {
        for (const auto busy : m_busy.Ranks())
        {
            const bool summing = m_ranks[busy].summing;
            m_reached.assign(1, busy);
            while (!m_reached.empty())
            {
                const auto rank = m_reached.back();
                m_reached.pop_back();
                for (const auto waiter : m_waiters[rank].Ranks())
                {
                    Append(span,
                           summing ? m_waitedFor[waiter].summing : m_waitedFor[waiter].updating);
                    if (m_placeAmongBusy[waiter] == g_nowhere) // else its own waiters wait for that
                    {
                        m_reached.push_back(waiter);
                    }
                }
            }
        }
    }

    std::vector<WaitedFor> TakeWaitedFor()
    {
        return std::move(m_waitedFor);
    }

  private:
    struct State
    {
        Rank peer{g_nobody};
        bool summing{false};
        bool updating{false};
    };

    void SetBusy(Rank rank, bool summing, bool updating)
    {
        auto& state = m_ranks[rank];
        const bool was = state.summing || state.updating;
        state.summing = summing;
        state.updating = updating;
        const bool is = summing || updating;
        if (is && !was)
        {
            m_busy.Add(rank, m_placeAmongBusy);
        }
        else if (was && !is)
        {
            m_busy.Remove(rank, m_placeAmongBusy);
        }
    }

    static void Append(Span span, SpanSet& spans)
    {
        if (!spans.empty() && spans.back().endPs == span.beginPs)
        {
            spans.back().endPs = span.endPs;
            return;
        }
        spans.push_back(span);
    }

    std::vector<State> m_ranks;
    std::vector<RankList> m_waiters; ///< by whom they wait for
    std::vector<std::size_t> m_placeAmongWaiters;
    RankList m_busy; ///< who sums or updates
    std::vector<std::size_t> m_placeAmongBusy;
    std::vector<Rank> m_reached;
    std::vector<WaitedFor> m_waitedFor;
};

} // namespace

std::vector<WaitedFor>
WaitedForByRank(const std::vector<const Timeline*>& timelines)
{
    Moment moment(timelines.size());
    std::int64_t beforePs = 0;
    for (const auto& change : ChangesOf(timelines))
    {
        if (change.atPs > beforePs)
        {
            moment.Last({beforePs, change.atPs});
            beforePs = change.atPs;
        }
        moment.Take(change);
    }
    return moment.TakeWaitedFor();
}

} // namespace inca
