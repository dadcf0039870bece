/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/network-speed.h"

#include "scenario/key-attributes.h"
#include "scenario/specs.h"
#include "topology/aggregation-tree.h"

#include <algorithm>

namespace inca
{

namespace
{

std::vector<std::uint64_t>
LinkRates(const ClusterSettings& cluster, std::uint32_t hosts)
{
    const auto others = cluster.aggregatorBitsPerSecond.value_or(cluster.bitsPerSecond);
    std::vector<std::uint64_t> rates(hosts, others);
    std::fill_n(rates.begin(), cluster.workers, cluster.bitsPerSecond);
    for (const auto& worker : cluster.overrides)
    {
        rates[worker.index] = worker.bitsPerSecond.value_or(cluster.bitsPerSecond);
    }
    return rates;
}

std::vector<std::uint32_t>
TrunksOfSwitches(const TopologyPlan& topology)
{
    std::vector<std::uint32_t> trunks(topology.switches.size(), 0);
    for (const auto& trunk : topology.trunks)
    {
        ++trunks[trunk.lower];
        ++trunks[trunk.upper];
    }
    return trunks;
}

void
AddSwitches(const AggregationTree& tree, NetworkSpeed& speed)
{
    auto& switches = speed.switches;
    speed.levels = tree.Levels();
    speed.fewestLevels = speed.levels;
    for (const auto& node : tree.nodes) // parents come before children
    {
        const auto workers = std::count_if(node.children.begin(),
                                           node.children.end(),
                                           [](const TreeChild& child) { return child.isHost; });
        const auto levels = node.parent ? switches[*node.parent].levels + 1 : 1;
        switches.push_back({node.children.size(),
                            node.parent ? speed.trunkBitsPerSecond : 0,
                            static_cast<std::uint64_t>(workers),
                            levels});
        speed.fewestLevels =
            workers > 0 ? std::min(speed.fewestLevels, levels) : speed.fewestLevels;
    }
    for (auto node = tree.nodes.size(); node-- > 1;)
    {
        switches[*tree.nodes[node].parent].workers += switches[node].workers;
    }
}

EngineSpeed
SpeedOf(const EngineSettings& engine)
{
    return {engine.widthBits, engine.hertz};
}

} // namespace

EngineSpeeds
EnginesOf(const Scenario& scenario)
{
    return {SpeedOf(EngineOf(scenario, "inca::CompressionEngine")),
            SpeedOf(EngineOf(scenario, "inca::DecompressionEngine"))};
}

NetworkSpeed
SpeedOf(const Scenario& scenario, const TopologyPlan& topology, const EngineSpeeds& engines)
{
    const auto& cluster = scenario.cluster;
    NetworkSpeed speed;
    speed.linkBitsPerSecond = LinkRates(cluster, topology.HostCount());
    speed.switchOfHost = topology.hostSwitch;
    speed.trunksOfSwitch = TrunksOfSwitches(topology);
    speed.latencyPs = 2 * cluster.latencyPs + scenario.inSwitch.latencyPs;
    if (!topology.trunks.empty())
    {
        speed.trunkBitsPerSecond = cluster.trunkBitsPerSecond.value_or(cluster.bitsPerSecond);
    }
    if (ReducesInNetwork(scenario))
    {
        AddSwitches(MakeAggregationTree(topology, cluster.workers), speed);
    }
    speed.engines = engines;
    return speed;
}

SummingNetwork
SummingNetworkOf(const Scenario& scenario, const NetworkSpeed& network)
{
    const auto& cluster = scenario.cluster;
    const auto rates = network.linkBitsPerSecond.begin();
    return {*std::min_element(rates, rates + cluster.workers), // nobody is ahead of its worker
            cluster.latencyPs,
            scenario.inSwitch.latencyPs,
            network.levels,
            cluster.bufferBytes};
}

} // namespace inca
