/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology/fold.h"

#include <algorithm>
#include <numeric>

namespace inca
{

namespace
{

/** By node of @p tree: how many switches are above its own. */
std::vector<std::uint32_t>
Depths(const AggregationTree& tree)
{
    std::vector<std::uint32_t> depths;
    for (const auto& node : tree.nodes) // parents come first
    {
        depths.push_back(node.parent ? depths[*node.parent] + 1 : 0);
    }
    return depths;
}

bool
AreAlike(const TreeNode& a, const TreeNode& b)
{
    const auto same = [](const TreeChild& left, const TreeChild& right) {
        return left.isHost == right.isHost;
    };
    return a.children.size() == b.children.size() &&
           std::equal(a.children.begin(), a.children.end(), b.children.begin(), same);
}

bool
IsMixed(const TreeNode& node)
{
    return node.children.front().isHost != node.children.back().isHost;
}

/** By depth, the first node; empty if others there differ, or have hosts beside switches. */
std::vector<const TreeNode*>
Levels(const AggregationTree& tree, const std::vector<std::uint32_t>& depths)
{
    std::vector<const TreeNode*> levels;
    for (std::size_t i = 0; i < tree.nodes.size(); ++i)
    {
        const auto& node = tree.nodes[i];
        if (depths[i] == levels.size())
        {
            levels.push_back(&node);
        }
        if (IsMixed(node) || !AreAlike(node, *levels[depths[i]]))
        {
            return {};
        }
    }
    return levels;
}

/** The part's switches and trunks are numbered by depth: 0 is the root's. */
AggregationTree
ChainOf(const std::vector<const TreeNode*>& levels)
{
    AggregationTree chain;
    for (std::uint32_t depth = 0; depth < levels.size(); ++depth)
    {
        TreeNode node;
        node.switchNumber = depth;
        TreeChild child;
        child.isHost = depth + 1 == levels.size();
        child.number = child.isHost ? 0 : depth + 1;
        child.times = static_cast<std::uint32_t>(levels[depth]->children.size());
        if (!child.isHost)
        {
            child.trunk = depth;
        }
        node.children = {child};
        if (depth > 0)
        {
            node.parent = depth - 1;
        }
        chain.nodes.push_back(std::move(node));
    }
    return chain;
}

TopologyPlan
PlanOf(const TopologyPlan& whole, const std::vector<const TreeNode*>& levels)
{
    TopologyPlan plan;
    plan.name = whole.name;
    for (std::uint32_t depth = 0; depth < levels.size(); ++depth)
    {
        plan.switches.push_back(whole.switches[levels[depth]->switchNumber]);
        if (depth > 0)
        {
            plan.trunks.push_back({depth, depth - 1, true});
        }
    }
    plan.hostSwitch = {static_cast<std::uint32_t>(levels.size() - 1)};
    return plan;
}

} // namespace

Fold
Unfolded(const TopologyPlan& whole)
{
    Fold fold;
    fold.plan = whole;
    fold.switches.resize(whole.switches.size());
    std::iota(fold.switches.begin(), fold.switches.end(), 0U);
    for (std::uint32_t trunk = 0; trunk < whole.trunks.size(); ++trunk)
    {
        fold.trunks.emplace_back(trunk);
    }
    return fold;
}

Fold
FoldOneSwitch(const TopologyPlan& whole, std::uint32_t hosts)
{
    auto fold = Unfolded(whole);
    fold.plan.hostSwitch.resize(hosts);
    return fold;
}

std::optional<Fold>
FoldTree(const TopologyPlan& whole, std::uint32_t members)
{
    const auto tree = MakeAggregationTree(whole, members);
    const auto depths = Depths(tree);
    const auto levels = Levels(tree, depths);
    if (levels.empty())
    {
        return std::nullopt;
    }
    Fold fold;
    fold.plan = PlanOf(whole, levels);
    fold.tree = ChainOf(levels);
    fold.switches.resize(whole.switches.size());
    fold.trunks.resize(whole.trunks.size());
    for (std::size_t i = 0; i < tree.nodes.size(); ++i)
    {
        fold.switches[tree.nodes[i].switchNumber] = depths[i];
        for (const auto& child : tree.nodes[i].children)
        {
            if (child.trunk)
            {
                fold.trunks[*child.trunk] = depths[i];
            }
        }
    }
    return fold;
}

} // namespace inca
