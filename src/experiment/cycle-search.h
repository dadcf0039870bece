/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_CYCLE_SEARCH_H
#define INCA_EXPERIMENT_CYCLE_SEARCH_H

#include "inca/experiment/simulation.h"
#include "inca/plan/plan.h"
#include "inca/scenario/scenario.h"

namespace inca
{

/**
 * Makes the plan of a run. Where buckets are what workers have when a cycle begins (exchange.cycle_time), they depend on
 * when the ones before have ended. So the first iteration is simulated until its buckets are those that its own times give:
 * each simulation finds at least the next bucket, as a bucket changes nothing that was before it.
 *
 * All iterations have the buckets of the first one. That is exact where these take the same times. Where compute
 * times vary, a bucket of another iteration starts in the first cycle by which all workers have all of it.
 *
 * What the search takes is part of the plan's cost: all together it may take no more than simulation.max_cpu_time.
 *
 * @param onProgress told of the search only: it ends where the run begins
 * @throws InputError as MakePlan does, and what Simulate throws
 */
Plan MakePlanOfRun(const Scenario& scenario, const ProgressSink& onProgress);

} // namespace inca

#endif // INCA_EXPERIMENT_CYCLE_SEARCH_H
