/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology/topology-plan.h"

#include <gtest/gtest.h>

namespace inca
{

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
