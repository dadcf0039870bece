/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/limited-time.h"

#include <gtest/gtest.h>

namespace inca
{

/* 10 ps of link beside 9 of host, then 5 of compute: a faster link leaves the host's 9, a faster host nothing. */
TEST(LimitedTime, SaysWhatEveryLimitIsWorth)
{
    const LimitedTime link(Limit::LINK, 10);
    const LimitedTime host(Limit::HOST, 9);
    const auto time = Longer(link, host) + LimitedTime(Limit::COMPUTE, 5);
    EXPECT_DOUBLE_EQ(time.Ps(), 15);
    EXPECT_DOUBLE_EQ(time.Gain(Limit::LINK), 1);
    EXPECT_DOUBLE_EQ(time.Gain(Limit::HOST), 0);
    EXPECT_DOUBLE_EQ(time.Gain(Limit::COMPUTE), 1);
    EXPECT_DOUBLE_EQ(time.Gain(Limit::SLOTS), 0);
}

/* Two engines of 10 ps each at the same time: only both together save 2. */
TEST(LimitedTime, TellsBothEnginesFromOne)
{
    const auto time =
        Longer(LimitedTime(Limit::COMPRESSION, 10), LimitedTime(Limit::DECOMPRESSION, 10));
    EXPECT_DOUBLE_EQ(time.Gain(Limit::COMPRESSION), 0);
    EXPECT_DOUBLE_EQ(time.Gain(Limit::ENGINES), 2);
}

TEST(LimitedTime, TakesACountThatIsRaised)
{
    const auto time =
        LimitedTime::With(Limit::WINDOW, LimitedTime(Limit::LINK, 10), LimitedTime(Limit::LINK, 6));
    EXPECT_DOUBLE_EQ(time.Gain(Limit::WINDOW), 4);
    EXPECT_DOUBLE_EQ(time.Gain(Limit::LINK), 2);
}

} // namespace inca
