/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology/topology-plan.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace inca
{

namespace
{

using Numbers = std::vector<std::uint32_t>;

/** Lower tiers first: what is below a switch is known when it is its turn. */
Numbers
SwitchesByTier(const TopologyPlan& plan)
{
    Numbers order(plan.switches.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&plan](std::uint32_t a, std::uint32_t b) {
        return plan.switches[a].tier < plan.switches[b].tier;
    });
    return order;
}

/** By switch: the hosts that are plugged into it. */
std::vector<Numbers>
PluggedHosts(const TopologyPlan& plan)
{
    std::vector<Numbers> hosts(plan.switches.size());
    for (std::uint32_t host = 0; host < plan.HostCount(); ++host)
    {
        hosts[plan.hostSwitch[host]].push_back(host);
    }
    return hosts;
}

/** By switch: the trunks that lead down from it. */
std::vector<Numbers>
TrunksDown(const TopologyPlan& plan)
{
    std::vector<Numbers> trunks(plan.switches.size());
    for (std::uint32_t trunk = 0; trunk < plan.trunks.size(); ++trunk)
    {
        trunks[plan.trunks[trunk].upper].push_back(trunk);
    }
    return trunks;
}

} // namespace

std::vector<std::vector<DownRoute>>
DownRoutes(const TopologyPlan& plan)
{
    const auto plugged = PluggedHosts(plan);
    const auto down = TrunksDown(plan);
    std::vector<std::vector<DownRoute>> routes(plan.switches.size());
    for (const auto number : SwitchesByTier(plan))
    {
        std::map<std::uint32_t, Numbers> trunksTo;
        for (const auto trunk : down[number])
        {
            const auto lower = plan.trunks[trunk].lower;
            for (const auto host : plugged[lower])
            {
                trunksTo[host].push_back(trunk);
            }
            for (const auto& route : routes[lower])
            {
                trunksTo[route.host].push_back(trunk);
            }
        }
        for (auto& [host, trunks] : trunksTo)
        {
            routes[number].push_back({host, std::move(trunks)});
        }
    }
    return routes;
}

std::vector<std::uint64_t>
WaysUp(const TopologyPlan& plan)
{
    std::vector<Numbers> up(plan.switches.size());
    for (const auto& trunk : plan.trunks)
    {
        up[trunk.lower].push_back(trunk.upper);
    }
    std::vector<std::uint64_t> ways(plan.switches.size(), 1);
    for (const auto number : SwitchesByTier(plan))
    {
        for (const auto upper : up[number])
        {
            ways[upper] = ways[number] * up[number].size();
        }
    }
    return ways;
}

} // namespace inca
