/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_SUM_ORDER_H
#define INCA_PLAN_SUM_ORDER_H

#include "scenario/scenario.h"

#include <string>

namespace inca
{

/** Whether sums depend on the order in which packets arrive. */
struct SumOrder
{
    bool matters{false};
    std::string reason; ///< for people: "switches add integers, which gives the same in any order"
};

/**
 * Hosts add in the order of their plan, whatever comes first: a message that is early waits. Switches add packets as they
 * arrive, which matters where each addition is rounded (NetworkReduction::isExact) and there are more than two operands:
 * a + b is b + a.
 */
SumOrder SumOrderOf(const Scenario& scenario);

} // namespace inca

#endif // INCA_PLAN_SUM_ORDER_H
