/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology/aggregation-tree.h"

#include "base/errors.h"
#include "topology/topology-catalog.h"

#include <gtest/gtest.h>

#include <set>

namespace inca
{

namespace
{

TopologyPlan
PlanOf(const std::string& name, std::uint32_t hosts)
{
    TopologySpec spec;
    spec.name = name;
    spec.hosts = hosts;
    spec.trunks = 2;
    return MakeTopology(spec);
}

/** A node's parent must know it as the child that it says it is, over a trunk between the two. */
void
ExpectRightParent(const TopologyPlan& plan, const AggregationTree& tree, std::uint32_t number)
{
    const auto& node = tree.nodes[number];
    ASSERT_TRUE(node.parent);
    ASSERT_LT(*node.parent, number);
    const auto& parent = tree.nodes[*node.parent];
    ASSERT_LT(node.childNumber, parent.children.size());
    const auto& child = parent.children[node.childNumber];
    EXPECT_FALSE(child.isHost);
    EXPECT_EQ(child.number, number);
    ASSERT_TRUE(child.trunk);
    EXPECT_EQ(plan.trunks[*child.trunk].lower, node.switchNumber);
    EXPECT_EQ(plan.trunks[*child.trunk].upper, parent.switchNumber);
}

/** Every member hangs below its own switch, once; every node has children, and the parent it names. */
void
ExpectTreeOf(const TopologyPlan& plan, std::uint32_t members)
{
    const auto tree = MakeAggregationTree(plan, members);
    std::multiset<std::uint32_t> hosts;
    std::set<std::uint32_t> switches;
    for (std::uint32_t number = 0; number < tree.nodes.size(); ++number)
    {
        const auto& node = tree.nodes[number];
        EXPECT_FALSE(node.children.empty());
        EXPECT_TRUE(switches.insert(node.switchNumber).second) << "a switch adds twice";
        for (const auto& child : node.children)
        {
            if (child.isHost)
            {
                hosts.insert(child.number);
                EXPECT_EQ(plan.hostSwitch[child.number], node.switchNumber);
            }
        }
        if (number > 0)
        {
            ExpectRightParent(plan, tree, number);
        }
    }
    EXPECT_FALSE(tree.nodes.front().parent);
    std::multiset<std::uint32_t> all;
    for (std::uint32_t host = 0; host < members; ++host)
    {
        all.insert(host);
    }
    EXPECT_EQ(hosts, all);
}

std::string
RootName(const TopologyPlan& plan, std::uint32_t members)
{
    return plan.switches[MakeAggregationTree(plan, members).nodes.front().switchNumber].name;
}

} // namespace

TEST(AggregationTree, HoldsEveryMemberOnce)
{
    for (const auto& name : TopologyCatalog().Names())
    {
        const auto plan = PlanOf(name, 16);
        for (std::uint32_t members = 1; members <= 16; ++members)
        {
            SCOPED_TRACE(name + " with " + std::to_string(members));
            ExpectTreeOf(plan, members);
        }
    }
}

TEST(AggregationTree, HasAsManyLevelsAsItsTopology)
{
    EXPECT_EQ(MakeAggregationTree(PlanOf("star", 16), 16).Levels(), 1U);
    EXPECT_EQ(MakeAggregationTree(PlanOf("leaf-spine", 16), 16).Levels(), 2U);
    EXPECT_EQ(MakeAggregationTree(PlanOf("rack-pair", 16), 16).Levels(), 2U);
    EXPECT_EQ(MakeAggregationTree(PlanOf("fat-tree", 16), 16).Levels(), 3U);
}

/* A fat-tree of k = 4 has 2 hosts per edge and 4 per pod; a leaf has 4. */
TEST(AggregationTree, IsRootedNoHigherThanItMust)
{
    const auto fatTree = PlanOf("fat-tree", 16);
    EXPECT_EQ(RootName(fatTree, 2), "edge 0");
    EXPECT_EQ(RootName(fatTree, 4), "aggregation 0");
    EXPECT_EQ(RootName(fatTree, 5), "core 0");
    const auto leafSpine = PlanOf("leaf-spine", 16);
    EXPECT_EQ(RootName(leafSpine, 4), "leaf 0");
    EXPECT_EQ(RootName(leafSpine, 5), "spine 0");
}

/* Hosts beyond the members, an aggregator say, are in nobody's sum: nor is a leaf of theirs alone. */
TEST(AggregationTree, LeavesOutWhoIsNoMember)
{
    const auto tree = MakeAggregationTree(PlanOf("leaf-spine", 9), 8);
    EXPECT_EQ(tree.nodes.size(), 3U);
}

TEST(AggregationTree, NeedsASwitchAboveAll)
{
    TopologyPlan plan;
    plan.name = "two islands";
    plan.switches = {{"a", 0}, {"b", 0}};
    plan.hostSwitch = {0, 1};
    EXPECT_THROW(MakeAggregationTree(plan, 2), InvariantError);
}

/* Of two spines the first one is the root, or the second one, or the first one again; leaves have a trunk to each. */
TEST(AggregationTree, TakesRootsInTurn)
{
    TopologySpec spec;
    spec.name = "leaf-spine";
    spec.hosts = 4;
    spec.hostsPerLeaf = 2;
    spec.spines = 2;
    const auto plan = MakeTopology(spec);
    for (const auto& [turn, name] :
         {std::pair{0U, "spine 0"}, std::pair{1U, "spine 1"}, std::pair{2U, "spine 0"}})
    {
        const auto tree = MakeAggregationTree(plan, {0, 3}, turn);
        const auto root = tree.nodes.front().switchNumber;
        EXPECT_EQ(plan.switches[root].name, name);
        for (const auto& child : tree.nodes.front().children)
        {
            EXPECT_EQ(plan.trunks[*child.trunk].upper, root);
        }
    }
}

} // namespace inca
