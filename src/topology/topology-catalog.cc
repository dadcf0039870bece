/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology/topology-catalog.h"

#include "base/catalog.h"
#include "base/errors.h"
#include "topology/fat-tree.h"
#include "topology/leaf-spine.h"
#include "topology/rack-pair.h"
#include "topology/star.h"

#include <utility>

namespace inca
{

namespace
{

std::vector<TopologyEntry>
OwnEntries()
{
    return {
        {"star", "all hosts around one switch", false, StarComplaints, MakeStar},
        {"leaf-spine",
         "leaves of hosts_per_leaf hosts, each with a trunk to every one of the spines",
         true,
         LeafSpineComplaints,
         MakeLeafSpine,
         {"hosts_per_leaf", "spines"}},
        {"fat-tree",
         "three levels of switches with fat_tree_k ports each, as much rate up as down",
         true,
         FatTreeComplaints,
         MakeFatTree,
         {"fat_tree_k"}},
        {"rack-pair",
         "two switches with half the hosts each, joined by parallel trunks",
         true,
         RackPairComplaints,
         MakeRackPair,
         {"trunks"}},
    };
}

/** Changes as long as nobody has looked: see base/catalog.h. */
Catalog<TopologyEntry>&
Topologies()
{
    static Catalog<TopologyEntry> topologies("cluster.topology", OwnEntries());
    return topologies;
}

} // namespace

void
RegisterTopology(TopologyEntry entry)
{
    Topologies().Register(std::move(entry));
}

const std::vector<TopologyEntry>&
TopologyCatalog()
{
    return Topologies().Rows();
}

std::vector<std::string>
TopologyNames()
{
    return Topologies().Names();
}

const TopologyEntry&
FindTopology(const std::string& name)
{
    return Topologies().Find(name);
}

TopologyPlan
MakeTopology(const TopologySpec& spec)
{
    const auto& entry = FindTopology(spec.name);
    auto complaints = entry.complaints(spec);
    if (!complaints.empty())
    {
        throw InputError(std::move(complaints));
    }
    return entry.make(spec);
}

} // namespace inca
