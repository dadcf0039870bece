/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TOPOLOGY_FAT_TREE_H
#define INCA_TOPOLOGY_FAT_TREE_H

#include "topology/topology-plan.h"
#include "topology/topology-spec.h"

#include <string>
#include <vector>

namespace inca
{

/**
 * The k-ary fat-tree of Al-Fares et al. (SIGCOMM 2008, section 3), k = spec.arity: k pods of k/2 edge
 * and k/2 aggregation switches, (k/2)^2 cores, k^3/4 places for hosts, which fill the edges in order.
 * It is always built as a whole, so that few hosts, too, have the paths of the real thing: (k/2)^2
 * between pods, k/2 between edges of a pod.
 *
 * Switches: edges, aggregations, cores; aggregation a of each pod is joined to the cores a k/2 ..
 * (a+1) k/2 - 1. Frames for everybody go over each pod's aggregation 0 and core 0.
 */
TopologyPlan MakeFatTree(const TopologySpec& spec);

/** What is wrong with @p spec, "key: text" each; {} = MakeFatTree can build it. */
std::vector<std::string> FatTreeComplaints(const TopologySpec& spec);

} // namespace inca

#endif // INCA_TOPOLOGY_FAT_TREE_H
