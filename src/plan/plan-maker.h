/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_PLAN_MAKER_H
#define INCA_PLAN_PLAN_MAKER_H

#include "plan/plan.h"
#include "scenario/scenario.h"

#include <string>

namespace inca
{

/**
 * Resolves a scenario, reads its trace and plans the run.
 * @throws InputError if attributes contradict keys, the trace cannot be read or cannot answer what the
 *         scenario needs, the topology cannot be built, or the run takes more than it may
 *         (RequireFeasible), or is too long to be counted
 */
Plan MakePlan(const Scenario& scenario);

/**
 * What it takes to simulate @p scenario, without the rest of its plan.
 * @throws InputError as MakePlan, where that knows before the bound
 */
Cost CostOf(const Scenario& scenario);

/** @return @p plan, of which all ranks are simulated. @param why for people @throws InputError if that takes too long */
Plan WithoutFold(Plan plan, std::string why);

} // namespace inca

#endif // INCA_PLAN_PLAN_MAKER_H
