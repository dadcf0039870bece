/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TOPOLOGY_TOPOLOGY_CATALOG_H
#define INCA_TOPOLOGY_TOPOLOGY_CATALOG_H

#include "topology/topology-plan.h"
#include "topology/topology-spec.h"

#include <string>
#include <vector>

namespace inca
{

/** One row per topology: a new topology is a file pair and a row. */
struct TopologyEntry
{
    const char* name;
    const char* meaning;
    bool hasTrunks; ///< more than one switch
    std::vector<std::string> (*complaints)(
        const TopologySpec&);                  ///< "key: text" each; {} = can build
    TopologyPlan (*make)(const TopologySpec&); ///< of a spec without complaints
};

const std::vector<TopologyEntry>& TopologyCatalog();

std::vector<std::string> TopologyNames();

/** @throws InputError if the name is unknown */
const TopologyEntry& FindTopology(const std::string& name);

/** @throws InputError if the topology is unknown or complains */
TopologyPlan MakeTopology(const TopologySpec& spec);

} // namespace inca

#endif // INCA_TOPOLOGY_TOPOLOGY_CATALOG_H
