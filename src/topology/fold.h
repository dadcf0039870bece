/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TOPOLOGY_FOLD_H
#define INCA_TOPOLOGY_FOLD_H

#include "inca/topology/aggregation-tree.h"
#include "inca/topology/topology-plan.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace inca
{

/** A part of a network that stands for all of it: where hosts do the same at the same time, one of them is enough. */
struct Fold
{
    TopologyPlan plan;                                ///< the part
    std::vector<std::uint32_t> hosts;                 ///< by host of the whole: which of the part
    std::vector<std::uint32_t> switches;              ///< by switch of the whole: which of the part
    std::vector<std::optional<std::uint32_t>> trunks; ///< by trunk of the whole; empty: it is idle
    std::optional<AggregationTree> tree;              ///< of the part, where switches add
};

/** Everything stands for itself. */
Fold Unfolded(const TopologyPlan& whole);

/**
 * The one switch of @p whole with @p hosts hosts: the h-th does what the (h mod @p hosts)-th does, hosts being taken in
 * turn from @p rows rows of equal length.
 */
Fold FoldOneSwitch(const TopologyPlan& whole, std::uint32_t hosts, std::uint32_t rows = 1);

/**
 * Of a network of two levels: the first switches with hosts, which have @p hosts hosts together, below all of the upper ones.
 * The others do what these do, host h what host h mod @p hosts does, if frames take the same ways: frames to a host go by the
 * same of the upper switches as those to host h mod @p hosts.
 * @return empty if the network is another one, or its switches are not alike in turn
 */
std::optional<Fold> FoldLeaves(const TopologyPlan& whole, std::uint32_t hosts);

/**
 * One host of one node, of a network of nodes around one switch, where each host has a NIC: it does what all do.
 * @return empty if the network is another one
 */
std::optional<Fold> FoldNodes(const TopologyPlan& whole);

/**
 * @param whole of the whole network
 * @return the same of the part that @p fold is: of what is there more than once, the first stands for the others
 */
AggregationTree Folded(const AggregationTree& whole, const Fold& fold);

/** How many hosts the first switch has. */
std::uint32_t HostsOfFirstSwitch(const TopologyPlan& whole);

/**
 * The aggregation tree of hosts 0 .. @p members-1, all hosts of @p whole, without what is there more than
 * once: of all children of a switch that have the same below them, the first stands for the others. Where
 * all switches of a level are equally full, that is one way up: one host, and one switch of each level.
 */
Fold FoldTree(const TopologyPlan& whole, std::uint32_t members);

} // namespace inca

#endif // INCA_TOPOLOGY_FOLD_H
