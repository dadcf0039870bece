/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology/fat-tree.h"

#include "topology/plan-walk.h"

#include <algorithm>

namespace inca
{

namespace
{

TopologySpec
FatTreeOf(std::uint32_t arity, std::uint32_t hosts)
{
    TopologySpec spec;
    spec.arity = arity;
    spec.hosts = hosts;
    return spec;
}

/** Cables at each switch, those to the @p places of hosts under every edge included. */
std::vector<std::uint32_t>
PortsUsed(const TopologyPlan& plan, std::uint32_t places)
{
    std::vector<std::uint32_t> ports;
    for (const auto& planned : plan.switches)
    {
        ports.push_back(planned.tier == 0 ? places : 0);
    }
    for (const auto& trunk : plan.trunks)
    {
        ++ports[trunk.lower];
        ++ports[trunk.upper];
    }
    return ports;
}

} // namespace

/* k pods of k/2 edges and k/2 aggregations, (k/2)^2 cores: k^2 + k^2/4 switches. k^3/4 trunks between
 * edges and aggregations, and as many to the cores. Every port of every switch is used. */
TEST(FatTree, UsesEveryPort)
{
    for (const std::uint32_t k : {2U, 4U, 6U, 8U})
    {
        const auto plan = MakeFatTree(FatTreeOf(k, k * k * k / 4));
        EXPECT_EQ(plan.switches.size(), k * k + k * k / 4) << k;
        EXPECT_EQ(plan.trunks.size(), k * k * k / 2) << k;
        for (const auto ports : PortsUsed(plan, k / 2))
        {
            EXPECT_EQ(ports, k) << k;
        }
    }
}

TEST(FatTree, ConnectsAllHosts)
{
    ExpectConnected(MakeFatTree(FatTreeOf(2, 2)));
    ExpectConnected(MakeFatTree(FatTreeOf(4, 16)));
    ExpectConnected(MakeFatTree(FatTreeOf(4, 7)));
    ExpectConnected(MakeFatTree(FatTreeOf(6, 54)));
}

/* k = 4: hosts 0 and 1 share an edge, 0 and 2 a pod (k/2 = 2 paths of 2 trunks), 0 and 4 do not
 * ((k/2)^2 = 4 paths of 4 trunks). */
TEST(FatTree, HasThePathsOfItsArity)
{
    const PlanWalk walk(MakeFatTree(FatTreeOf(4, 16)));
    EXPECT_EQ(walk.Between(0, 1), (Paths{1, 0, 0, 0}));
    EXPECT_EQ(walk.Between(0, 2), (Paths{2, 0, 2, 2}));
    EXPECT_EQ(walk.Between(0, 4), (Paths{4, 0, 4, 4}));
    EXPECT_EQ(walk.Between(15, 0), (Paths{4, 0, 4, 4}));
}

/* k = 4: aggregation 0 of each pod floods to its 2 edges and to core 0: 4 * 3 trunks; the others, which
 * it does not need, do not. */
TEST(FatTree, FloodsOverOneTree)
{
    const auto plan = MakeFatTree(FatTreeOf(4, 16));
    const auto floods = std::count_if(plan.trunks.begin(),
                                      plan.trunks.end(),
                                      [](const PlannedTrunk& trunk) { return trunk.floods; });
    EXPECT_EQ(floods, 12);
}

/* Few hosts do not change the paths between them: all switches are there. */
TEST(FatTree, IsWholeForFewHosts)
{
    const auto plan = MakeFatTree(FatTreeOf(4, 5));
    EXPECT_EQ(plan.switches.size(), 20U);
    EXPECT_EQ(plan.hostSwitch, (std::vector<std::uint32_t>{0, 0, 1, 1, 2}));
    EXPECT_EQ(PlanWalk(plan).Between(0, 4), (Paths{4, 0, 4, 4}));
}

TEST(FatTree, SaysWhichArityWouldDo)
{
    EXPECT_TRUE(FatTreeComplaints(FatTreeOf(4, 16)).empty());
    EXPECT_EQ(FatTreeComplaints(FatTreeOf(4, 20)),
              std::vector<std::string>{"cluster.fat_tree_k: a fat-tree of k = 4 holds 16 hosts, 20 "
                                       "are needed; k = 6 would do"});
    EXPECT_EQ(FatTreeComplaints(FatTreeOf(4, 8193)),
              std::vector<std::string>{"cluster.fat_tree_k: a fat-tree of k = 4 holds 16 hosts, "
                                       "8193 are needed; the largest, of k = 32, holds 8192"});
}

TEST(FatTree, RefusesAnArityThatIsOddOrTooLarge)
{
    EXPECT_EQ(FatTreeComplaints(FatTreeOf(5, 4)),
              std::vector<std::string>{"cluster.fat_tree_k: must be even, got 5"});
    EXPECT_EQ(FatTreeComplaints(FatTreeOf(0, 4)),
              std::vector<std::string>{"cluster.fat_tree_k: must be 2..32, got 0"});
    EXPECT_EQ(FatTreeComplaints(FatTreeOf(34, 4)),
              std::vector<std::string>{"cluster.fat_tree_k: must be 2..32, got 34"});
}

} // namespace inca
