/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology/fold.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace inca
{

namespace
{

/** What is plugged into a switch: how many of each kind, hosts being of kind 0. */
using Below = std::map<std::uint32_t, std::uint32_t>;

/** What a host and a node of a tree are, by all that is below them. */
class Kinds
{
  public:
    explicit Kinds(const AggregationTree& tree)
        : m_ofNode(tree.nodes.size())
    {
        std::map<Below, std::uint32_t> known;
        for (auto node = tree.nodes.size(); node-- > 0;) // children come behind
        {
            Below below;
            for (const auto& child : tree.nodes[node].children)
            {
                ++below[Of(child)];
            }
            const auto next = static_cast<std::uint32_t>(known.size() + 1);
            m_ofNode[node] = known.emplace(std::move(below), next).first->second;
        }
    }

    std::uint32_t Of(const TreeChild& child) const
    {
        return child.isHost ? 0 : m_ofNode[child.number];
    }

  private:
    std::vector<std::uint32_t> m_ofNode;
};

/** Folds a tree node by node: of the children of one kind, the first stands for all. */
class TreeFolder
{
  public:
    TreeFolder(const TopologyPlan& whole, AggregationTree tree)
        : m_whole(whole),
          m_tree(std::move(tree)),
          m_kinds(m_tree)
    {
        m_fold.plan.name = whole.name;
        m_fold.switches.resize(whole.switches.size());
        m_fold.trunks.resize(whole.trunks.size());
        m_fold.plan.nodeSize = whole.nodeSize;
        m_fold.plan.nodes = whole.nodes;
        m_fold.hosts.resize(whole.HostCount());
        m_fold.tree.emplace();
    }

    Fold Make()
    {
        AddNode(0);
        for (std::size_t next = 0; next < m_firsts.size(); ++next)
        {
            AddChildren(static_cast<std::uint32_t>(next));
        }
        StandIn(0, 0);
        return std::move(m_fold);
    }

  private:
    std::vector<TreeNode>& Nodes()
    {
        return m_fold.tree->nodes;
    }

    /** @param node of the whole tree: the first of those for which it will stand. @return its own number */
    std::uint32_t AddNode(std::uint32_t node)
    {
        const auto number = static_cast<std::uint32_t>(m_firsts.size());
        m_firsts.push_back(node);
        m_places.emplace_back();
        TreeNode made;
        made.switchNumber = number;
        Nodes().push_back(std::move(made));
        m_fold.plan.switches.push_back(m_whole.switches[m_tree.nodes[node].switchNumber]);
        return number;
    }

    void AddChildren(std::uint32_t parent)
    {
        for (const auto& child : m_tree.nodes[m_firsts[parent]].children)
        {
            const auto place = static_cast<std::uint32_t>(Nodes()[parent].children.size());
            const auto [found, isNew] = m_places[parent].emplace(m_kinds.Of(child), place);
            if (isNew)
            {
                AddChild(parent, child);
            }
            else
            {
                ++Nodes()[parent].children[found->second].times;
            }
        }
    }

    void AddChild(std::uint32_t parent, const TreeChild& first)
    {
        TreeChild child;
        child.isHost = first.isHost;
        if (first.isHost)
        {
            child.number = m_fold.plan.HostCount();
            m_fold.plan.hostSwitch.push_back(parent);
        }
        else
        {
            child.number = AddNode(first.number);
            child.trunk = static_cast<std::uint32_t>(m_fold.plan.trunks.size());
            m_fold.plan.trunks.push_back({child.number, parent, true});
            Nodes()[child.number].parent = parent;
            Nodes()[child.number].childNumber =
                static_cast<std::uint32_t>(Nodes()[parent].children.size());
        }
        Nodes()[parent].children.push_back(child);
    }

    /** Says of @p node of the whole, and of all below it, who stands for it: @p number. */
    void StandIn(std::uint32_t node, std::uint32_t number)
    {
        m_fold.switches[m_tree.nodes[node].switchNumber] = number;
        for (const auto& child : m_tree.nodes[node].children)
        {
            const auto& standsIn = Nodes()[number].children[m_places[number].at(m_kinds.Of(child))];
            if (child.isHost)
            {
                m_fold.hosts[child.number] = standsIn.number;
                continue;
            }
            m_fold.trunks[*child.trunk] = standsIn.trunk;
            StandIn(child.number, standsIn.number);
        }
    }

    const TopologyPlan& m_whole;
    AggregationTree m_tree;
    Kinds m_kinds;
    Fold m_fold;
    // -- by node of the part
    std::vector<std::uint32_t> m_firsts; ///< the node of the whole that it was made of
    std::vector<std::map<std::uint32_t, std::uint32_t>> m_places; ///< among its children, by kind
};

} // namespace

Fold
Unfolded(const TopologyPlan& whole)
{
    Fold fold;
    fold.plan = whole;
    fold.hosts.resize(whole.HostCount());
    std::iota(fold.hosts.begin(), fold.hosts.end(), 0U);
    fold.switches.resize(whole.switches.size());
    std::iota(fold.switches.begin(), fold.switches.end(), 0U);
    for (std::uint32_t trunk = 0; trunk < whole.trunks.size(); ++trunk)
    {
        fold.trunks.emplace_back(trunk);
    }
    return fold;
}

Fold
FoldOneSwitch(const TopologyPlan& whole, std::uint32_t hosts, std::uint32_t rows)
{
    auto fold = Unfolded(whole);
    fold.plan.hostSwitch.resize(hosts);
    const auto length = whole.HostCount() / rows;
    for (auto& host : fold.hosts)
    {
        host = (host % length * rows + host / length) % hosts;
    }
    return fold;
}

std::uint32_t
HostsOfFirstSwitch(const TopologyPlan& whole)
{
    const auto& homes = whole.hostSwitch;
    return static_cast<std::uint32_t>(std::count(homes.begin(), homes.end(), homes.front()));
}

std::optional<Fold>
FoldLeaves(const TopologyPlan& whole, std::uint32_t hosts)
{
    if (whole.HostCount() % hosts != 0 || hosts % HostsOfFirstSwitch(whole) != 0)
    {
        return std::nullopt;
    }
    const auto leaves = whole.hostSwitch.back() + 1;
    const auto kept = whole.hostSwitch[hosts - 1] + 1;
    std::vector<std::vector<std::uint32_t>> ways(whole.switches.size()); // trunks up
    for (std::uint32_t trunk = 0; trunk < whole.trunks.size(); ++trunk)
    {
        ways[whole.trunks[trunk].lower].push_back(trunk);
    }
    Fold fold;
    fold.plan.name = whole.name;
    fold.plan.nodeSize = whole.nodeSize;
    fold.plan.nodes = std::min(whole.nodes, kept);
    fold.plan.hostSwitch.assign(whole.hostSwitch.begin(), whole.hostSwitch.begin() + hosts);
    fold.trunks.resize(whole.trunks.size());
    for (std::uint32_t number = 0; number < whole.switches.size(); ++number)
    {
        const bool isLeaf = number < leaves;
        const auto standsIn = isLeaf ? number % kept : number - leaves + kept;
        fold.switches.push_back(standsIn);
        if (!isLeaf || number < kept)
        {
            fold.plan.switches.push_back(whole.switches[number]);
        }
        if (ways[number].size() != (isLeaf ? ways[0].size() : 0))
        {
            return std::nullopt;
        }
        for (std::size_t way = 0; isLeaf && way < ways[number].size(); ++way)
        {
            const auto& trunk = whole.trunks[ways[number][way]];
            if (trunk.upper != whole.trunks[ways[0][way]].upper)
            {
                return std::nullopt;
            }
            if (number < kept)
            {
                fold.plan.trunks.push_back({number, trunk.upper - leaves + kept, trunk.floods});
            }
            fold.trunks[ways[number][way]] =
                static_cast<std::uint32_t>(standsIn * ways[0].size() + way);
        }
    }
    for (std::uint32_t host = 0; host < whole.HostCount(); ++host)
    {
        fold.hosts.push_back(host % hosts);
        if (whole.hostSwitch[host] % kept != whole.hostSwitch[host % hosts])
        {
            return std::nullopt;
        }
    }
    return fold;
}

std::optional<Fold>
FoldNodes(const TopologyPlan& whole)
{
    if (whole.NicCount() != whole.HostCount() || whole.switches.size() != whole.nodes + 1)
    {
        return std::nullopt;
    }
    Fold fold;
    fold.plan.name = whole.name;
    fold.plan.switches = {whole.switches.front(), whole.switches.back()};
    fold.plan.hostSwitch = {0};
    fold.plan.trunks = {{0, 1, true}};
    fold.plan.nodeSize = whole.nodeSize;
    fold.plan.nodes = 1;
    fold.hosts.assign(whole.HostCount(), 0);
    fold.switches.assign(whole.nodes, 0);
    fold.switches.push_back(1);
    fold.trunks.assign(whole.trunks.size(), 0);
    return fold;
}

AggregationTree
Folded(const AggregationTree& whole, const Fold& fold)
{
    AggregationTree part;
    std::map<std::uint32_t, std::uint32_t> placeOf; // in the part, by switch of it
    const auto switchOf = [&](std::uint32_t node) {
        return fold.switches[whole.nodes[node].switchNumber];
    };
    for (std::uint32_t number = 0; number < whole.nodes.size(); ++number)
    {
        const auto place = static_cast<std::uint32_t>(part.nodes.size());
        const bool isNew = placeOf.emplace(switchOf(number), place).second;
        if (!isNew)
        {
            continue; // the first one stands for it
        }
        const auto& from = whole.nodes[number];
        TreeNode node;
        node.switchNumber = switchOf(number);
        node.parent =
            from.parent ? std::optional(placeOf.at(switchOf(*from.parent))) : std::nullopt;
        node.childNumber = from.childNumber;
        std::map<std::pair<bool, std::uint32_t>, std::size_t> children; // by what stands for them
        for (const auto& child : from.children)
        {
            const auto standsIn = child.isHost ? fold.hosts[child.number] : switchOf(child.number);
            const auto [known, isFirst] =
                children.emplace(std::pair{child.isHost, standsIn}, node.children.size());
            if (!isFirst)
            {
                ++node.children[known->second].times;
                continue;
            }
            node.children.push_back(child);
            node.children.back().number = standsIn; // of a node until all are known
            node.children.back().trunk = child.trunk ? fold.trunks[*child.trunk] : std::nullopt;
        }
        part.nodes.push_back(std::move(node));
    }
    for (auto& node : part.nodes)
    {
        for (std::uint32_t i = 0; i < node.children.size(); ++i)
        {
            auto& child = node.children[i];
            if (!child.isHost)
            {
                child.number = placeOf.at(child.number);
                part.nodes[child.number].childNumber = i;
            }
        }
    }
    return part;
}

Fold
FoldTree(const TopologyPlan& whole, std::uint32_t members)
{
    return TreeFolder(whole, MakeAggregationTree(whole, members)).Make();
}

} // namespace inca
