/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/plan-maker.h"

#include <gtest/gtest.h>

namespace inca
{

/* Of 14,081 values one of 64 workers' blocks has 221, all others 220. The bound took all blocks to have 221, as 14,144
 * values do: 1.301527 ms. Packet level walks through the steps of all: 1.301458 ms. */
TEST(BoundOfAMiniature, IsNotAboveThatOfAll)
{
    Scenario scenario;
    scenario.training.trace = "tensor:56324B";
    scenario.training.iterations = 40;
    scenario.cluster.workers = 64;
    scenario.cluster.bitsPerSecond = 200'000'000'000;
    scenario.cluster.latencyPs = 100'000;
    scenario.host.messageCostPs = 10'000'000;
    const auto small = MakePlan(scenario);
    ASSERT_TRUE(small.IsMiniature());

    scenario.simulation.mode = "packet";
    const auto wholePs = MakePlan(scenario).lowerBound.iterationPs;
    EXPECT_LE(small.lowerBound.iterationPs, wholePs);
    EXPECT_GE(static_cast<double>(small.lowerBound.iterationPs),
              0.99 * static_cast<double>(wholePs));
}

} // namespace inca
