/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TOPOLOGY_FOLD_H
#define INCA_TOPOLOGY_FOLD_H

#include "topology/aggregation-tree.h"
#include "topology/topology-plan.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace inca
{

/**
 * A part of a network that stands for all of it: where hosts do the same at the same time, one of them
 * is enough. Host h does what host h mod plan.HostCount() does.
 */
struct Fold
{
    TopologyPlan plan;                                ///< the part
    std::vector<std::uint32_t> switches;              ///< by switch of the whole: which of the part
    std::vector<std::optional<std::uint32_t>> trunks; ///< by trunk of the whole; empty: it is idle
    std::optional<AggregationTree> tree;              ///< of the part, where switches add
};

/** Everything stands for itself. */
Fold Unfolded(const TopologyPlan& whole);

/** The one switch of @p whole with the first @p hosts of its hosts. */
Fold FoldOneSwitch(const TopologyPlan& whole, std::uint32_t hosts);

/**
 * One way up the aggregation tree of hosts 0 .. @p members-1, all hosts of @p whole: one host, and one
 * switch of each level.
 * @return empty if switches of one level differ in what is below them
 */
std::optional<Fold> FoldTree(const TopologyPlan& whole, std::uint32_t members);

} // namespace inca

#endif // INCA_TOPOLOGY_FOLD_H
