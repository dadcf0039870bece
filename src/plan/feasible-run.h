/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_FEASIBLE_RUN_H
#define INCA_PLAN_FEASIBLE_RUN_H

#include "plan/run-estimate.h"

namespace inca
{

/**
 * @param fold of the run
 * @throws InputError if it takes more than simulation.max_cpu_time or simulation.max_memory; says what
 *         helps
 */
void RequireFeasible(const Scenario& scenario, const RunEstimate& estimate, const FoldChoice& fold);

} // namespace inca

#endif // INCA_PLAN_FEASIBLE_RUN_H
