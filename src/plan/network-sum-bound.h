/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_NETWORK_SUM_BOUND_H
#define INCA_PLAN_NETWORK_SUM_BOUND_H

#include "exchange/aggregation-scheme.h"
#include "plan/network-speed.h"
#include "plan/time-parts.h"
#include "scenario/scenario.h"

#include <cstdint>
#include <vector>

namespace inca
{

/** The least time that a worker needs for @p sums, both directions at once. */
TimeParts NetworkSumsOnWorker(const AggregationScheme& scheme,
                              const HostSettings& host,
                              std::uint64_t linkBitsPerSecond,
                              const NetworkSums& sums);

/** The least time that @p switches need for @p sums: what the slowest adder, or trunk, takes. */
TimeParts NetworkSumsOnSwitches(const AggregationScheme& scheme,
                                const std::vector<AddingSwitch>& switches,
                                const NetworkSums& sums);

} // namespace inca

#endif // INCA_PLAN_NETWORK_SUM_BOUND_H
