/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/groups.h"

#include <gtest/gtest.h>

namespace inca
{

/* 12 workers in 3 groups of 4; worker 6 is the third of the second group, which worker 4 leads. */
TEST(Groups, AreConsecutiveWorkers)
{
    const Groups groups{12, 4};
    EXPECT_EQ(groups.Count(), 3U);
    EXPECT_EQ(groups.Of(6), 1U);
    EXPECT_EQ(groups.PositionOf(6), 2U);
    EXPECT_EQ(groups.Members(6).At(0), 4U);
    EXPECT_EQ(groups.Members(6).At(3), 7U);
}

TEST(Groups, AreLedByTheirFirstMembers)
{
    const Groups groups{12, 4};
    EXPECT_EQ(groups.Leaders().At(0), 0U);
    EXPECT_EQ(groups.Leaders().At(2), 8U);
    EXPECT_EQ(groups.LeadersUnder(12).At(0), 12U);
    EXPECT_EQ(groups.LeadersUnder(12).At(1), 0U);
    EXPECT_EQ(groups.LeadersUnder(12).At(3), 8U);
}

} // namespace inca
