/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_NETWORK_SPEED_H
#define INCA_PLAN_NETWORK_SPEED_H

#include "exchange/aggregation-scheme.h"
#include "scenario/scenario.h"
#include "topology/topology-plan.h"

#include <cstdint>
#include <vector>

namespace inca
{

/** An engine of a NIC; width 0: there is none. */
struct EngineSpeed
{
    std::uint64_t widthBits{0};
    std::uint64_t hertz{0};
};

/** A NIC's engines; by default there are none. */
struct EngineSpeeds
{
    EngineSpeed compression;
    EngineSpeed decompression;
};

/** What a resolved scenario's NICs have that have engines. */
EngineSpeeds EnginesOf(const Scenario& scenario);

/** A switch that adds, in its aggregation tree. */
struct AddingSwitch
{
    std::uint64_t children{0};           ///< workers or switches below it
    std::uint64_t trunkBitsPerSecond{0}; ///< to the switch above; 0: there is none
    std::uint64_t workers{0};            ///< below it, however far
    std::uint32_t levels{1};             ///< switches from it to the root, both counted
};

/** What a job's hosts are plugged into. */
struct NetworkSpeed
{
    std::vector<std::uint64_t> linkBitsPerSecond; ///< by rank, both directions
    std::vector<std::uint32_t> switchOfHost;      ///< by rank
    std::vector<std::uint32_t> trunksOfSwitch;    ///< by switch: that begin or end there
    std::uint64_t trunkBitsPerSecond{0};          ///< of every trunk; 0: there is none
    std::int64_t latencyPs{
        0}; ///< from a host to another on the same switch, without the wires' rates
    std::vector<AddingSwitch> switches; ///< the root first; empty where no switch adds
    std::uint32_t levels{1};       ///< of switches that add, from a worker to the root; at most
    std::uint32_t fewestLevels{1}; ///< the same of the worker that is nearest to the root
    EngineSpeeds engines;
};

/** @param engines of every NIC */
NetworkSpeed SpeedOf(const Scenario& scenario,
                     const TopologyPlan& topology,
                     const EngineSpeeds& engines);

/** The same as an aggregation scheme takes it. */
SummingNetwork SummingNetworkOf(const Scenario& scenario, const NetworkSpeed& network);

} // namespace inca

#endif // INCA_PLAN_NETWORK_SPEED_H
