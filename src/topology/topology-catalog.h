/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TOPOLOGY_TOPOLOGY_CATALOG_H
#define INCA_TOPOLOGY_TOPOLOGY_CATALOG_H

#include "inca/base/catalog.h"
#include "inca/topology/topology-plan.h"
#include "inca/topology/topology-spec.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace inca
{

/** Complaints of a spec: "key: text" each. */
using SpecComplaints = std::vector<std::string>;

/** Complains of less than 2 hosts, and of more than 131,072: 65,536 workers and as many servers. */
void CheckHosts(const TopologySpec& spec, SpecComplaints& complaints);

/** Complains of @p value outside @p fewest .. @p most. */
void CheckRange(const std::string& key,
                std::uint32_t value,
                std::uint32_t fewest,
                std::uint32_t most,
                SpecComplaints& complaints);

/** One row per topology: a new topology is a file pair and a row. */
struct TopologyEntry
{
    std::string name;
    std::string meaning;
    bool hasTrunks; ///< it may have more than one switch
    std::function<SpecComplaints(const TopologySpec&)> complaints; ///< {} = can build
    std::function<TopologyPlan(const TopologySpec&)> make;         ///< of a spec without complaints
    std::vector<std::string> keys{}; ///< of [cluster] that it reads: "hosts_per_leaf", ...
    bool isExtension{false};         ///< registered, no topology of INCA's own
    /** Of a switch that has hosts: how many, for each of its trunks. */
    double (*hostsPerTrunk)(const TopologySpec&){[](const TopologySpec&) { return 1.0; }};
};

/** INCA's own topologies, and those that a program registers. */
Catalog<TopologyEntry>& TopologyCatalog();

/** What the topology sees of it: each node is a host. */
TopologySpec NodesOf(TopologySpec spec);

/** Of the topology of nodes, and of what is inside them. @throws InputError if it is unknown */
SpecComplaints TopologyComplaints(const TopologySpec& spec);

/** @throws InputError if the topology is unknown or complains */
TopologyPlan MakeTopology(const TopologySpec& spec);

} // namespace inca

#endif // INCA_TOPOLOGY_TOPOLOGY_CATALOG_H
