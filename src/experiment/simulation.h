/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_SIMULATION_H
#define INCA_EXPERIMENT_SIMULATION_H

#include "experiment/outcome.h"
#include "plan/plan.h"
#include "record/timeline-request.h"

#include <functional>

namespace inca
{

/** Called now and then with the share of the run's time that is over, 0..1, as it is known then: it may fall. */
using ProgressSink = std::function<void(double share)>;

/**
 * Builds the cluster of a plan, runs it and tears everything down again, so that the next run in this process finds nothing of
 * it. If a frame was dropped while some ranks stood for others, the run is done again with all of them.
 * @param timeline to be written; null: none
 * @throws InputError for what ns-3 refuses, or if all ranks take too long to simulate; RunError if the run
 *         stands still, or the disk does not take its timeline; InvariantError if values or conserved
 *         quantities do not add up; Interrupted
 */
Outcome Simulate(const Plan& plan,
                 const ProgressSink& onProgress,
                 const TimelineRequest* timeline = nullptr);

} // namespace inca

#endif // INCA_EXPERIMENT_SIMULATION_H
