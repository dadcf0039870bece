/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/time-parts.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace inca
{

TEST(TimeParts, AddUp)
{
    const TimeParts parts = Sum({1, 2, 3, 4, 5}, {10, 20, 30, 40, 50});
    EXPECT_EQ(parts.TotalPs(), 165);
    EXPECT_EQ(parts.switchPs, 55);
}

/* Large configurations exceed 2^63 ps, 107 days: they stay there. */
TEST(TimeParts, Saturate)
{
    constexpr auto MOST = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(Sum({MOST, 0, 0, 0, MOST}, {1, 0, 0, 0, 0}).TotalPs(), MOST);
}

TEST(TimeParts, NameTheLargest)
{
    EXPECT_EQ(TimeParts({1, 0, 0, 0, 2}).Largest(), std::string("switch"));
    EXPECT_EQ(TimeParts({2, 0, 0, 2, 2}).Largest(), std::string("link")); // the first of equal ones
    EXPECT_EQ(TimeParts({0, 0, 1, 0, 0}).Largest(), std::string("host"));
}

/* 10 and 4 that overlap but for a half of the shorter one: 10 + 2. */
TEST(TimeParts, OverlapInPart)
{
    EXPECT_EQ(Alternating({10}, {0, 4}, 0.5).TotalPs(), 12);
    EXPECT_EQ(Alternating({4}, {0, 10}, 0.5).TotalPs(), 12);
    EXPECT_EQ(Alternating({4}, {0, 10}, 0).TotalPs(), 10);
    EXPECT_EQ(Longer({5}, {0, 4}).linkPs, 5);
}

/* A third of 10 and of 2, rounded down. */
TEST(TimeParts, AreRoundedDown)
{
    const auto third = Times({10, 0, 0, 0, 2}, 1.0 / 3);
    EXPECT_EQ(third.linkPs, 3);
    EXPECT_EQ(third.switchPs, 0);
}

} // namespace inca
