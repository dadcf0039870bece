/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_NETWORK_SUM_BOUND_H
#define INCA_PLAN_NETWORK_SUM_BOUND_H

#include "plan/network-speed.h"
#include "plan/rank-work.h"
#include "plan/time-parts.h"
#include "scenario/scenario.h"

#include <cstdint>
#include <vector>

namespace inca
{

/** Whether packets tell the exponents of later ones, so that some without values go ahead. */
bool HasExponents(const Scenario& scenario);

/** Bytes on the wire that a worker sends, and gets, for all of @p sums: whole frames. */
std::uint64_t NetworkSumBytes(const Scenario& scenario, const NetworkSums& sums);

/** The least time that a worker needs for @p sums, both directions at once. */
TimeParts NetworkSumsOnWorker(const Scenario& scenario,
                              std::uint64_t linkBitsPerSecond,
                              const NetworkSums& sums);

/** The least time that @p switches need for @p sums: what the slowest adder, or trunk, takes. */
TimeParts NetworkSumsOnSwitches(const Scenario& scenario,
                                const std::vector<AddingSwitch>& switches,
                                const NetworkSums& sums);

} // namespace inca

#endif // INCA_PLAN_NETWORK_SUM_BOUND_H
