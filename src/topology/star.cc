/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology/star.h"

#include "topology/spec-checks.h"

namespace inca
{

TopologyPlan
MakeStar(const TopologySpec& spec)
{
    TopologyPlan plan;
    plan.name = "star";
    plan.switches = {{"switch", 0}};
    plan.hostSwitch.assign(spec.hosts, 0);
    return plan;
}

std::vector<std::string>
StarComplaints(const TopologySpec& spec)
{
    SpecComplaints complaints;
    CheckHosts(spec, complaints);
    return complaints;
}

} // namespace inca
