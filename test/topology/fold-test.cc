/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology/fold.h"

#include "topology/topology-catalog.h"
#include "topology/topology-plan.h"

#include <gmock/gmock.h>

namespace inca
{

using testing::ElementsAre;
using testing::Eq;
using testing::Optional;

namespace
{

TopologyPlan
LeafSpine(std::uint32_t hosts, std::uint32_t hostsPerLeaf)
{
    TopologySpec spec;
    spec.name = "leaf-spine";
    spec.hosts = hosts;
    spec.hostsPerLeaf = hostsPerLeaf;
    spec.spines = 2;
    return MakeTopology(spec);
}

} // namespace

TEST(Fold, OfNothingIsTheWhole)
{
    const auto whole = LeafSpine(4, 2);
    const auto fold = Unfolded(whole);
    EXPECT_EQ(fold.plan.HostCount(), 4U);
    EXPECT_THAT(fold.switches, ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(fold.trunks, ElementsAre(Optional(0U), Optional(1U), Optional(2U), Optional(3U)));
    EXPECT_FALSE(fold.tree);
}

TEST(Fold, OfOneSwitchKeepsTheFirstHosts)
{
    TopologySpec spec;
    spec.hosts = 6;
    const auto fold = FoldOneSwitch(MakeTopology(spec), 2);
    EXPECT_THAT(fold.plan.hostSwitch, ElementsAre(0, 0));
    EXPECT_THAT(fold.switches, ElementsAre(0));
}

/* 6 hosts: host 0 stands for 0 .. 3, 4 and 5 for themselves; the switch counts what the first one sends four times. */
TEST(Fold, OfAllButTheLastKeepsThese)
{
    TopologySpec spec;
    spec.hosts = 6;
    const auto fold = FoldAllButLast(MakeTopology(spec), 2);
    EXPECT_THAT(fold.plan.hostSwitch, ElementsAre(0, 0, 0));
    EXPECT_THAT(fold.hosts, ElementsAre(0, 0, 0, 0, 1, 2));
    ASSERT_TRUE(fold.tree);
    const auto& children = fold.tree->nodes.front().children;
    ASSERT_EQ(children.size(), 3U);
    EXPECT_EQ(children[0].times, 4U);
    EXPECT_EQ(children[1].times, 1U);
    EXPECT_EQ(children[2].times, 1U);
}

/* 6 hosts on 3 leaves of 2 under spine 0 (switch 3): a host stands for the 2 of its leaf, a leaf for 3.
 * Every leaf's first trunk, to spine 0, is used, its second, to spine 1, is idle. */
TEST(Fold, OfATreeIsOneWayUp)
{
    const auto whole = LeafSpine(6, 2);
    const auto fold = FoldTree(whole, 6);
    EXPECT_EQ(fold.plan.switches.size(), 2U);
    EXPECT_EQ(fold.plan.switches[0].name, "spine 0");
    EXPECT_EQ(fold.plan.switches[1].name, "leaf 0");
    EXPECT_THAT(fold.plan.hostSwitch, ElementsAre(1));
    ASSERT_EQ(fold.plan.trunks.size(), 1U);
    EXPECT_EQ(fold.plan.trunks[0].lower, 1U);
    EXPECT_EQ(fold.plan.trunks[0].upper, 0U);
    ASSERT_TRUE(fold.tree);
    ASSERT_EQ(fold.tree->nodes.size(), 2U);
    EXPECT_EQ(fold.tree->nodes[0].children.front().times, 3U);
    EXPECT_EQ(fold.tree->nodes[1].children.front().times, 2U);
    EXPECT_TRUE(fold.tree->nodes[1].children.front().isHost);
    EXPECT_THAT(fold.switches, ElementsAre(1, 1, 1, 0, 0));
    std::uint32_t used = 0;
    for (std::size_t trunk = 0; trunk < whole.trunks.size(); ++trunk)
    {
        EXPECT_EQ(fold.trunks[trunk].has_value(), whole.trunks[trunk].upper == 3) << trunk;
        used += fold.trunks[trunk] ? 1 : 0;
    }
    EXPECT_EQ(used, 3U);
}

/* 5 hosts on leaves of 2: two leaves are full, the third has one host. The spine adds what comes of a leaf
 * that stands for two, and of the third. */
TEST(Fold, OfAnUnevenTreeHasOneOfEachKind)
{
    const auto whole = LeafSpine(5, 2);
    const auto fold = FoldTree(whole, 5);
    ASSERT_EQ(fold.plan.switches.size(), 3U);
    EXPECT_EQ(fold.plan.switches[0].name, "spine 0");
    EXPECT_EQ(fold.plan.switches[1].name, "leaf 0");
    EXPECT_EQ(fold.plan.switches[2].name, "leaf 2");
    EXPECT_THAT(fold.plan.hostSwitch, ElementsAre(1, 2));
    EXPECT_THAT(fold.hosts, ElementsAre(0, 0, 0, 0, 1));
    const auto& nodes = fold.tree->nodes;
    ASSERT_EQ(nodes.size(), 3U);
    ASSERT_EQ(nodes[0].children.size(), 2U);
    EXPECT_EQ(nodes[0].children[0].times, 2U);
    EXPECT_EQ(nodes[0].children[1].times, 1U);
    EXPECT_EQ(nodes[1].children.front().times, 2U);
    EXPECT_EQ(nodes[2].children.front().times, 1U);
    EXPECT_THAT(nodes[2].parent, Optional(0U));
    EXPECT_EQ(nodes[2].childNumber, 1U);
    EXPECT_EQ(fold.plan.trunks[*nodes[0].children[1].trunk].lower, 2U);
    EXPECT_THAT(fold.switches, ElementsAre(1, 1, 2, 0, 0));
}

/* All members under one switch: it adds, and nothing above it. */
TEST(Fold, OfAStarIsASwitch)
{
    TopologySpec spec;
    spec.hosts = 5;
    const auto fold = FoldTree(MakeTopology(spec), 5);
    EXPECT_THAT(fold.plan.hostSwitch, ElementsAre(0));
    EXPECT_EQ(fold.tree->nodes.front().children.front().times, 5U);
}

namespace
{

/** Two lower switches with a host each, below two upper ones, of which the second has a host too. */
TopologyPlan
TwoAboveTwo()
{
    TopologyPlan plan;
    plan.name = "test";
    plan.switches = {{"upper 0", 5}, {"lower 0", 2}, {"lower 1", 2}, {"upper 1", 5}};
    plan.hostSwitch = {1, 2, 3};
    plan.trunks = {{2, 3, true}, {1, 0, true}, {2, 0, true}, {1, 3, false}, {2, 3, false}};
    return plan;
}

} // namespace

/* From upper 0 down: host 0 over trunk 1, host 1 over 2. From upper 1: host 0 over 3, host 1 over 0 and
 * 4; its own host 2 needs no trunk. Lower switches have nothing below them. */
TEST(DownRoutes, NameEveryTrunkThatLeadsThere)
{
    const auto routes = DownRoutes(TwoAboveTwo());
    ASSERT_EQ(routes.size(), 4U);
    ASSERT_EQ(routes[0].size(), 2U);
    EXPECT_EQ(routes[0][0].host, 0U);
    EXPECT_EQ(routes[0][0].trunks, std::vector<std::uint32_t>{1});
    EXPECT_EQ(routes[0][1].trunks, std::vector<std::uint32_t>{2});
    EXPECT_TRUE(routes[1].empty());
    EXPECT_TRUE(routes[2].empty());
    ASSERT_EQ(routes[3].size(), 2U);
    EXPECT_EQ(routes[3][0].trunks, std::vector<std::uint32_t>{3});
    EXPECT_EQ(routes[3][1].host, 1U);
    EXPECT_EQ(routes[3][1].trunks, (std::vector<std::uint32_t>{0, 4}));
}

/* Three tiers, the top first in the list: what is two trunks below is found, too. */
TEST(DownRoutes, LookThroughSeveralTiers)
{
    TopologyPlan plan;
    plan.switches = {{"top", 2}, {"middle", 1}, {"bottom", 0}};
    plan.hostSwitch = {2, 2};
    plan.trunks = {{1, 0, true}, {2, 1, true}};
    const auto routes = DownRoutes(plan);
    ASSERT_EQ(routes[0].size(), 2U);
    EXPECT_EQ(routes[0][1].host, 1U);
    EXPECT_EQ(routes[0][1].trunks, std::vector<std::uint32_t>{0});
    EXPECT_EQ(routes[1][1].trunks, std::vector<std::uint32_t>{1});
}

} // namespace inca
