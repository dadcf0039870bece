/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_TRUNK_THROUGHPUT_H
#define INCA_PLAN_TRUNK_THROUGHPUT_H

#include "job/training-job.h"
#include "plan/limited-time.h"
#include "plan/network-speed.h"
#include "scenario/scenario.h"

namespace inca
{

/**
 * How long the trunks of a switch work for what its hosts send to others, and get from them, in all exchanges
 * of an iteration, without a pause and evenly: of the switch of which that is longest. Without the sums
 * that switches make; none without trunks.
 */
LimitedTime TrunkThroughput(const Scenario& scenario,
                            const TrainingJob& job,
                            const NetworkSpeed& network);

} // namespace inca

#endif // INCA_PLAN_TRUNK_THROUGHPUT_H
