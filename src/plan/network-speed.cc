/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/network-speed.h"

#include "scenario/resolve.h"
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

std::vector<AddingSwitch>
AddingSwitches(const AggregationTree& tree, std::uint64_t trunkBitsPerSecond)
{
    std::vector<AddingSwitch> switches;
    for (const auto& node : tree.nodes)
    {
        const auto workers = std::count_if(node.children.begin(),
                                           node.children.end(),
                                           [](const TreeChild& child) { return child.isHost; });
        switches.push_back({node.children.size(),
                            node.parent ? trunkBitsPerSecond : 0,
                            static_cast<std::uint64_t>(workers)});
    }
    for (auto node = tree.nodes.size(); node-- > 1;) // parents come before children
    {
        switches[*tree.nodes[node].parent].workers += switches[node].workers;
    }
    return switches;
}

/** Of each node, from 1: switches on the way to the root. */
std::vector<std::uint32_t>
DepthsOf(const AggregationTree& tree)
{
    std::vector<std::uint32_t> depths;
    for (const auto& node : tree.nodes)
    {
        depths.push_back(node.parent ? depths[*node.parent] + 1 : 1);
    }
    return depths;
}

std::vector<std::uint32_t>
LevelsOfWorkers(const AggregationTree& tree, std::uint32_t workers)
{
    const auto depths = DepthsOf(tree);
    std::vector<std::uint32_t> levels(workers, 0);
    for (std::size_t node = 0; node < tree.nodes.size(); ++node)
    {
        for (const auto& child : tree.nodes[node].children)
        {
            if (child.isHost)
            {
                levels[child.number] = depths[node];
            }
        }
    }
    return levels;
}

std::uint64_t
FarChildren(const AggregationTree& tree)
{
    const auto depths = DepthsOf(tree);
    const auto levels = tree.Levels();
    std::vector<std::uint64_t> far(tree.nodes.size(), 0);
    for (auto node = tree.nodes.size(); node-- > 0;) // parents come before children
    {
        for (const auto& child : tree.nodes[node].children)
        {
            const bool isFar = child.isHost ? depths[node] == levels : far[child.number] > 0;
            far[node] += isFar ? 1 : 0;
        }
    }
    return *std::max_element(far.begin(), far.end());
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
    speed.linkLatencyPs = cluster.latencyPs;
    speed.switchLatencyPs = scenario.inSwitch.latencyPs;
    if (!topology.trunks.empty())
    {
        speed.trunkBitsPerSecond = cluster.trunkBitsPerSecond.value_or(cluster.bitsPerSecond);
    }
    if (ReducesInNetwork(scenario))
    {
        const auto tree = MakeAggregationTree(topology, cluster.workers);
        speed.switches = AddingSwitches(tree, speed.trunkBitsPerSecond);
        speed.levels = tree.Levels();
        speed.levelsOfWorker = LevelsOfWorkers(tree, cluster.workers);
        speed.farChildren = FarChildren(tree);
    }
    speed.engines = engines;
    return speed;
}

} // namespace inca
