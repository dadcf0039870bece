/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/progress.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

/** After @p seconds, of which @p share is done. */
TimeLeft
After(double share, double seconds)
{
    TimeLeft left;
    left.Tell(0, 0);
    left.Tell(share, seconds);
    return left;
}

} // namespace

TEST(Progress, EstimatesTheTimeLeft)
{
    // a quarter took 10 s, so three quarters take 30 s
    EXPECT_EQ(ProgressText("alexnet", 0.25, After(0.25, 10)), "alexnet: 25 %, 30 s left");
    EXPECT_EQ(ProgressText("", 0.5, After(0.5, 90)), "50 %, 1.5 min left");
}

TEST(Progress, EstimatesNothingFromTooLittle)
{
    EXPECT_EQ(ProgressText("", 0, After(0, 100)), "0 %");
    EXPECT_EQ(ProgressText("", 0.5, After(0.5, 0.5)), "50 %");
}

/* "100 %, 0 s left" stood there for the last 4 of 24 s: what comes behind the last run has no share. */
TEST(Progress, IsNeverAtItsEnd)
{
    EXPECT_EQ(ProgressText("", 1, After(1, 20)), "99 %");
    EXPECT_EQ(ProgressText("", 2, After(2, 10)), "99 %");
    EXPECT_EQ(ProgressText("", 0.996, After(0.996, 20)), "99 %"); // 0.08 s left, says the estimate
    EXPECT_EQ(ProgressText("", 0.9, After(0.9, 20)), "90 %, 2.2 s left");
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
