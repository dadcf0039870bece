/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_COST_H
#define INCA_PLAN_COST_H

#include "inca/plan/plan.h"

namespace inca
{

/**
 * One formula: the simulated frames times the links that each crosses, the messages and the values, times one constant
 * each. Some ranks and some steps are counted, and stand for all.
 * @param plan with its job and fold
 */
Cost CostOf(const Plan& plan);

/**
 * @param plan with its cost
 * @throws InputError if that is more than simulation.max_cpu_time or simulation.max_memory; says what helps
 */
void RequireFeasible(const Plan& plan);

} // namespace inca

#endif // INCA_PLAN_COST_H
