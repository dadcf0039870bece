/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/simulation.h"

#include <gtest/gtest.h>

namespace inca
{

/* A server still sends the sum of the index to the last of 8 workers when the first one's sketch comes
 * in. The bound took a server's whole receiving and sending of both rounds for one after the other. */
TEST(LowerBoundOfRounds, LetsTheSecondBeginWhileTheFirstEnds)
{
    for (const auto* algorithm : {"parameter-server", "sharded-parameter-server"})
    {
        Scenario scenario;
        scenario.training.trace = "tensor:8MB";
        scenario.training.density = 0.05;
        scenario.training.unionExponent = 0;
        scenario.cluster.workers = 8;
        scenario.cluster.servers = 1;
        scenario.cluster.bitsPerSecond = 25'000'000'000;
        scenario.exchange.algorithm = algorithm;
        scenario.codec.name = "homomorphic";
        scenario.codec.placement = "gpu";
        const auto outcome = Simulate(scenario, [](double) {});
        const auto iterationPs = outcome.seen->iterationEndPs.back();
        EXPECT_LE(outcome.plan.lowerBound.iterationPs, iterationPs) << algorithm;
        EXPECT_GE(outcome.plan.lowerBound.iterationPs, iterationPs / 2) << algorithm;
    }
}

} // namespace inca
