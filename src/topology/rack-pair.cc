/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology/rack-pair.h"

#include "topology/spec-checks.h"

namespace inca
{

namespace
{

constexpr std::uint32_t g_mostTrunks{1024};

} // namespace

TopologyPlan
MakeRackPair(const TopologySpec& spec)
{
    TopologyPlan plan;
    plan.name = "rack-pair";
    plan.switches = {{"rack 0", 1}, {"rack 1", 0}};
    plan.hostSwitch.assign(spec.hosts, 0);
    for (std::uint32_t host = (spec.hosts + 1) / 2; host < spec.hosts; ++host)
    {
        plan.hostSwitch[host] = 1;
    }
    for (std::uint32_t trunk = 0; trunk < spec.trunks; ++trunk)
    {
        plan.trunks.push_back({1, 0, trunk == 0});
    }
    return plan;
}

std::vector<std::string>
RackPairComplaints(const TopologySpec& spec)
{
    SpecComplaints complaints;
    CheckHosts(spec, complaints);
    CheckRange("cluster.trunks", spec.trunks, 1, g_mostTrunks, complaints);
    return complaints;
}

} // namespace inca
