/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/step-timer.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

/* Computing from 10 to 30 and, beside it, 20 to 40; a collective from 35 to 60. */
TorchRecording
Recording()
{
    TorchRecording recording;
    recording.work = {{5, 10, 30, false}, {6, 20, 40, false}, {7, 35, 60, true}};
    return recording;
}

} // namespace

TEST(DeviceClock, WaitsForWhatWasLaunched)
{
    const DeviceClock clock(Recording());
    EXPECT_EQ(clock.DoneAt(4), 4);
    EXPECT_EQ(clock.DoneAt(5), 30);
    EXPECT_EQ(clock.DoneAt(8), 40); // collectives are no work
    EXPECT_EQ(clock.DoneAt(50), 50);
}

TEST(DeviceClock, CountsWhatGoesOnTogetherOnce)
{
    const DeviceClock clock(Recording());
    EXPECT_EQ(clock.Busy(0, 5), 20);
    EXPECT_EQ(clock.Busy(5, 6), 10);
    EXPECT_EQ(clock.Busy(0, 100), 30);
    EXPECT_EQ(clock.Collectives(0, 50), 15);
    EXPECT_EQ(clock.ExposedCollectives(0, 100), 20); // from 40 to 60
    EXPECT_EQ(clock.ExposedCollectives(50, 55), 5);
}

TEST(DeviceClock, OfNoGpuIsTheCpus)
{
    const DeviceClock clock(TorchRecording{});
    EXPECT_FALSE(clock.HasWork());
    EXPECT_EQ(clock.DoneAt(7), 7);
    EXPECT_EQ(clock.Busy(0, 7), 0);
}

} // namespace inca
