/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TOPOLOGY_STAR_H
#define INCA_TOPOLOGY_STAR_H

#include "topology/topology-plan.h"
#include "topology/topology-spec.h"

#include <string>
#include <vector>

namespace inca
{

/** All hosts around one switch, "switch". */
TopologyPlan MakeStar(const TopologySpec& spec);

/** What is wrong with @p spec, "key: text" each; {} = MakeStar can build it. */
std::vector<std::string> StarComplaints(const TopologySpec& spec);

} // namespace inca

#endif // INCA_TOPOLOGY_STAR_H
