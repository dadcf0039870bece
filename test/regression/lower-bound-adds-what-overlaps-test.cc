/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Coding and adding were added up where exchanges overlap: the bound was up to 1.91 times the time.
#include "experiment/run-experiment.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

Scenario
Casting(const char* algorithm)
{
    Scenario scenario;
    scenario.exchange.algorithm = algorithm;
    scenario.exchange.groupSize = 2;
    scenario.codec.name = "cast";
    scenario.codec.placement = "cpu";
    return scenario;
}

void
ExpectBound(const Scenario& scenario)
{
    const auto results = RunExperiment(scenario, {}).results;
    EXPECT_LE(*results.lowerBoundPs, results.iterationTimePs);
    EXPECT_EQ(results.limitedBy, "host");
}

} // namespace

TEST(LowerBoundOfOverlaps, TakesTheBusiestPart)
{
    for (const auto* algorithm : {"ring", "hierarchical-ring", "hierarchical-aggregator"})
    {
        auto scenario = Casting(algorithm);
        scenario.training.trace = "tensor:10MB";
        scenario.cluster.bitsPerSecond = 400'000'000'000;
        scenario.exchange.chunkBytes = 100'000;
        scenario.exchange.concurrent = 16;
        scenario.codec.encodeBytesPerSecond = 4'000'000'000;
        scenario.codec.decodeBytesPerSecond = 4'000'000'000;
        scenario.host.sumBytesPerSecond = 1'000'000'000;
        ExpectBound(scenario);
    }
}

/* Copies of 100 MB/s and what is coded after the last of them: 0.9 % above the time. */
TEST(LowerBoundOfOverlaps, TakesTheLastCopy)
{
    for (const auto* trace : {"hdc", "tensor:300kB"})
    {
        auto scenario = Casting("ring");
        scenario.training.trace = trace;
        scenario.cluster.workers = 11;
        scenario.cluster.bitsPerSecond = 100'000'000'000;
        scenario.exchange.chunkBytes = 20'000;
        scenario.exchange.concurrent = 3;
        scenario.codec.encodeBytesPerSecond = 1'000'000'000;
        scenario.codec.decodeBytesPerSecond = 1'000'000'000;
        scenario.host.copyBytesPerSecond = 100'000'000;
        ExpectBound(scenario);
    }
}

} // namespace inca
