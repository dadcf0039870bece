/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/star-helper.h"

#include "topology/topology-catalog.h"

namespace inca
{

namespace
{

TopologyPlan
PlanOf(std::uint32_t hosts)
{
    TopologySpec spec;
    spec.name = "star";
    spec.hosts = hosts;
    return MakeTopology(spec);
}

} // namespace

Cluster
StarHelper::Install(std::uint32_t hosts) const
{
    return Install(PlanOf(hosts));
}

Cluster
StarHelper::Install(const ns3::NodeContainer& nodes) const
{
    return Install(PlanOf(nodes.GetN()), nodes);
}

} // namespace inca
