/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/runs-left.h"

#include <gtest/gtest.h>

namespace inca
{

TEST(RunsLeft, IsNotKnownBeforeAnythingIs)
{
    EXPECT_FALSE(RunsLeft().Seconds({}, {10, 5}, 1));
    EXPECT_FALSE(RunsLeft().Seconds({{10, 0, 3}}, {10, 5}, 1)); // it has not told yet
}

/* 4 units took 8 s, 2 s each: 6 units take 12 s, or 6 s for each of two jobs. */
TEST(RunsLeft, LearnsWhatWorkTakes)
{
    RunsLeft left;
    left.Ended(4, 8);
    EXPECT_DOUBLE_EQ(*left.Seconds({}, {6, 1}, 1), 12);
    EXPECT_DOUBLE_EQ(*left.Seconds({}, {6, 1}, 2), 6);
}

/* Of two jobs, one does the longest of what waits, 5 of 6 units, 2 s each: 10 s, not half of 12 s. */
TEST(RunsLeft, LastsAsLongAsItsLongestRun)
{
    RunsLeft left;
    left.Ended(4, 8);
    EXPECT_DOUBLE_EQ(*left.Seconds({}, {6, 5}, 2), 10);
}

/* A fifth of 10 units took 6 s: 3 s a unit. The run itself takes another 24 s, 2 units that wait 6 s. */
TEST(RunsLeft, LearnsFromRunsUnderWay)
{
    EXPECT_DOUBLE_EQ(*RunsLeft().Seconds({{10, 0.2, 6}}, {2, 2}, 1), 30);
}

/*
 * 4 units took 8 s. A run of 10 units, 20 s by that, has gone on for 5 s without a word: another 15 s. One of 3 units
 * that should have ended 1 s ago is about to.
 */
TEST(RunsLeft, BelievesTheEstimateOfRunsThatDoNotTell)
{
    RunsLeft left;
    left.Ended(4, 8);
    EXPECT_DOUBLE_EQ(*left.Seconds({{10, 0, 5}, {3, 0, 7}}, {}, 2), 15);
}

/* Half of a run is done after 4 s: 4 s more, whatever others took. */
TEST(RunsLeft, BelievesARunMoreThanItsEstimate)
{
    RunsLeft left;
    left.Ended(4, 400);
    EXPECT_DOUBLE_EQ(*left.Seconds({{10, 0.5, 4}}, {}, 1), 4);
}

} // namespace inca
