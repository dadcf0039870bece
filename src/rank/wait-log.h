/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RANK_WAIT_LOG_H
#define INCA_RANK_WAIT_LOG_H

#include "exchange/step-plan.h"
#include "job/timeline.h"
#include "rank/job-clock.h"

#include <cstdint>
#include <optional>

namespace inca
{

/** Whom a rank waits for in a round, from when to when, on its timeline. */
class WaitLog
{
  public:
    /** @param timeline outlives it, as does @p clock */
    WaitLog(Timeline& timeline, const JobClock& clock)
        : m_timeline(timeline),
          m_clock(clock)
    {
    }

    /** From now on the rank waits for @p peer, or for nobody. */
    void Note(std::optional<Rank> peer);

  private:
    Timeline& m_timeline;
    const JobClock& m_clock;
    std::optional<Rank> m_peer;
    std::int64_t m_sincePs{0};
};

} // namespace inca

#endif // INCA_RANK_WAIT_LOG_H
