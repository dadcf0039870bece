/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_CLOCKLESS_REPLAY_H
#define INCA_JOB_CLOCKLESS_REPLAY_H

#include "inca/exchange/step-plan.h"
#include "inca/job/coded-sizes.h"
#include "inca/job/rank-values.h"
#include "inca/job/worker-gradient.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace inca
{

/** Is told what a rank sends, before the network does anything to it: a part of the message @p transfer. */
using SendSeen = std::function<void(
    const PlannedSend& send, const Transfer& transfer, ElementRange part, const Word* words)>;

/** What the network does to a message of values, in place: decode(encode(.)) where coded. */
using Wire =
    std::function<void(Rank from, const Transfer& transfer, float* values, std::uint64_t count)>;

/**
 * The second opinion on a simulated exchange: all ranks of a plan executed without a clock, with
 * queues between them that are never full.
 *
 * It works in windows. Every element travels and is added by itself, whatever message it is in, so
 * a window's words are those of the whole exchange as long as the hooks and the wire work on each
 * value for itself, and as long as a window has all of a message, or none, that its receiver puts elsewhere than its
 * sender had it (Transfer::shift). A step that the network adds waits until all workers are at it; the hook makes
 * the sum, block by block, so a window holds whole blocks of it (the last may be short), and where
 * workers have parts of their own (Step::phase), those of each part. Memory is
 * ranks x window, plus the messages under way, clipped to the window; it is the same for all windows. Beside it,
 * of each step what it touches is remembered, 16 bytes, so that later windows pass over those that do not touch them.
 */
class ClocklessReplay
{
  public:
    /**
     * @param plan outlives the replay
     * @param wire empty: words arrive as they were sent
     * @param seen may be empty
     */
    ClocklessReplay(const StepPlan& plan,
                    WorkerWords own,
                    ValueHooks hooks,
                    Wire wire = {},
                    SendSeen seen = {});

    ClocklessReplay(const ClocklessReplay&) = delete; // its ranks ask it for its own words
    ClocklessReplay& operator=(const ClocklessReplay&) = delete;
    ~ClocklessReplay() = default;

    /**
     * Goes through a window.
     * @param window elements of the exchange
     * @throws InvariantError if the plan gets stuck (it says who waits for whom), if it has the
     *         network add and no hook says how, or if the window cuts a block of that
     */
    void Run(ElementRange window);

    /** Of the ranks that may go on, the last that became so goes first, as if its messages came early. */
    bool lastReadyFirst{false};

    Rank WorkerCount() const
    {
        return m_plan.WorkerCount();
    }

    /** Values of all windows so far that did not fit the scale by which the network adds. */
    std::uint64_t Misfits() const
    {
        return m_misfits;
    }

    /** What a rank has at the end of the last window; until the next one. */
    RankValues& ValuesOf(Rank rank) const
    {
        return *m_ranks[rank].values;
    }

    /** The same of workers. */
    WorkerValues Values() const
    {
        return [this](Rank worker) -> RankValues& { return ValuesOf(worker); };
    }

  private:
    /** One rank under way. */
    struct RankState
    {
        std::unique_ptr<RankValues> values;
        std::uint32_t steps{0};
        std::uint32_t next{0}; ///< the step that it is at, or will be
        Step step{};           ///< that step, once it has begun
        bool begun{false};     ///< its sends have left
        bool summed{false};    ///< the network's sum for that step is here
        std::map<Rank, std::deque<std::vector<Word>>>
            inbox{};                         ///< by sender, in the order of sending
        std::vector<ElementRange> touched{}; ///< by step, as far as it has come in any window
        std::vector<ElementRange> touchedByGroup{}; ///< by GROUP_STEPS of those
    };

    static constexpr std::uint32_t GROUP_STEPS{64}; ///< looked at together: few are of a window

    void Restart(ElementRange window);
    void Advance(Rank rank);
    std::uint32_t StepsElsewhere(const RankState& state) const;
    void Begin(Rank rank, RankState& state);
    static void Touch(RankState& state);
    bool LacksSum(const RankState& state) const;
    std::vector<Rank> SummedBy(const Step& step) const;
    void MakeSum(const std::vector<Rank>& members);
    void ShareOut(Rank owner, const std::vector<Rank>& members, const Step& step);
    std::vector<Word> Added(const Step& step, ElementRange range, const std::vector<Rank>& members);
    void RequireWholeBlocks(const NetworkReduction& network, ElementRange range) const;
    void RequireSameSum(Rank worker, Rank first) const;
    std::vector<Word> Sent(const PlannedSend& place, const RankState& state, ElementRange range);
    void Deliver(Rank from, const Transfer& send, std::vector<Word> words);
    const Transfer* FirstMissing(const RankState& state) const;
    void Finish(RankState& state);
    std::vector<Word> Take(RankState& state, const Transfer& receive) const;
    void RequireFinished(Rank rank) const;

    const StepPlan& m_plan;
    WorkerWords m_own;
    ValueHooks m_hooks;
    Wire m_wire;
    SendSeen m_seen;
    ElementRange m_window;
    /** Workers at a step that the network adds, by those whose values it adds (Step::among). */
    std::map<const std::vector<Rank>*, std::size_t> m_summing;
    std::uint64_t m_misfits{0};
    std::vector<RankState> m_ranks;
    std::deque<Rank> m_ready; ///< ranks that may be able to go on
};

} // namespace inca

#endif // INCA_JOB_CLOCKLESS_REPLAY_H
