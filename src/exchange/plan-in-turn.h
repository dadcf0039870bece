/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_PLAN_IN_TURN_H
#define INCA_EXCHANGE_PLAN_IN_TURN_H

#include "exchange/step-plan.h"

#include <memory>

namespace inca
{

/**
 * The same plan, but that its ranks are numbered in turn (InTurn): the first of every row, then the second
 * of every row, ... So who stand for all are its first ranks, and not only workers.
 * @param plan of one channel
 * @param rows that divide its ranks
 */
std::shared_ptr<const StepPlan> PlanInTurn(std::shared_ptr<const StepPlan> plan, Rank rows);

} // namespace inca

#endif // INCA_EXCHANGE_PLAN_IN_TURN_H
