/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/progress.h"

#include <gtest/gtest.h>

namespace inca
{

/* A quarter took 10 s, so three quarters take 30 s. "100 %, 0 s left" is never said: who reads it still waits. Of less
 * than a second, or a hundredth, the time left is not told. */
TEST(Progress, EstimatesTheTimeLeft)
{
    EXPECT_EQ(ProgressText("alexnet", 0.25, 10), "alexnet: 25 %, 30 s left");
    EXPECT_EQ(ProgressText("", 0.5, 90), "50 %, 1.5 min left");
    EXPECT_EQ(ProgressText("", 0.9, 20), "90 %, 2.2 s left");
    EXPECT_EQ(ProgressText("", 0.996, 20), "99 %");
    EXPECT_EQ(ProgressText("", 1, 20), "99 %");
    EXPECT_EQ(ProgressText("", 2, 10), "99 %");
    EXPECT_EQ(ProgressText("", 0, 100), "0 %");
    EXPECT_EQ(ProgressText("", 0.009, 100), "0 %");
    EXPECT_EQ(ProgressText("", 0.5, 0.5), "50 %");
}

TEST(Progress, IsTextInAUnitThatSuits)
{
    EXPECT_EQ(LeftText(30), "30 s left");
    EXPECT_EQ(LeftText(9.96), "10 s left");
    EXPECT_EQ(LeftText(1.44), "1.4 s left");
    EXPECT_EQ(LeftText(90), "1.5 min left");
    EXPECT_EQ(LeftText(9000), "2.5 h left");
    EXPECT_EQ(LeftText(0.9), "");
    EXPECT_EQ(LeftText(std::nullopt), "");
}

TEST(Progress, OfASweepSaysHowManyRunsAndHowLong)
{
    EXPECT_EQ(RunsDoneText({3, 1, 40, 60}), "sweep: 3 of 40 done, 1 failed, 37 left, 1.0 min left");
    EXPECT_EQ(RunsDoneText({0, 0, 40, std::nullopt}), "sweep: 0 of 40 done, 0 failed, 40 left");
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
