/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TOPOLOGY_AGGREGATION_TREE_H
#define INCA_TOPOLOGY_AGGREGATION_TREE_H

#include "inca/topology/topology-plan.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace inca
{

/** Who contributes to a switch of the tree: a host, or the switch of a lower node. */
struct TreeChild
{
    bool isHost{true};
    std::uint32_t number{0};            ///< of the host, or of the node in the tree
    std::optional<std::uint32_t> trunk; ///< from a lower node's switch; empty: a host's link
    std::uint32_t times{1};             ///< equal children that it stands for (topology/fold.h)
};

/** A switch that adds. */
struct TreeNode
{
    std::uint32_t switchNumber{0};       ///< in the plan
    std::vector<TreeChild> children;     ///< hosts first, then nodes, each ascending; never empty
    std::optional<std::uint32_t> parent; ///< a node; empty: the root
    std::uint32_t childNumber{0};        ///< which of its parent's children this is
};

/**
 * Which switches add for which hosts: the root first, parents before children. Every member is the
 * child of exactly one node, that of the switch into which it is plugged.
 */
struct AggregationTree
{
    std::vector<TreeNode> nodes;

    /** Switches on the way from a host to the root, the root included; at most. */
    std::uint32_t Levels() const;
};

/**
 * The lowest switch from which all members can be reached by going down is the root, the first of
 * several; below it, trunks with the lowest numbers are taken, but to a node the NIC of the member.
 * @param members different hosts of the plan, at least one, in any order
 * @param turn of several such roots, and trunks, the one that is taken by so many further
 * @throws InvariantError if no switch reaches them all
 */
AggregationTree MakeAggregationTree(const TopologyPlan& plan,
                                    std::vector<std::uint32_t> members,
                                    std::uint32_t turn = 0);

/** The same of hosts 0 .. @p members-1. */
AggregationTree MakeAggregationTree(const TopologyPlan& plan, std::uint32_t members);

} // namespace inca

#endif // INCA_TOPOLOGY_AGGREGATION_TREE_H
