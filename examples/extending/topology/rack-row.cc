/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology/rack-row.h"

#include "inca/topology/topology-catalog.h"

namespace inca
{

TopologyPlan
MakeRackRow(const TopologySpec& spec)
{
    TopologyPlan plan;
    plan.name = "rack-row";
    for (std::uint32_t host = 0; host < spec.hosts; ++host)
    {
        plan.hostSwitch.push_back(host / spec.hostsPerLeaf);
    }
    for (std::uint32_t rack = 0; rack <= plan.hostSwitch.back(); ++rack)
    {
        plan.switches.push_back({"rack " + std::to_string(rack), rack});
        if (rack > 0)
        {
            plan.trunks.push_back({rack - 1, rack, true});
        }
    }
    return plan;
}

std::vector<std::string>
RackRowComplaints(const TopologySpec& spec)
{
    constexpr std::uint32_t mostHostsPerRack{1024};
    SpecComplaints complaints;
    CheckHosts(spec, complaints);
    CheckRange("cluster.hosts_per_leaf", spec.hostsPerLeaf, 1, mostHostsPerRack, complaints);
    return complaints;
}

} // namespace inca
