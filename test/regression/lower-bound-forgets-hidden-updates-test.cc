/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/run-experiment.h"

#include <gtest/gtest.h>

namespace inca
{

/* Updates of one iteration run beside the next forward pass, so the bound may count them in full only
 * once; and a worker that computes twice as long is in nobody else's time. */
TEST(LowerBound, CountsHiddenUpdatesOnce)
{
    for (const std::uint32_t iterations : {1U, 2U, 4U})
    {
        for (const std::uint32_t warmup : {0U, iterations - 1})
        {
            Scenario scenario;
            scenario.training.trace = "hdc";
            scenario.training.send = "end";
            scenario.training.iterations = iterations;
            scenario.simulation.warmup = warmup;
            const auto results = RunExperiment(scenario, {}).results;
            EXPECT_LE(*results.lowerBoundPs, results.iterationTimePs)
                << iterations << " " << warmup;
            // latency, turns and acknowledgements are all that the bound leaves out here
            EXPECT_GE(*results.lowerBoundPs * 100, results.iterationTimePs * 98)
                << iterations << " " << warmup;
        }
    }
}

TEST(LowerBound, KnowsASlowWorker)
{
    Scenario scenario;
    scenario.training.trace = "hdc";
    scenario.training.send = "end";
    const auto evenPs = *RunExperiment(scenario, {}).results.lowerBoundPs;
    scenario.cluster.overrides = {{0, {}, 2.0}};
    const auto results = RunExperiment(scenario, {}).results;
    // forward, backward and update of hdc once more: 0.8 + 0.7 + 0.5126 ms, but what the others
    // send it first is there: of 6 steps' ways, of two links of 1 us and 1.2 us a frame, some are spared
    EXPECT_NEAR(static_cast<double>(*results.lowerBoundPs - evenPs), 2.0126e9, 6 * 3.3e6);
    EXPECT_LE(*results.lowerBoundPs, results.iterationTimePs);
}

/* A decompression engine of 1 Gb/s: a ring of 4 receives 6 blocks of a quarter of 2.592 MB, so the
 * bound is at least 6 * 648 kB * 8 / 1 Gb/s = 31 ms of engine. */
TEST(LowerBound, KnowsBothEngines)
{
    Scenario scenario;
    scenario.training.trace = "hdc";
    scenario.codec.name = "inceptionn";
    scenario.attributes = {{"inca::DecompressionEngine::Width", "8"},
                           {"inca::DecompressionEngine::Clock", "125MHz"}};
    const auto results = RunExperiment(scenario, {}).results;
    EXPECT_GE(*results.lowerBoundPs, 31'000'000'000);
    EXPECT_EQ(results.limitedBy, "decompression engine");
    EXPECT_LE(*results.lowerBoundPs, results.iterationTimePs);
}

} // namespace inca
