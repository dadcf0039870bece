/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_SUMMING_NETWORK_H
#define INCA_PLAN_SUMMING_NETWORK_H

#include "exchange/aggregation-scheme.h"
#include "plan/network-speed.h"
#include "scenario/scenario.h"
#include "topology/topology-plan.h"

namespace inca
{

/** The network of @p scenario as its switches' aggregation scheme asks for it. */
SummingNetwork SummingNetworkOf(const Scenario& scenario,
                                const TopologyPlan& topology,
                                const NetworkSpeed& network);

} // namespace inca

#endif // INCA_PLAN_SUMMING_NETWORK_H
