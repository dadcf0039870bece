/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/resource-times.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace inca
{

/* 1250 bytes at 10 Gb/s are 1 us; a link 1.25 times as fast saves a fifth. */
TEST(ResourceTimes, OfALink)
{
    const auto time = OnLink(1250, 10'000'000'000);
    EXPECT_DOUBLE_EQ(time.Ps(), 1e6);
    EXPECT_DOUBLE_EQ(time.Gain(Limit::LINK), 2e5);
    EXPECT_DOUBLE_EQ(time.Gain(Limit::HOST), 0);
}

TEST(ResourceTimes, OfAHost)
{
    EXPECT_DOUBLE_EQ(OnHost(1000, 1'000'000'000).Ps(), 1e6);
    EXPECT_DOUBLE_EQ(OnHost(1000, 1'000'000'000).Gain(Limit::HOST), 2e5);
    EXPECT_DOUBLE_EQ(OnHost(1000, 0).Ps(), 0); // at no cost
}

/* 3 frames of 200 ps, and 1000 bytes in 1 us. */
TEST(ResourceTimes, OfMovingFrames)
{
    HostSettings host;
    host.frameCostPs = 200;
    EXPECT_DOUBLE_EQ(MovingFrames(host, 3, 1000).Ps(), 600);
    host.byteBytesPerSecond = 1'000'000'000;
    EXPECT_DOUBLE_EQ(MovingFrames(host, 3, 1000).Ps(), 1'000'600);
}

TEST(Limits, HaveNamesOfTheirOwn)
{
    std::set<std::string> names;
    for (std::size_t limit = 0; limit < LIMITS; ++limit)
    {
        names.insert(LimitName(static_cast<Limit>(limit)));
    }
    EXPECT_EQ(names.size(), LIMITS);
    EXPECT_STREQ(LimitName(Limit::LATENCY), "latency");
}

/* A quarter more, at least one: 1.25 * 65 = 81.25. */
TEST(Limits, CountsAreRaisedToWholeOnes)
{
    EXPECT_EQ(Raised(4), 5U);
    EXPECT_EQ(Raised(65), 82U);
    EXPECT_EQ(Raised(1), 2U);
}

} // namespace inca
