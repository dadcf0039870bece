/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology/aggregation-tree.h"

#include "base/errors.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <utility>

namespace inca
{

namespace
{

using Numbers = std::vector<std::uint32_t>;
using Routes = std::vector<std::vector<DownRoute>>;

bool
Contains(const Numbers& sorted, std::uint32_t number)
{
    return std::binary_search(sorted.begin(), sorted.end(), number);
}

/** By switch: how many of @p members are plugged into it, or below it. */
Numbers
MembersBelow(const TopologyPlan& plan, const Routes& routes, const Numbers& members)
{
    Numbers below(plan.switches.size(), 0);
    for (const auto host : members)
    {
        ++below[plan.hostSwitch[host]];
    }
    for (std::size_t number = 0; number < routes.size(); ++number)
    {
        for (const auto& route : routes[number])
        {
            below[number] += Contains(members, route.host) ? 1 : 0;
        }
    }
    return below;
}

std::uint32_t
FindRoot(const TopologyPlan& plan, const Routes& routes, const Numbers& members, std::uint32_t turn)
{
    const auto below = MembersBelow(plan, routes, members);
    Numbers roots; // of the lowest tier
    for (std::uint32_t number = 0; number < plan.switches.size(); ++number)
    {
        const auto tier = plan.switches[number].tier;
        if (below[number] < members.size() ||
            (!roots.empty() && tier > plan.switches[roots.front()].tier))
        {
            continue;
        }
        if (!roots.empty() && tier < plan.switches[roots.front()].tier)
        {
            roots.clear();
        }
        roots.push_back(number);
    }
    if (roots.empty())
    {
        throw InvariantError("no switch of a " + plan.name + " is above all " +
                             std::to_string(members.size()) + " members");
    }
    return roots[turn % roots.size()];
}

/** Takes nodes in the order in which they were found, and appends those below them. */
class TreeGrower
{
  public:
    /** @param members ascending */
    TreeGrower(const TopologyPlan& plan, Numbers members, std::uint32_t turn)
        : m_plan(plan),
          m_routes(DownRoutes(plan)),
          m_turn(turn)
    {
        const auto root = FindRoot(plan, m_routes, members, turn);
        Add(root, std::move(members));
    }

    AggregationTree Grow()
    {
        for (std::uint32_t node = 0; node < m_tree.nodes.size(); ++node)
        {
            AddHosts(node);
            AddLowerNodes(node);
        }
        return std::move(m_tree);
    }

  private:
    void Add(std::uint32_t switchNumber, Numbers hosts)
    {
        TreeNode node;
        node.switchNumber = switchNumber;
        m_tree.nodes.push_back(std::move(node));
        m_hosts.push_back(std::move(hosts));
    }

    void AddHosts(std::uint32_t number)
    {
        auto& node = m_tree.nodes[number];
        for (const auto host : m_hosts[number])
        {
            if (m_plan.hostSwitch[host] == node.switchNumber)
            {
                node.children.push_back({true, host, {}});
            }
        }
    }

    void AddLowerNodes(std::uint32_t number)
    {
        for (auto& [trunk, hosts] : HostsByTrunk(number))
        {
            const auto lower = static_cast<std::uint32_t>(m_tree.nodes.size());
            Add(m_plan.trunks[trunk].lower, std::move(hosts));
            auto& children = m_tree.nodes[number].children;
            m_tree.nodes[lower].parent = number;
            m_tree.nodes[lower].childNumber = static_cast<std::uint32_t>(children.size());
            children.push_back({false, lower, trunk});
        }
    }

    /** A node's hosts that are not plugged into its switch, by the trunk that leads to them. */
    std::map<std::uint32_t, Numbers> HostsByTrunk(std::uint32_t number) const
    {
        const auto& hosts = m_hosts[number];
        std::map<std::uint32_t, Numbers> byTrunk;
        for (const auto& route : m_routes[m_tree.nodes[number].switchNumber])
        {
            if (Contains(hosts, route.host))
            {
                const bool isNode = m_plan.trunks[route.trunks.front()].lower < m_plan.nodes;
                const auto way = isNode ? route.host : m_turn; // the NIC, or any
                byTrunk[route.trunks[way % route.trunks.size()]].push_back(route.host);
            }
        }
        return byTrunk;
    }

    const TopologyPlan& m_plan;
    Routes m_routes;
    std::uint32_t m_turn;
    AggregationTree m_tree;
    std::vector<Numbers> m_hosts; ///< by node: all members below it
};

} // namespace

std::uint32_t
AggregationTree::Levels() const
{
    std::uint32_t levels = 0;
    std::vector<std::uint32_t> depths;
    for (const auto& node : nodes)
    {
        depths.push_back(node.parent ? depths[*node.parent] + 1 : 1);
        levels = std::max(levels, depths.back());
    }
    return levels;
}

AggregationTree
MakeAggregationTree(const TopologyPlan& plan,
                    std::vector<std::uint32_t> members,
                    std::uint32_t turn)
{
    std::sort(members.begin(), members.end());
    return TreeGrower(plan, std::move(members), turn).Grow();
}

AggregationTree
MakeAggregationTree(const TopologyPlan& plan, std::uint32_t members)
{
    Numbers first(members);
    std::iota(first.begin(), first.end(), 0U);
    return TreeGrower(plan, std::move(first), 0).Grow();
}

} // namespace inca
