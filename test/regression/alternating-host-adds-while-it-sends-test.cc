/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/simulation.h"
#include "plan/plan-maker.h"

#include <gtest/gtest.h>

namespace inca
{

/* 4 hosts that cannot send and receive at once, 4000 values: blocks of 4000 bytes, added at 1 MB/s in
 * 4 ms. A host is one thread, so each adds when both messages of its step have moved: all at the same
 * time, 3 * 4 = 12 ms in all. A worker that added while it sent would let the others wait for its
 * sums as well, 24 ms. The ends of a message are apart by less than 10 us (2 links of 1 us, 3 frames
 * of 1.2 us, an acknowledgement), by which a worker may wait for another one's sum in each of 3 steps. */
TEST(AlternatingHost, AddsWhenItsMessagesHaveMoved)
{
    Scenario scenario;
    scenario.training.trace = "tensor:16kB";
    scenario.host.duplex = "half";
    scenario.host.sumBytesPerSecond = 1'000'000;
    const auto outcome = Simulate(MakePlan(scenario), [](double) {});
    const auto sumPs = outcome.breakdown.Of(Activity::SUM);
    EXPECT_GE(sumPs, 12'000'000'000);
    EXPECT_LE(sumPs, 12'000'000'000 + 3 * 10'000'000);
}

} // namespace inca
