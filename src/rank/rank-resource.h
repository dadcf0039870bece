/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RANK_RANK_RESOURCE_H
#define INCA_RANK_RANK_RESOURCE_H

#include "inca/base/path-log.h"
#include "inca/job/timeline.h"
#include "inca/rank/job-clock.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace inca
{

/** A piece of work of a rank, told when it is queued: its time is known then. */
struct ResourceWork
{
    Activity activity{Activity::FORWARD}; ///< what is done
    Span span;                            ///< from when to when, by the rank's clock
    std::optional<std::uint32_t> layer;   ///< whose it is; empty: not that of one layer
};

/** What work of a rank is on its timeline. */
Activity ActivityOf(PathKind kind);

/** Is told of each piece of work when it is queued. */
using ResourceWorkSink = std::function<void(const ResourceWork&)>;

/**
 * A part of a host that does one thing at a time, first come first served: its GPU, its adder, its
 * copy engine. What it does is written on the host's timeline.
 */
class RankResource
{
  public:
    /**
     * All of them outlive it.
     * @param timeline on which all work is written
     * @param clock of the rank
     * @param sink is told of all work; may be empty
     */
    RankResource(Timeline& timeline, JobClock& clock, const ResourceWorkSink& sink)
        : m_timeline(timeline),
          m_clock(clock),
          m_sink(sink)
    {
    }

    /**
     * Queues work behind what is queued already.
     * @param kind of a rank: what ActivityOf knows
     * @param durationPs at least 0
     * @param done called in an event of its own at the work's end
     * @param layer whose work it is, if that of one
     * @param ofStep as in JobClock::At
     * @param detail of work of no layer, for a critical path: of a codec's, 1 if it is of messages between groups
     */
    void Run(PathKind kind,
             std::int64_t durationPs,
             std::function<void()> done,
             std::optional<std::uint32_t> layer = std::nullopt,
             std::uint64_t ofStep = 0,
             std::uint32_t detail = 0);

    /** Shows how long it is busy with @p activity, which only steps queue while periods repeat. */
    void VisitState(StateVisitor& visitor, Activity activity);

    /** @return when all work that was queued so far ends, or has ended (ps) */
    std::int64_t BusyUntilPs() const;

  private:
    Timeline& m_timeline;           ///< of the rank
    JobClock& m_clock;              ///< of the rank
    const ResourceWorkSink& m_sink; ///< may be empty
    std::int64_t m_freeAtPs{0};     ///< all work that was queued has ended then
    PathEnd m_freePath;             ///< to that
};

} // namespace inca

#endif // INCA_RANK_RANK_RESOURCE_H
