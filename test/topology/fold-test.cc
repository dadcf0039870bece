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
using testing::Optional;

namespace
{

/** Three nodes of 2 GPUs around a switch. */
TopologyPlan
ThreeNodes(std::uint32_t nics)
{
    TopologySpec spec;
    spec.hosts = 6;
    spec.nodeSize = 2;
    spec.nics = nics;
    return MakeTopology(spec);
}

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

/* 8 hosts on 4 leaves of 2 under 2 spines, of which 2 leaves stay: host 5 does what host 1 does, leaf 3 what leaf 1 does. */
TEST(Fold, OfLeavesKeepsTheFirstLeavesAndAllSpines)
{
    const auto fold = FoldLeaves(LeafSpine(8, 2), 4);
    ASSERT_TRUE(fold);
    EXPECT_THAT(fold->hosts, ElementsAre(0, 1, 2, 3, 0, 1, 2, 3));
    EXPECT_THAT(fold->plan.hostSwitch, ElementsAre(0, 0, 1, 1));
    EXPECT_THAT(fold->switches, ElementsAre(0, 1, 0, 1, 2, 3));
    EXPECT_EQ(fold->plan.switches.size(), 4U);
    EXPECT_EQ(fold->plan.switches[2].name, "spine 0");
    EXPECT_THAT(fold->trunks,
                ElementsAre(Optional(0U),
                            Optional(1U),
                            Optional(2U),
                            Optional(3U),
                            Optional(0U),
                            Optional(1U),
                            Optional(2U),
                            Optional(3U)));
    EXPECT_EQ(fold->plan.trunks[3].lower, 1U);
    EXPECT_EQ(fold->plan.trunks[3].upper, 3U);
    EXPECT_FALSE(FoldLeaves(LeafSpine(8, 2), 3)) << "no whole leaves";
    EXPECT_FALSE(FoldLeaves(LeafSpine(6, 2), 4)) << "not in turn";
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

/* The second GPUs of three nodes go by the second NIC of each. Of one node with both GPUs, or one, the switch gets three times. */
TEST(Folded, HasOneNodeOfARailStandForAll)
{
    const auto whole = ThreeNodes(2);
    const auto tree = MakeAggregationTree(whole, {1, 3, 5});
    ASSERT_EQ(tree.nodes.size(), 4U);
    EXPECT_EQ(whole.switches[tree.nodes[0].switchNumber].name, "switch");
    for (std::uint32_t node = 1; node < 4; ++node)
    {
        EXPECT_EQ(tree.nodes[0].children[node - 1].trunk, 2 * node - 1);
        EXPECT_EQ(tree.nodes[node].children.front().number, 2 * node - 1);
    }
    const auto ofOne = *FoldNodes(whole);
    const auto ofNode = *FoldLeaves(whole, 2);
    for (const auto* fold : {&ofOne, &ofNode})
    {
        const auto folded = Folded(tree, *fold);
        ASSERT_EQ(folded.nodes.size(), 2U);
        EXPECT_EQ(fold->plan.switches[folded.nodes[0].switchNumber].name, "switch");
        ASSERT_EQ(folded.nodes[0].children.size(), 1U);
        EXPECT_EQ(folded.nodes[0].children[0].times, 3U);
        EXPECT_EQ(folded.nodes[0].children[0].number, 1U);
        EXPECT_EQ(folded.nodes[0].children[0].trunk, fold->trunks[1]);
        EXPECT_EQ(folded.nodes[1].parent, 0U);
        EXPECT_EQ(folded.nodes[1].children.front().number, fold->hosts[1]);
    }
}

} // namespace inca
