/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_SIMULATION_H
#define INCA_EXPERIMENT_SIMULATION_H

#include "experiment/outcome.h"
#include "record/timeline-request.h"
#include "scenario/scenario.h"

#include <functional>

namespace inca
{

/** Called now and then with the share of the run's time that is over, 0..1, as it is known then: it may fall. */
using ProgressSink = std::function<void(double share)>;

/**
 * Plans a scenario, builds its cluster, runs it and tears everything down again, so that the next run in
 * this process finds nothing of it.
 * @param timeline to be written; null: none
 * @throws InputError for what the scenario asks and its trace or ns-3 refuses; RunError if the run
 *         stands still, or the disk does not take its timeline; InvariantError if values or conserved
 *         quantities do not add up; Interrupted
 */
Outcome Simulate(const Scenario& scenario,
                 const ProgressSink& onProgress,
                 const TimelineRequest* timeline = nullptr);

} // namespace inca

#endif // INCA_EXPERIMENT_SIMULATION_H
