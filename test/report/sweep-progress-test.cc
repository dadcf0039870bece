/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/sweep-progress.h"

#include <gtest/gtest.h>

namespace inca
{

TEST(SweepProgress, SaysHowManyRunsAndHowLong)
{
    EXPECT_EQ(RunsDoneText({3, 1, 40, 60}), "sweep: 3 of 40 done, 1 failed, 37 left, 1.0 min left");
}

TEST(SweepProgress, SaysNothingOfTimeAtFirst)
{
    EXPECT_EQ(RunsDoneText({0, 0, 40, std::nullopt}), "sweep: 0 of 40 done, 0 failed, 40 left");
}

} // namespace inca
