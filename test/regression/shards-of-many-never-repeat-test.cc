/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What switches hand on to all but its owner comes in turns of W - 1 packets: looks at the network were never that far
// apart, or a multiple of it, so that nothing of 8 or 16 workers' weights was left out.
#include "experiment/switch-fixture.h"

#include "experiment/run-experiment.h"

#include <gtest/gtest.h>

namespace inca
{

using ShardsOfMany = SwitchFixture;

/* 40 MB, 40,000 packets: a pool of 128 fills within a few 100 packets, after which 8 workers' packets repeat
 * themselves every 8. States are compared with one up to half as old: twice that, and less than a 10th is simulated. One
 * slow worker keeps others from standing for all. */
TEST_F(ShardsOfMany, RepeatThemselves)
{
    for (const std::uint32_t workers : {8U, 16U})
    {
        auto scenario = Slots(40'000, workers);
        scenario.training.sharding = "optimizer";
        SetKey(scenario, "switch.scaling", "block");
        scenario.cluster.overrides = {{1, 10'000'000'000, 2.0}};
        const auto results = RunExperiment(scenario, {}).results;
        EXPECT_EQ(results.simulatedRanks, workers);
        EXPECT_TRUE(results.exact);
        EXPECT_LT(results.packetLevelShare, 0.1);
    }
}

} // namespace inca
