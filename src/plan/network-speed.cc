/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/network-speed.h"

#include "base/units.h"
#include "base/wire-format.h"
#include "scenario/key-attributes.h"
#include "scenario/specs.h"
#include "topology/aggregation-tree.h"

#include <algorithm>
#include <limits>

namespace inca
{

namespace
{

/** At which a frame's payload moves as cluster.gpu_bandwidth says. */
std::uint64_t
GpuLinkRate(const Scenario& scenario)
{
    const auto payload = FramePayloadBytes(scenario);
    const auto wire = FrameWireBytes(HeaderBytes(scenario) + payload);
    const auto bytes = std::min<std::uint64_t>(scenario.cluster.gpuBytesPerSecond,
                                               std::numeric_limits<std::int64_t>::max() / 16);
    return static_cast<std::uint64_t>(MulDivCeil(8 * bytes, wire, payload));
}

std::vector<std::uint64_t>
NicRates(const ClusterSettings& cluster)
{
    std::vector<std::uint64_t> rates(cluster.workers, cluster.bitsPerSecond);
    for (const auto& worker : cluster.overrides)
    {
        rates[worker.index] = worker.bitsPerSecond.value_or(cluster.bitsPerSecond);
    }
    return rates;
}

std::vector<std::uint64_t>
LinkRates(const ClusterSettings& cluster, std::size_t ranks)
{
    const auto others = cluster.aggregatorBitsPerSecond.value_or(cluster.WorkerBitsPerSecond());
    std::vector<std::uint64_t> rates(ranks, others);
    std::fill_n(rates.begin(), cluster.workers, cluster.WorkerBitsPerSecond());
    for (const auto& worker : cluster.overrides)
    {
        rates[worker.index] = cluster.nics * worker.bitsPerSecond.value_or(cluster.bitsPerSecond);
    }
    return rates;
}

void
AddTree(const AggregationTree& tree, NetworkSpeed& speed)
{
    speed.levels = tree.Levels();
    for (const auto& node : tree.nodes)
    {
        speed.mostChildren = std::max<std::uint64_t>(speed.mostChildren, node.children.size());
    }
}

/** What an engine of a class takes at its input. */
std::uint64_t
EngineRate(const Scenario& scenario, const char* engineClass)
{
    const auto engine = EngineOf(scenario, engineClass);
    return engine.widthBits * engine.hertz;
}

/** From host to host and back, at most: up to where all can be reached, and down again. */
std::uint64_t
FramesOfRoundTrip(const Scenario& scenario,
                  const TopologyPlan& topology,
                  const NetworkSpeed& network)
{
    const auto frameBytes = FrameWireBytes(HeaderBytes(scenario) + FramePayloadBytes(scenario));
    const auto ackBytes = FrameWireBytes(HeaderBytes(scenario));
    const auto framesOf = [&](std::int64_t links, std::int64_t latencyPs, std::uint64_t rate) {
        const auto framePs = SerialisationPs(frameBytes, rate);
        const auto roundTripPs = links * (framePs + SerialisationPs(ackBytes, rate)) + latencyPs;
        return static_cast<std::uint64_t>((roundTripPs + framePs - 1) / framePs);
    };
    const std::int64_t switches =
        2 * std::int64_t{MakeAggregationTree(topology, topology.HostCount()).Levels()} - 1;
    const auto links = switches + 1;
    const auto inNodes = topology.nodeSize > 1 ? std::int64_t{2} : 0; // links, and switches
    const auto insidePs = 2 * inNodes * network.gpuLinkLatencyPs;
    const auto inside =
        inNodes > 0 ? framesOf(inNodes, insidePs, network.linkBitsPerSecond.front()) : 0;
    if (links == inNodes)
    {
        return inside;
    }
    const auto betweenPs = 2 * ((links - inNodes) * network.linkLatencyPs +
                                (switches - inNodes) * scenario.inSwitch.latencyPs);
    return std::max(inside, framesOf(links, betweenPs + insidePs, FastestLink(network)));
}

} // namespace

NetworkSpeed
SpeedOf(const Scenario& scenario,
        const TopologyPlan& topology,
        const std::vector<std::uint32_t>& hosts,
        bool hasEngines)
{
    const auto& cluster = scenario.cluster;
    NetworkSpeed speed;
    speed.linkLatencyPs = cluster.latencyPs;
    if (topology.nodeSize > 1)
    {
        speed.linkBitsPerSecond.assign(hosts.size(), GpuLinkRate(scenario));
        speed.gpuLinkLatencyPs = cluster.gpuLatencyPs / 2;
        speed.nicBitsPerSecond = NicRates(cluster);
    }
    else
    {
        speed.linkBitsPerSecond = LinkRates(cluster, hosts.size());
    }
    if (topology.trunks.size() > topology.NicCount())
    {
        speed.trunkBitsPerSecond = TrunkBitsPerSecond(scenario);
    }
    if (AddingExchange(scenario, false) != nullptr)
    {
        std::vector<std::uint32_t> members; // of the first of all trees
        const auto apart = SumScopeOf(scenario) == SumScope::RAILS ? topology.nodeSize : 1;
        for (Rank member = 0; member < AddedTogether(scenario, false); ++member)
        {
            members.push_back(hosts[member * apart]);
        }
        AddTree(MakeAggregationTree(topology, std::move(members)), speed);
    }
    if (hasEngines)
    {
        speed.compressionBitsPerSecond = EngineRate(scenario, "inca::CompressionEngine");
        speed.decompressionBitsPerSecond = EngineRate(scenario, "inca::DecompressionEngine");
    }
    return speed;
}

std::uint64_t
FastestLink(const NetworkSpeed& network)
{
    const auto& nics = network.nicBitsPerSecond;
    const auto& rates =
        nics.size() > 1 ? nics : network.linkBitsPerSecond; // of one node none is used
    return std::max(network.trunkBitsPerSecond, *std::max_element(rates.begin(), rates.end()));
}

std::uint64_t
WindowNeeded(const Scenario& scenario, const TopologyPlan& topology, const NetworkSpeed& network)
{
    constexpr std::uint32_t tcpAckEvery = 2;
    const auto& transport = scenario.transport;
    const auto perAck =
        IsOverTcp(scenario)
            ? tcpAckEvery
            : std::min(transport.ackEvery, transport.window.value_or(transport.ackEvery));
    return perAck + FramesOfRoundTrip(scenario, topology, network);
}

std::uint32_t
WindowOf(const Scenario& scenario, const TopologyPlan& topology, const NetworkSpeed& network)
{
    if (IsOverTcp(scenario))
    {
        const auto& transport = scenario.transport;
        const auto bytes =
            transport.sockets * std::min(transport.sendBytes, transport.receiveBytes);
        const auto segments = (bytes - 1) / FramePayloadBytes(scenario) + 1;
        return static_cast<std::uint32_t>(segments);
    }
    if (scenario.transport.window)
    {
        return *scenario.transport.window;
    }
    // acknowledgements wait in NICs behind what GPUs have sent faster
    const std::uint64_t least = topology.nodeSize > 1 ? 256 : 64;
    constexpr std::uint64_t most = 65'536;
    const auto frames = FramesOfRoundTrip(scenario, topology, network);
    const auto needed = WindowNeeded(scenario, topology, network);
    return static_cast<std::uint32_t>(std::clamp(std::max(2 * frames, needed), least, most));
}

SummingNetwork
SummingNetworkOf(const Scenario& scenario, const NetworkSpeed& network, bool inNodes)
{
    const auto& cluster = scenario.cluster;
    const auto rates = network.linkBitsPerSecond.begin();
    const bool isOnRails = !inNodes && SumScopeOf(scenario) == SumScope::RAILS;
    // A node's switch has neither latency nor full buffers.
    const bool inNode = inNodes || (NodeSize(scenario) > 1 && !isOnRails);
    auto slowest = *std::min_element(rates, rates + WorkerCount(scenario));
    if (isOnRails)
    {
        const auto& nics = network.nicBitsPerSecond;
        const std::uint64_t sharers = cluster.gpus / std::min(cluster.gpus, cluster.nics);
        slowest = std::min(slowest, *std::min_element(nics.begin(), nics.end()) / sharers);
    }
    return {slowest, // nobody is ahead of its worker
            inNode ? network.gpuLinkLatencyPs : cluster.latencyPs,
            inNode ? 0 : scenario.inSwitch.latencyPs,
            inNodes ? 1 : network.levels - (isOnRails ? 1 : 0), // the one inside passes on
            inNode ? std::numeric_limits<std::uint64_t>::max() : cluster.bufferBytes,
            inNodes ? NodeSize(scenario) : network.mostChildren};
}

} // namespace inca
