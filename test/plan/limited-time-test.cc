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

/* 3 of links and 2 of hosts, one after the other; beside them 4 of compute, which takes over as 5 gets
 * shorter than 4.7: of links 3 / 1.25 saves 0.6, but only 0.3 counts, which stands for 1.5. */
TEST(LimitedTime, SaysWhichPartIsDueToALimit)
{
    const auto chain = LimitedTime(Limit::LINK, 3) + LimitedTime(Limit::HOST, 2);
    EXPECT_NEAR(chain.Part(Limit::LINK), 3, 1e-12);
    EXPECT_NEAR(chain.Part(Limit::HOST), 2, 1e-12);
    EXPECT_DOUBLE_EQ(chain.Part(Limit::COMPUTE), 0);
    const auto beside = Longer(chain, LimitedTime(Limit::COMPUTE, 4.7));
    EXPECT_NEAR(beside.Part(Limit::LINK), 1.5, 1e-12);
    EXPECT_DOUBLE_EQ(beside.Part(Limit::COMPUTE), 0);
}

/* A count of 1 can only be doubled: half of 6 is saved, and the part is all. */
TEST(LimitedTime, APartIsAtMostAll)
{
    const auto time =
        LimitedTime::With(Limit::WINDOW, LimitedTime::Fixed(6), LimitedTime::Fixed(3));
    EXPECT_DOUBLE_EQ(time.Part(Limit::WINDOW), 6);
}

TEST(LimitedTime, TakesACountThatIsRaised)
{
    const auto time =
        LimitedTime::With(Limit::WINDOW, LimitedTime(Limit::LINK, 10), LimitedTime(Limit::LINK, 6));
    EXPECT_DOUBLE_EQ(time.Gain(Limit::WINDOW), 4);
    EXPECT_DOUBLE_EQ(time.Gain(Limit::LINK), 2);
}

} // namespace inca
