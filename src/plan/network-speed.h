/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_NETWORK_SPEED_H
#define INCA_PLAN_NETWORK_SPEED_H

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
};

/** What a job's hosts are plugged into. */
struct NetworkSpeed
{
    std::vector<std::uint64_t> linkBitsPerSecond; ///< by rank, both directions
    std::vector<std::uint32_t> switchOfHost;      ///< by rank
    std::vector<std::uint32_t> trunksOfSwitch;    ///< by switch: that begin or end there
    std::uint64_t trunkBitsPerSecond{0};          ///< of every trunk; 0: there is none
    std::int64_t linkLatencyPs{0};                ///< of one link or trunk, one way
    std::int64_t switchLatencyPs{0};              ///< of one switch, last bit in to output queue
    std::uint32_t levels{1}; ///< of switches that add, from a worker to the root; at most
    std::vector<std::uint32_t> levelsOfWorker; ///< the same of each; empty where no switch adds
    std::uint64_t farChildren{
        0}; ///< the most of a switch that are, or have, workers of the most levels
    std::vector<AddingSwitch> switches; ///< the root first; empty where no switch adds
    EngineSpeeds engines;
};

/** @param engines of every NIC */
NetworkSpeed SpeedOf(const Scenario& scenario,
                     const TopologyPlan& topology,
                     const EngineSpeeds& engines);

} // namespace inca

#endif // INCA_PLAN_NETWORK_SPEED_H
