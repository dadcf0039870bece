/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/network-warnings.h"

#include "base/units.h"
#include "base/wire-format.h"
#include "topology/aggregation-tree.h"

#include <fmt/format.h>

#include <algorithm>

namespace inca
{

namespace
{

std::uint64_t
FastestLink(const NetworkSpeed& network)
{
    const auto& rates = network.linkBitsPerSecond;
    return std::max(network.trunkBitsPerSecond, *std::max_element(rates.begin(), rates.end()));
}

/** Of the workers: nobody is ahead of its worker. */
std::uint64_t
SlowestLink(const Plan& plan)
{
    const auto rates = plan.network.linkBitsPerSecond.begin();
    return *std::min_element(rates, rates + plan.scenario.cluster.workers);
}

/** Links from host to host, at most: up to where all can be reached, and down again. */
std::int64_t
LongestWay(const TopologyPlan& topology)
{
    return 2 * std::int64_t{MakeAggregationTree(topology, topology.HostCount()).Levels()};
}

/** The frames that a sender needs in flight: the round trip, and those that one acknowledgement waits for. */
std::int64_t
WindowNeeded(const Plan& plan, std::uint64_t bitsPerSecond)
{
    const auto& cluster = plan.scenario.cluster;
    const auto& transport = plan.scenario.transport;
    const auto payloadBytes = MaxPayloadBytes(cluster.mtu);
    const auto framePs =
        SerialisationPs(FrameWireBytes(INCA_HEADER_BYTES + payloadBytes), bitsPerSecond);
    const auto ackPs = SerialisationPs(FrameWireBytes(INCA_HEADER_BYTES), bitsPerSecond);
    const auto roundTripPs = LongestWay(plan.topology) * (2 * cluster.latencyPs + framePs + ackPs);
    const auto perAck = std::min(transport.ackEvery, transport.window);
    return perAck + (roundTripPs + framePs - 1) / framePs;
}

std::uint64_t
FrameBytes(const SwitchSettings& settings)
{
    return FrameWireBytes(AGGREGATION_HEADER_BYTES + VALUE_BYTES * settings.valuesPerPacket);
}

/** The slots that are in use when a link is never idle: those of a round trip to the root. */
std::int64_t
SlotsNeeded(const Plan& plan)
{
    const auto& settings = plan.scenario.inSwitch;
    const auto& cluster = plan.scenario.cluster;
    const auto framePs = SerialisationPs(FrameBytes(settings), SlowestLink(plan));
    const std::int64_t levels{MakeAggregationTree(plan.topology, cluster.workers).Levels()};
    const auto linksPs = 2 * levels * (cluster.latencyPs + framePs);
    const auto roundTripPs = linksPs + (2 * levels - 1) * settings.latencyPs;
    return (roundTripPs + framePs - 1) / framePs;
}

void
WarnOfFewSlots(const Plan& plan, Warnings& warnings)
{
    const auto slots = plan.scenario.inSwitch.slots;
    const auto needed = SlotsNeeded(plan);
    if (needed > slots)
    {
        warnings.push_back(
            {WarningTopic::NETWORK,
             fmt::format("switch.slots: {} slots cannot fill a link of {} over this latency; it "
                         "takes about {}",
                         slots,
                         FormatBitsPerSecond(SlowestLink(plan)),
                         needed)});
    }
}

void
WarnOfBuffer(const Scenario& scenario, Warnings& warnings)
{
    const auto bytes = FrameBytes(scenario.inSwitch) * scenario.inSwitch.slots;
    if (scenario.cluster.bufferBytes < bytes)
    {
        warnings.push_back({WarningTopic::NETWORK,
                            fmt::format("cluster.buffer: {} hold less than the {} that a worker's "
                                        "slots may have on their way: packets may be dropped",
                                        FormatBytes(scenario.cluster.bufferBytes),
                                        HumanBytes(bytes))});
    }
}

} // namespace

void
WarnOfWindow(const Plan& plan, Warnings& warnings)
{
    const auto window = plan.scenario.transport.window;
    const auto fastest = FastestLink(plan.network);
    const auto needed = WindowNeeded(plan, fastest);
    if (needed > window)
    {
        warnings.push_back(
            {WarningTopic::NETWORK,
             fmt::format("transport.window: {} frames cannot fill a link of {} over this "
                         "latency; it takes about {}",
                         window,
                         FormatBitsPerSecond(fastest),
                         needed)});
    }
}

void
WarnOfSlots(const Plan& plan, Warnings& warnings)
{
    WarnOfFewSlots(plan, warnings);
    WarnOfBuffer(plan.scenario, warnings);
}

} // namespace inca
