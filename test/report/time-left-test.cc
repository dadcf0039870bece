/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/time-left.h"

#include <gtest/gtest.h>

namespace inca
{

/* From 5 s on, 0 % to 25 % in 10 s: 75 % take 30 s. */
TEST(TimeLeft, GoesByHowLongTheWorkTookSoFar)
{
    TimeLeft left;
    left.Tell(0, 5);
    left.Tell(0.25, 15);
    EXPECT_DOUBLE_EQ(*left.Seconds(), 30);
}

/* At 20 s 10 % are done already: what follows, 40 % in 8 s, tells that 50 % take 10 s, whatever was before. */
TEST(TimeLeft, DoesNotCountWhatWasBeforeTheFirstShare)
{
    TimeLeft left;
    left.Tell(0.1, 20);
    left.Tell(0.5, 28);
    EXPECT_DOUBLE_EQ(*left.Seconds(), 10);
}

/* Frames were dropped at 80 %: everything is simulated again, at packet level. 20 % of that take 40 s. */
TEST(TimeLeft, BeginsAnewWhereTheWorkDoes)
{
    TimeLeft left;
    left.Tell(0, 0);
    left.Tell(0.8, 8);
    left.Tell(0, 10);
    left.Tell(0.2, 50);
    EXPECT_DOUBLE_EQ(*left.Seconds(), 160);
}

TEST(TimeLeft, IsNotKnownFromTooLittle)
{
    TimeLeft left;
    EXPECT_FALSE(left.Seconds());
    left.Tell(0, 0);
    EXPECT_FALSE(left.Seconds());
    left.Tell(0.5, 0.9); // less than a second
    EXPECT_FALSE(left.Seconds());
    TimeLeft slow;
    slow.Tell(0, 0);
    slow.Tell(0.009, 100); // less than a hundredth
    EXPECT_FALSE(slow.Seconds());
}

TEST(TimeLeft, IsTextInAUnitThatSuits)
{
    EXPECT_EQ(LeftText(30), "30 s left");
    EXPECT_EQ(LeftText(90), "1.5 min left");
    EXPECT_EQ(LeftText(9000), "2.5 h left");
    EXPECT_EQ(LeftText(0.9), "");
    EXPECT_EQ(LeftText(std::nullopt), "");
}

} // namespace inca
