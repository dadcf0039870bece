/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "sweep/run-process.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

/** Waits until it has ended. */
void
Await(RunProcess& process)
{
    while (!process.HasEnded())
    {
        WaitForOutput({&process}, 1000);
    }
}

} // namespace

/*
 * The longest run of a sweep is its first: until it had ended, nothing was known of the time left, or what was known
 * grew. A run's process tells how far it is, and then of its end.
 */
TEST(RunsOfASweepTellNothing, AProcessTellsHowFarItIs)
{
    const auto process = StartRun(
        [](const RunProgress& progress) -> RunRecord {
            progress(0.25);
            progress(0.5);
            throw RunError("given up");
        },
        std::chrono::milliseconds(0));
    Await(*process);
    EXPECT_DOUBLE_EQ(process->Share(), 0.5);
    EXPECT_THROW(process->Result(), RunError);
}

TEST(RunsOfASweepTellNothing, AProcessNeedNotTell)
{
    const auto process = StartRun([](const RunProgress&) -> RunRecord { throw RunError("so"); });
    Await(*process);
    EXPECT_EQ(process->Share(), 0);
    EXPECT_EQ(process->Text(), "fso");
}

} // namespace inca
