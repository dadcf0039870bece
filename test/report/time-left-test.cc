/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/time-left.h"

#include <gtest/gtest.h>

namespace inca
{

/* A quarter is over after 10 s: the others take 30 s. */
TEST(TimeLeft, GoesByHowLongTheWorkTookSoFar)
{
    TimeLeft left;
    left.Tell(0.25, 10);
    EXPECT_DOUBLE_EQ(*left.Seconds(), 30);
}

/* Frames were dropped at 80 %: everything is simulated again. After 20 s it is said to be a tenth of all. */
TEST(TimeLeft, IsAsLastTold)
{
    TimeLeft left;
    left.Tell(0.8, 8);
    left.Tell(0.1, 20);
    EXPECT_DOUBLE_EQ(*left.Seconds(), 180);
}

TEST(TimeLeft, IsNotKnownFromTooLittle)
{
    TimeLeft left;
    EXPECT_FALSE(left.Seconds());
    left.Tell(0, 10);
    EXPECT_FALSE(left.Seconds());
    left.Tell(0.5, 0.9); // less than a second
    EXPECT_FALSE(left.Seconds());
    left.Tell(0.009, 100); // less than a hundredth
    EXPECT_FALSE(left.Seconds());
}

TEST(TimeLeft, IsTextInAUnitThatSuits)
{
    EXPECT_EQ(LeftText(30), "30 s left");
    EXPECT_EQ(LeftText(9.96), "10 s left");
    EXPECT_EQ(LeftText(1.44), "1.4 s left");
    EXPECT_EQ(LeftText(90), "1.5 min left");
    EXPECT_EQ(LeftText(9000), "2.5 h left");
    EXPECT_EQ(LeftText(0.9), "");
    EXPECT_EQ(LeftText(std::nullopt), "");
}

} // namespace inca
