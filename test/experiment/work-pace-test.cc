/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/work-pace.h"

#include <gtest/gtest.h>

#include <cmath>

namespace inca
{

TEST(WorkPace, IsNothingBeforeAnythingIsDone)
{
    WorkPace pace({10, 5});
    EXPECT_EQ(pace.Share(), 0);
    pace.Tell({0, 0}, 3);
    EXPECT_EQ(pace.Share(), 0);
    EXPECT_EQ(WorkPace({0}).Share(), 0);
}

/* Nothing is known but estimates: 4 of 20 s are done when it is first heard of, at 6 s; 16 s are left. */
TEST(WorkPace, BelievesEstimatesAtFirst)
{
    WorkPace pace({20});
    pace.Tell({0.2}, 6);
    EXPECT_DOUBLE_EQ(pace.Share(), 6.0 / (6 + 16));
}

/* As long as estimated: half of it is done after half of the time, and what was before is over. */
TEST(WorkPace, IsOnTimeWhereEstimatesAre)
{
    WorkPace pace({10, 10});
    pace.Tell({0, 0}, 2);
    for (int i = 1; i <= 10; ++i)
    {
        pace.Tell({i / 10.0, 0}, 2 + i);
        EXPECT_NEAR(pace.Share(), (2.0 + i) / 22, 1e-12);
    }
}

/*
 * One part, three times slower than estimated: 30 s instead of 10. When it began is not known, so that its second tenth,
 * 1 s, tells first that it takes 3; the 0.5 s that are doubted take 0.5 sqrt(3): (3 + 0.5 sqrt(3)) / 1.5 s for each of
 * 8 s.
 */
TEST(WorkPace, LearnsHowLongAPartTakes)
{
    WorkPace pace({10});
    pace.Tell({0}, 0);
    pace.Tell({0.1}, 3);
    EXPECT_DOUBLE_EQ(pace.Share(), 3 / (3 + 9 * std::sqrt(3.0)));
    pace.Tell({0.2}, 6);
    const auto left = 8 * (3 + 0.5 * std::sqrt(3.0)) / 1.5;
    EXPECT_DOUBLE_EQ(pace.Share(), 6 / (6 + left));
    for (int i = 3; i <= 9; ++i)
    {
        pace.Tell({i / 10.0}, 3.0 * i);
    }
    EXPECT_NEAR(pace.Share(), 0.9, 0.01); // some of what is left is still doubted
}

/* The first part took four times as long as estimated: the second is expected to take twice its 10 s. */
TEST(WorkPace, ExpectsPartsToBeOffInPartTogether)
{
    WorkPace pace({10, 10});
    pace.Tell({0, 0}, 0);
    pace.Tell({1, 0}, 40);
    EXPECT_NEAR(pace.Share(), 40.0 / 60, 1e-12);
}

/* Two parts in turn, the second of which takes three times its estimate: 10 + 30 s, whichever goes on. */
TEST(WorkPace, TellsPartsApart)
{
    WorkPace pace({10, 10});
    pace.Tell({0, 0}, 0);
    double seconds = 0;
    for (int i = 1; i <= 15; ++i)
    {
        pace.Tell({i / 20.0, (i - 1) / 20.0}, seconds += 0.5);
        pace.Tell({i / 20.0, i / 20.0}, seconds += 1.5);
    }
    EXPECT_NEAR(pace.Share(), 0.75, 0.02); // some of it is still doubted
}

/* A tenth took 50 s, then each hundredth 1 s: what was before half of it counts e^-2. */
TEST(WorkPace, GoesByWhatWasDoneLast)
{
    WorkPace pace({100});
    pace.Tell({0}, 0);
    pace.Tell({0.05}, 25);
    pace.Tell({0.1}, 50);
    for (int i = 11; i <= 60; ++i)
    {
        pace.Tell({i / 100.0}, 50.0 + i - 10);
    }
    const auto left = 100 * (1 / pace.Share() - 1);
    EXPECT_GT(left, 40);
    EXPECT_LT(left, 60); // by all that was done it would be 40 * 100 / 60 = 67 s
}

/*
 * A fifth is done on time, in 20 s, then nothing for 40 s but a thousandth, which is taken to be four times slower, not
 * 400 times. Remembered are sum(e^-0.04k, k < 19) = 13.6 s that took as long, and 0.1 s that took 0.4; 5 s are doubted, at
 * sqrt(20.4 / 20.1) = 1.007: (13.6 + 0.4 + 5.04) / 18.7 = 1.018 for each of 79.9 s.
 */
TEST(WorkPace, TakesAStandstillForOtherWork)
{
    WorkPace pace({100});
    pace.Tell({0}, 0);
    for (int i = 1; i <= 20; ++i)
    {
        pace.Tell({i / 100.0}, i);
    }
    pace.Tell({0.201}, 60);
    const auto left = 60 * (1 / pace.Share() - 1);
    EXPECT_NEAR(left, 79.9 * 1.018, 0.5);
}

/* 10 of 30 s are done, in 10 s; 10 of those that are left need not be. */
TEST(WorkPace, LeavesOutWhatIsNotToBeDone)
{
    WorkPace pace({10, 10, 10});
    pace.Tell({0, 0, 0}, 0);
    pace.Tell({1, 0, 0}, 10);
    EXPECT_NEAR(pace.Share(), 10.0 / 30, 1e-12);
    pace.Expect(2, false);
    EXPECT_NEAR(pace.Share(), 10.0 / 20, 1e-12);
    pace.Expect(2, true);
    EXPECT_NEAR(pace.Share(), 10.0 / 30, 1e-12);
}

} // namespace inca
