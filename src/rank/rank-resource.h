/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RANK_RANK_RESOURCE_H
#define INCA_RANK_RANK_RESOURCE_H

#include "job/timeline.h"
#include "rank/job-clock.h"

#include <cstdint>
#include <functional>

namespace inca
{

/**
 * A part of a host that does one thing at a time, first come first served: its GPU, its adder, its
 * copy engine. What it does is written on the host's timeline.
 */
class RankResource
{
  public:
    /** @param timeline outlives it, as does @p clock */
    RankResource(Timeline& timeline, JobClock& clock)
        : m_timeline(timeline),
          m_clock(clock)
    {
    }

    /**
     * Queues work behind what is queued already.
     * @param durationPs at least 0
     * @param done called in an event of its own at the work's end
     */
    void Run(Activity activity, std::int64_t durationPs, std::function<void()> done);

    /** @return when all work that was queued so far ends, or has ended (ps) */
    std::int64_t BusyUntilPs() const;

  private:
    Timeline& m_timeline;
    JobClock& m_clock;
    std::int64_t m_freeAtPs{0};
};

} // namespace inca

#endif // INCA_RANK_RANK_RESOURCE_H
