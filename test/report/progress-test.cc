/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/progress.h"

#include <gtest/gtest.h>

namespace inca
{

TEST(Progress, EstimatesTheTimeLeft)
{
    // a quarter took 10 s, so three quarters take 30 s
    EXPECT_EQ(ProgressText("alexnet", 0.25, 10), "alexnet: 25 %, 30 s left");
    EXPECT_EQ(ProgressText("", 0.5, 90), "50 %, 1.5 min left");
    EXPECT_EQ(ProgressText("", 0.5, 9000), "50 %, 2.5 h left");
}

TEST(Progress, EstimatesNothingFromTooLittle)
{
    EXPECT_EQ(ProgressText("", 0, 100), "0 %");
    EXPECT_EQ(ProgressText("", 0.5, 0.5), "50 %");
    EXPECT_EQ(ProgressText("", 2, 10), "100 %, 0 s left");
}

TEST(Progress, WritesNothingWhereThereIsNoTerminal)
{
    testing::internal::CaptureStderr(); // a file from here on
    {
        Progress progress("x");
        progress.Update(0.5);
        progress.Done();
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

} // namespace inca
