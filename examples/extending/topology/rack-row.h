/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TOPOLOGY_RACK_ROW_H
#define INCA_TOPOLOGY_RACK_ROW_H

#include "inca/topology/topology-plan.h"
#include "inca/topology/topology-spec.h"

#include <string>
#include <vector>

namespace inca
{

/** Racks of hosts_per_leaf hosts in a row, each cabled to the next. */
TopologyPlan MakeRackRow(const TopologySpec& spec);

/** "key: text" each; {} = can build. */
std::vector<std::string> RackRowComplaints(const TopologySpec& spec);

} // namespace inca

#endif // INCA_TOPOLOGY_RACK_ROW_H
