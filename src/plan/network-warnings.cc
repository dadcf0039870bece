/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/network-warnings.h"

#include "base/units.h"
#include "base/wire-format.h"
#include "plan/sum-cost.h"
#include "plan/summing-network.h"
#include "scenario/specs.h"
#include "topology/aggregation-tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

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

SummingNetwork
NetworkOf(const Plan& plan)
{
    return SummingNetworkOf(plan.scenario, plan.topology, plan.network);
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

std::optional<std::uint64_t>
SlotsNeeded(const Plan& plan)
{
    const auto sums = ReductionsOf(*plan.Job().prepared.job);
    return sums.empty() ? std::nullopt
                        : MakeScheme(plan.scenario)->SlotsNeeded(NetworkOf(plan), sums);
}

void
WarnOfSums(const Plan& plan, Warnings& warnings)
{
    const auto sums = ReductionsOf(*plan.Job().prepared.job);
    for (auto& text : MakeScheme(plan.scenario)->WarningsFor(NetworkOf(plan), sums))
    {
        warnings.push_back({WarningTopic::NETWORK, std::move(text)});
    }
}

} // namespace inca
