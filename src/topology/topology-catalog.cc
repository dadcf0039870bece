/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology/topology-catalog.h"

#include "base/errors.h"
#include "base/nearest.h"
#include "topology/fat-tree.h"
#include "topology/leaf-spine.h"
#include "topology/rack-pair.h"
#include "topology/star.h"

#include <utility>

namespace inca
{

const std::vector<TopologyEntry>&
TopologyCatalog()
{
    static const std::vector<TopologyEntry> catalog{
        {"star", "all hosts around one switch", false, StarComplaints, MakeStar},
        {"leaf-spine",
         "leaves of hosts_per_leaf hosts, each with a trunk to every one of the spines",
         true,
         LeafSpineComplaints,
         MakeLeafSpine},
        {"fat-tree",
         "three levels of switches with fat_tree_k ports each, as much rate up as down",
         true,
         FatTreeComplaints,
         MakeFatTree},
        {"rack-pair",
         "two switches with half the hosts each, joined by parallel trunks",
         true,
         RackPairComplaints,
         MakeRackPair},
    };
    return catalog;
}

std::vector<std::string>
TopologyNames()
{
    std::vector<std::string> names;
    for (const auto& entry : TopologyCatalog())
    {
        names.emplace_back(entry.name);
    }
    return names;
}

const TopologyEntry&
FindTopology(const std::string& name)
{
    for (const auto& entry : TopologyCatalog())
    {
        if (entry.name == name)
        {
            return entry;
        }
    }
    throw InputError("cluster.topology: " + UnknownName(name, TopologyNames()));
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
