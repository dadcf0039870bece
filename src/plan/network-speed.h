/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_NETWORK_SPEED_H
#define INCA_PLAN_NETWORK_SPEED_H

#include "inca/exchange/aggregation-scheme.h"
#include "inca/scenario/scenario.h"
#include "inca/topology/topology-plan.h"

#include <cstdint>
#include <vector>

namespace inca
{

/** What a job's hosts are plugged into. */
struct NetworkSpeed
{
    std::vector<std::uint64_t> linkBitsPerSecond; ///< by rank, both directions
    std::vector<std::uint64_t> nicBitsPerSecond;  ///< by node, of each NIC; none: hosts are nodes
    std::uint64_t trunkBitsPerSecond{0};          ///< of every other trunk; 0: there is none
    std::int64_t linkLatencyPs{0};                ///< of links between nodes, one way
    std::int64_t gpuLinkLatencyPs{0}; ///< of links of GPUs to the switch inside their node
    std::uint64_t mostChildren{0};    ///< of a switch that adds, none inside a node; 0: none does
    std::uint32_t levels{1};          ///< of these, from a worker to the root; at most
    std::uint64_t compressionBitsPerSecond{0};   ///< of a NIC's engine; 0: there is none
    std::uint64_t decompressionBitsPerSecond{0}; ///< likewise

    bool HasLinkWithoutLatency() const
    {
        return linkLatencyPs == 0 || (!nicBitsPerSecond.empty() && gpuLinkLatencyPs == 0);
    }
};

/** @param hosts by rank @param hasEngines whether NICs have those of the scenario */
NetworkSpeed SpeedOf(const Scenario& scenario,
                     const TopologyPlan& topology,
                     const std::vector<std::uint32_t>& hosts,
                     bool hasEngines);

/**
 * How many frames in flight fill the fastest link over the longest path: those of a round trip, and those that one
 * acknowledgement waits for.
 */
std::uint64_t WindowNeeded(const Scenario& scenario,
                           const TopologyPlan& topology,
                           const NetworkSpeed& network);

/**
 * transport.window, or, where it is "auto", the frames of two such round trips, and at least 64, or 256 where hosts are GPUs of nodes. Over TCP the segments that the
 * smaller buffer holds, a part of one counting as one.
 */
std::uint32_t WindowOf(const Scenario& scenario,
                       const TopologyPlan& topology,
                       const NetworkSpeed& network);

/** The fastest link between nodes; or of GPUs, if there is one node. (bits per second) */
std::uint64_t FastestLink(const NetworkSpeed& network);

/** The same as an aggregation scheme takes it, that of switches inside nodes or of the others. */
SummingNetwork SummingNetworkOf(const Scenario& scenario,
                                const NetworkSpeed& network,
                                bool inNodes);

} // namespace inca

#endif // INCA_PLAN_NETWORK_SPEED_H
