/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology/rack-pair.h"

#include "topology/plan-walk.h"

namespace inca
{

namespace
{

TopologySpec
RackPairOf(std::uint32_t hosts, std::uint32_t trunks)
{
    TopologySpec spec;
    spec.hosts = hosts;
    spec.trunks = trunks;
    return spec;
}

} // namespace

TEST(RackPair, GivesTheFirstRackTheOddHost)
{
    const auto plan = MakeRackPair(RackPairOf(5, 2));
    EXPECT_EQ(plan.hostSwitch, (std::vector<std::uint32_t>{0, 0, 0, 1, 1}));
    ASSERT_EQ(plan.switches.size(), 2U);
    EXPECT_EQ(plan.switches[1].name, "rack 1");
    EXPECT_EQ(plan.trunks.size(), 2U);
    ExpectConnected(plan);
}

/* One trunk between the racks, any of 3, in both directions. */
TEST(RackPair, HasAPathOverEachTrunk)
{
    const PlanWalk walk(MakeRackPair(RackPairOf(4, 3)));
    EXPECT_EQ(walk.Between(0, 3), (Paths{3, 0, 1, 1}));
    EXPECT_EQ(walk.Between(3, 0), (Paths{3, 0, 1, 1}));
    EXPECT_EQ(walk.Between(2, 3), (Paths{1, 0, 0, 0}));
}

TEST(RackPair, NeedsATrunk)
{
    EXPECT_TRUE(RackPairComplaints(RackPairOf(2, 1024)).empty());
    EXPECT_EQ(RackPairComplaints(RackPairOf(2, 0)),
              std::vector<std::string>{"cluster.trunks: must be 1..1024, got 0"});
}

} // namespace inca
