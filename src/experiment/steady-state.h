/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_STEADY_STATE_H
#define INCA_EXPERIMENT_STEADY_STATE_H

#include "inca/base/state-visitor.h"
#include "inca/helper/cluster.h"
#include "inca/rank/rank-application.h"

#include "ns3/ptr.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

namespace inca
{

/**
 * Skips what a network does again and again.
 *
 * In a long message a sender, its link, the switch and the receiver soon do the same for each window of frames. So now and
 * then this class takes a *fingerprint* of the network: all state of senders, links, switches and pending events, each time
 * counted from now (base/state-visitor.h). It *compares* that with an earlier one. If both are equal, and the counters alone
 * have grown, the network is where it was one period ago, and what follows is that period again: nothing in it depends on
 * anything else. It then *skips*: as many periods as fit before a message ends or a rank does something are lived through
 * at once. Counters grow by so many times what they grew by in one, and the ranks' clocks go on while ns-3's stands still.
 * The results are those of a run without skips, to the picosecond.
 *
 * There are two kinds of periods (PeriodKind). In one of frames ranks do nothing. In one of steps they go through steps that
 * are alike, so that their exchanges are part of the fingerprint, and each message may be another one that is as far.
 *
 * When to look: one connection, or one worker's sums, is watched, and the network looked at when it goes on. The fingerprint
 * that later ones are compared with is replaced after 1, 2, 4, 8, ... turns (Brent's way to find a cycle of unknown length).
 * When a message has come, all begins anew with the connection that goes on first. For steps one channel of one rank is
 * watched, and looked at when it begins a step; such a fingerprint is replaced after 8 turns at most, as longer periods are rare,
 * and a step is long. Looks may cost only a share of the time of what was simulated and skipped so far.
 */
class SteadyState
{
  public:
    /**
     * @param cluster outlives it, and does nothing after it
     * @param ranks all of a job, the only one
     * @param messages how many whole messages have come to ranks so far
     */
    SteadyState(Cluster& cluster,
                std::vector<ns3::Ptr<RankApplication>> ranks,
                std::function<std::uint64_t()> messages);

    SteadyState(const SteadyState&) = delete; // trace sources know where it is
    SteadyState& operator=(const SteadyState&) = delete;

    /** Called after a skip: from when to when, on the ranks' clocks, and how many periods. (ps) */
    std::function<void(std::int64_t fromPs, std::int64_t untilPs, std::uint64_t times)> onSkip;

    /** Frames that links carried without being simulated. */
    std::uint64_t SkippedFrames() const
    {
        return m_skippedFrames;
    }

  private:
    /** A fingerprint. */
    struct Seen
    {
        NetworkState state;
        std::int64_t gapPs{0}; ///< since the watched connection went on before
    };

    /** How it looks for periods of one kind. */
    struct Watch
    {
        PeriodKind kind{PeriodKind::FRAMES};
        std::uint64_t mostTurns{0};   ///< after which the earlier fingerprint is replaced
        std::int64_t lastPs{0};       ///< what is watched went on
        std::int64_t idleUntilPs{0};  ///< a rank does something then: nothing is skipped before
        std::optional<Seen> before{}; ///< the earlier fingerprint
        std::uint64_t turns{0};       ///< since that
        std::uint64_t brentPower{1};  ///< turns after which it is replaced
        std::uint64_t uncompared{
            0}; ///< since the last that was compared: the next waits for as many turns

        /** What was seen before counts no more. */
        void Restart();
    };

    void OnProgress(std::uint32_t host, ns3::Mac48Address to);
    void OnSwitchSum(std::uint32_t host);
    void OnStep(const StepBegin& step);
    void OnTurn(Watch& watch);
    void CompareStates(Watch* watch, std::int64_t gapPs);
    bool IsTimeToCompare(Watch& watch, std::int64_t gapPs);
    bool MayCompare() const;
    void TakeFingerprint(PeriodKind kind, std::int64_t gapPs);
    void VisitState(StateVisitor& visitor);
    void VisitEvents(StateVisitor& visitor, const NetworkState& state);
    bool SkipRepetitions(Watch& watch);
    std::uint64_t TimesBefore(std::int64_t rankPs, std::int64_t periodPs) const;
    std::int64_t NextOfRanksPs(PeriodKind kind) const;
    std::unordered_set<std::uint64_t> EventsOfRanks(PeriodKind kind) const;
    std::uint64_t CarriedFrames() const;

    /** Of ranks, which all show the same. */
    const JobClock& Clock() const
    {
        return m_ranks.front()->GetClock();
    }

    Cluster& m_cluster;
    std::vector<ns3::Ptr<RankApplication>> m_ranks;
    std::function<std::uint64_t()> m_messages;

    /** The connection at whose pace it looks: its sender, its receiver. */
    std::optional<std::pair<std::uint32_t, ns3::Mac48Address>> m_watched;
    std::optional<StepBegin>
        m_watchedStep; ///< the rank, round and channel at whose pace it looks for steps
    std::uint64_t m_lastMessages{0};
    std::uint64_t m_steps{0}; ///< visited so far
    Seen m_now;
    std::int64_t m_latestPs{0}; ///< of what is pending in the network
    Watch m_ofFrames{PeriodKind::FRAMES, std::numeric_limits<std::uint64_t>::max()};
    Watch m_ofSteps{PeriodKind::STEPS, 8};
    std::uint64_t m_skippedFrames{0};
};

} // namespace inca

#endif // INCA_EXPERIMENT_STEADY_STATE_H
