/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_RANK_THROUGHPUT_H
#define INCA_PLAN_RANK_THROUGHPUT_H

#include "job/training-job.h"
#include "plan/limited-time.h"
#include "plan/network-speed.h"
#include "plan/rank-work.h"
#include "scenario/scenario.h"

namespace inca
{

/** How long the busiest of a rank's parts works for all exchanges of an iteration, without a pause. */
struct RankThroughput
{
    LimitedTime sending; ///< host, engine or link
    LimitedTime taking;  ///< link, engine or host
    LimitedTime working; ///< the codec, the adder, or an aggregator's updates
};

/** Without the sums that switches make. */
RankThroughput ThroughputOf(const Scenario& scenario,
                            const TrainingJob& job,
                            const NetworkSpeed& network,
                            Rank rank);

} // namespace inca

#endif // INCA_PLAN_RANK_THROUGHPUT_H
