/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/watchdog.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

constexpr std::int64_t SECOND_PS{1'000'000'000'000};

} // namespace

/* 65,536 workers and one aggregator at 10 Gb/s, 100 MB each: 2 * 65,536 * 100 MB * 8 / 10 Gb/s are more than 10,000 s
 * of simulated time, of which the run looked at Ctrl-C every 20 s, in which 20 million frames come and go. Of 20
 * hours of CPU time, 72,000 s, five looks in each second are 10,000 s / 360,000 = 27.8 ms from look to look. */
TEST(CtrlCWaitsMinutesForALook, LongRunsAreLookedAtInEachSecond)
{
    EXPECT_EQ(WatchdogLookPs({10'000 * SECOND_PS, 1, 72'000, 60 * SECOND_PS}),
              10'000 * SECOND_PS / 360'000);
}

/* 200 looks, whatever time a short run takes: 2 iterations of 1 s are 2 s / 200 = 10 ms. */
TEST(CtrlCWaitsMinutesForALook, ShortRunsAreLookedAtSomeHundredTimes)
{
    EXPECT_EQ(WatchdogLookPs({SECOND_PS, 2, 3, 10 * SECOND_PS}), SECOND_PS / 100);
}

/* Not less often than the watchdog's patience, nor more often than once in a microsecond. */
TEST(CtrlCWaitsMinutesForALook, LooksKeepToTheWatchdogsPatience)
{
    EXPECT_EQ(WatchdogLookPs({10'000 * SECOND_PS, 1, 1, SECOND_PS}), SECOND_PS);
    EXPECT_EQ(WatchdogLookPs({1'000, 1, 1, SECOND_PS}), 1'000'000);
}

} // namespace inca
