/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/runs-left.h"

#include <gtest/gtest.h>

#include <cmath>

namespace inca
{

namespace
{

RunAhead
Ring(double work)
{
    return {"ring", work};
}

} // namespace

TEST(RunsLeft, IsNotKnownBeforeAnythingIs)
{
    RunsLeft left;
    left.Waits(Ring(5));
    EXPECT_FALSE(left.Seconds({}, 1));
    EXPECT_FALSE(left.Seconds({{Ring(10), 0, 3}}, 1)); // it has not told yet
}

/* 4 units took 8 s, 2 s each: 6 units take 12 s, or 6 s for each of two jobs. */
TEST(RunsLeft, LearnsWhatWorkTakes)
{
    RunsLeft left;
    left.Ended(Ring(4), 8);
    for (int i = 0; i < 6; ++i)
    {
        left.Waits(Ring(1));
    }
    EXPECT_DOUBLE_EQ(*left.Seconds({}, 1), 12);
    EXPECT_DOUBLE_EQ(*left.Seconds({}, 2), 6);
}

TEST(RunsLeft, ForgetsWhatWaitsNoMore)
{
    RunsLeft left;
    left.Ended(Ring(4), 8);
    left.Waits(Ring(3));
    left.Waits(Ring(1));
    left.WaitsNoMore(Ring(3));
    EXPECT_DOUBLE_EQ(*left.Seconds({}, 1), 2);
    left.WaitsNoMore(Ring(1));
    EXPECT_DOUBLE_EQ(*left.Seconds({}, 1), 0);
}

/* Of two jobs, one does the longest of what waits, 5 of 6 units, 2 s each: 10 s, not half of 12 s. */
TEST(RunsLeft, LastsAsLongAsItsLongestRun)
{
    RunsLeft left;
    left.Ended(Ring(4), 8);
    left.Waits(Ring(5));
    left.Waits(Ring(1));
    EXPECT_DOUBLE_EQ(*left.Seconds({}, 2), 10);
}

/*
 * A fifth of 10 units took 6 s: the run itself takes another 24 s. 2 units that wait go by its 3 s a unit as far as it
 * has come, 0.2, and by what was estimated, 1 s, as far as not, 0.8 / 16: 2 * 3^(0.2 / 0.25) s.
 */
TEST(RunsLeft, LearnsFromRunsUnderWay)
{
    RunsLeft left;
    left.Waits(Ring(2));
    EXPECT_DOUBLE_EQ(*left.Seconds({{Ring(10), 0.2, 6}}, 1), 24 + 2 * std::pow(3, 0.8));
}

/* A tree's unit took 4 s. Of rings nothing is known: what was estimated counts as much as the tree, 2 s a unit. */
TEST(RunsLeft, TrustsOtherKindsHalfway)
{
    RunsLeft left;
    left.Ended({"tree", 1}, 4);
    left.Waits(Ring(1));
    EXPECT_DOUBLE_EQ(*left.Seconds({}, 1), 2);
}

/*
 * 4 units took 8 s. A run of 10 units, 20 s by that, has gone on for 5 s without a word: another 15 s. One of 3 units
 * that should have ended 1 s ago is about to.
 */
TEST(RunsLeft, BelievesTheEstimateOfRunsThatDoNotTell)
{
    RunsLeft left;
    left.Ended(Ring(4), 8);
    EXPECT_DOUBLE_EQ(*left.Seconds({{Ring(10), 0, 5}, {Ring(3), 0, 7}}, 2), 15);
}

/* Half was done after 4 s, of a run that has been silent for 3 s since then: 1 s more. */
TEST(RunsLeft, KnowsThatASilentRunGoesOn)
{
    EXPECT_DOUBLE_EQ(*RunsLeft().Seconds({{Ring(10), 0.5, 7, 3}}, 1), 1);
}

/* Half of a run is done after 4 s: 4 s more, whatever others took. */
TEST(RunsLeft, BelievesARunMoreThanItsEstimate)
{
    RunsLeft left;
    left.Ended(Ring(4), 400);
    EXPECT_DOUBLE_EQ(*left.Seconds({{Ring(10), 0.5, 4}}, 1), 4);
}

/*
 * 1 s a unit of 64, 4 s a unit of 1. Units of 1 that wait go by the latter with weight 1, by the former, six doublings
 * away, with 4^-6: exp(ln 4 / (1 + 4^-6)) s.
 */
TEST(RunsLeft, GoesByRunsOfAboutTheSameLength)
{
    RunsLeft left;
    left.Ended(Ring(64), 64);
    left.Ended(Ring(1), 4);
    left.Waits(Ring(1));
    EXPECT_DOUBLE_EQ(*left.Seconds({}, 1), std::exp(std::log(4) / (1 + std::pow(4, -6))));
}

/* A tree's unit takes 4 s, a ring's 1: one more tree takes 4 s, the ring counting for a sixteenth. */
TEST(RunsLeft, GoesByRunsOfItsKind)
{
    RunsLeft left;
    left.Ended(Ring(1), 1);
    left.Ended({"tree", 1}, 4);
    left.Waits({"tree", 1});
    EXPECT_DOUBLE_EQ(*left.Seconds({}, 1), std::exp(std::log(4) / (1 + 1.0 / 16)));
}

} // namespace inca
