/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/summing-network.h"

#include "topology/aggregation-tree.h"

#include <algorithm>

namespace inca
{

namespace
{

/** Of the workers: nobody is ahead of its worker. */
std::uint64_t
SlowestLink(const NetworkSpeed& network, Rank workers)
{
    const auto rates = network.linkBitsPerSecond.begin();
    return *std::min_element(rates, rates + workers);
}

} // namespace

SummingNetwork
SummingNetworkOf(const Scenario& scenario,
                 const TopologyPlan& topology,
                 const NetworkSpeed& network)
{
    const auto& cluster = scenario.cluster;
    return {SlowestLink(network, cluster.workers),
            cluster.latencyPs,
            scenario.inSwitch.latencyPs,
            MakeAggregationTree(topology, cluster.workers).Levels(),
            cluster.bufferBytes};
}

} // namespace inca
