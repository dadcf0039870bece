/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TOPOLOGY_TOPOLOGY_PLAN_H
#define INCA_TOPOLOGY_TOPOLOGY_PLAN_H

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace inca
{

/** A switch of a plan. */
struct PlannedSwitch
{
    std::string name;      ///< "leaf 3": unique in its plan, as people and link names show it
    std::uint32_t tier{0}; ///< 0: the lowest
};

/** A cable between two switches, by their numbers in the plan. */
struct PlannedTrunk
{
    std::uint32_t lower{0};
    std::uint32_t upper{0};
    /** Whether frames for everybody take it: these trunks make a tree, so that nothing circles. */
    bool floods{true};
};

/**
 * Who is wired to whom: a graph without devices, rates or a clock. Host h has one link, to switch
 * hostSwitch[h]; the hosts of one switch are numbered consecutively.
 *
 * Routes go up and down again: a switch sends what is for a host below it down the trunks that lead
 * there, and everything else up any of its trunks; where several will do, a hash of the flow decides
 * (Switch). So every trunk's lower end reaches everything above it by its upper end, and every host
 * below a switch can be reached from it by going down only.
 */
struct TopologyPlan
{
    std::string name; ///< of the catalogue: "leaf-spine"
    std::vector<PlannedSwitch> switches;
    std::vector<std::uint32_t> hostSwitch; ///< by host
    std::vector<PlannedTrunk> trunks;
    std::uint32_t nodeSize{1}; ///< hosts that are GPUs of one node; 1: each is a node itself
    /**
     * Of several hosts each: the first switches are what is inside them, and the first trunks their NICs, as many of each. Frames
     * go by the NIC that their destination's number says (a rail).
     */
    std::uint32_t nodes{0};

    /** The first ones, in the order of nodes. */
    std::uint32_t NicCount() const
    {
        const auto isNic = [this](const PlannedTrunk& trunk) { return trunk.lower < nodes; };
        return static_cast<std::uint32_t>(std::count_if(trunks.begin(), trunks.end(), isNic));
    }

    std::uint32_t HostCount() const
    {
        return static_cast<std::uint32_t>(hostSwitch.size());
    }
};

/** What can be reached from a switch by going down: through which of its trunks, which hosts. */
struct DownRoute
{
    std::uint32_t host{0};
    std::vector<std::uint32_t> trunks; ///< numbers of the plan; any of them will do; ascending
};

/** By switch: every host below it that is not plugged into it, ascending. */
std::vector<std::vector<DownRoute>> DownRoutes(const TopologyPlan& plan);

/** By switch: among how many ways up to its tier the switches below it choose for a flow, each among its own trunks. */
std::vector<std::uint64_t> WaysUp(const TopologyPlan& plan);

} // namespace inca

#endif // INCA_TOPOLOGY_TOPOLOGY_PLAN_H
