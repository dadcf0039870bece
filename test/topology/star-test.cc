/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology/star.h"

#include "topology/plan-walk.h"

namespace inca
{

namespace
{

TopologySpec
StarOf(std::uint32_t hosts)
{
    TopologySpec spec;
    spec.hosts = hosts;
    return spec;
}

} // namespace

TEST(Star, HasOneSwitchForAllHosts)
{
    const auto plan = MakeStar(StarOf(5));
    ASSERT_EQ(plan.switches.size(), 1U);
    EXPECT_EQ(plan.switches[0].name, "switch");
    EXPECT_EQ(plan.hostSwitch, (std::vector<std::uint32_t>{0, 0, 0, 0, 0}));
    EXPECT_TRUE(plan.trunks.empty());
    ExpectConnected(plan);
}

TEST(Star, NeedsTwoHosts)
{
    EXPECT_TRUE(StarComplaints(StarOf(2)).empty());
    ASSERT_EQ(StarComplaints(StarOf(1)).size(), 1U);
    EXPECT_EQ(StarComplaints(StarOf(1)).front().rfind("cluster.workers: ", 0), 0U);
}

} // namespace inca
