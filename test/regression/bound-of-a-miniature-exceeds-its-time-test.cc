/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/plan-maker.h"

#include <gtest/gtest.h>

namespace inca
{

/* Of 769 values one of 64 workers' blocks has 13, all others 12. The bound took all blocks to have 13: 1.286900 ms an
 * iteration, which takes 1.286869. Packet level walks through the steps of all: 1.286832 ms. */
TEST(BoundOfAMiniature, IsNotAboveThatOfAll)
{
    Scenario scenario;
    scenario.training.trace = "tensor:3076B";
    scenario.training.iterations = 40;
    scenario.cluster.workers = 64;
    scenario.cluster.bitsPerSecond = 200'000'000'000;
    scenario.cluster.latencyPs = 100'000;
    scenario.host.messageCostPs = 10'000'000;
    const auto small = MakePlan(scenario);
    ASSERT_TRUE(small.IsMiniature());

    scenario.simulation.framesPerTrain = 1;
    const auto wholePs = MakePlan(scenario).lowerBound.iterationPs;
    EXPECT_LE(small.lowerBound.iterationPs, wholePs);
    EXPECT_GE(static_cast<double>(small.lowerBound.iterationPs),
              0.99 * static_cast<double>(wholePs));
}

} // namespace inca
