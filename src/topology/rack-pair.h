/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TOPOLOGY_RACK_PAIR_H
#define INCA_TOPOLOGY_RACK_PAIR_H

#include "topology/topology-plan.h"
#include "topology/topology-spec.h"

#include <string>
#include <vector>

namespace inca
{

/**
 * Two racks of half the hosts each, rack 0 one more if their number is odd, joined by spec.trunks
 * parallel cables, of which rack 0 is the upper end. Frames for everybody take the first of them.
 */
TopologyPlan MakeRackPair(const TopologySpec& spec);

/** What is wrong with @p spec, "key: text" each; {} = MakeRackPair can build it. */
std::vector<std::string> RackPairComplaints(const TopologySpec& spec);

} // namespace inca

#endif // INCA_TOPOLOGY_RACK_PAIR_H
