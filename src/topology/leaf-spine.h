/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TOPOLOGY_LEAF_SPINE_H
#define INCA_TOPOLOGY_LEAF_SPINE_H

#include "topology/topology-plan.h"
#include "topology/topology-spec.h"

#include <string>
#include <vector>

namespace inca
{

/**
 * Two levels (a folded Clos network): hosts fill the leaves in order, spec.hostsPerLeaf each, and
 * every leaf has one trunk to each of the spec.spines. Switches: leaves, then spines; trunk
 * l * spines + s joins leaf l and spine s. Frames for everybody go over spine 0.
 */
TopologyPlan MakeLeafSpine(const TopologySpec& spec);

/** What is wrong with @p spec, "key: text" each; {} = MakeLeafSpine can build it. */
std::vector<std::string> LeafSpineComplaints(const TopologySpec& spec);

} // namespace inca

#endif // INCA_TOPOLOGY_LEAF_SPINE_H
