/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/limit-study.h"

#include <gtest/gtest.h>

namespace inca
{

/* The first of the thousand that inca-bench-limits draws; how many of these are right is in test/bench/NOTES.md. */
TEST(LimitStudy, TheNamedLimitIsMostlyWorthRaising)
{
    constexpr std::uint32_t drawn = 40;
    constexpr std::uint32_t least = 30;
    const DrawnTraces traces(testing::TempDir());
    std::uint32_t right = 0;
    for (std::uint32_t number = 0; number < drawn; ++number)
    {
        right += StudyLimits(number, traces).Holds() ? 1 : 0;
    }
    EXPECT_GE(right, least);
}

} // namespace inca
