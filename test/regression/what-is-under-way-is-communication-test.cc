/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/run-experiment.h"
#include "scenario/keys.h"

#include <gtest/gtest.h>

namespace inca
{

/* A worker that waited for a message counted what its sender did, though the message was on its way already, and what
 * that one waited for itself. Here 3 workers have blocks of 1,460 bytes, and the links of the last are 100 times slower.
 * All send at once, and while worker 2 waits for what worker 1 has sent, over its own slow link, and 0 for 2's,
 * worker 1 has 0's block and adds. Those are not what 0 and 2 wait for: who ends last adds 2 blocks in 1 us each (1.46
 * GB/s), and waits for the network all other time. It was 5 us. */
TEST(Breakdown, OfWhatIsUnderWayIsCommunication)
{
    Scenario scenario;
    scenario.training.trace = "tensor:4380B";
    scenario.cluster.workers = 3;
    scenario.cluster.overrides.push_back({2, 100'000'000, 1});
    SetKey(scenario, "host.sum_rate", "1.46GBps");
    const auto shares = RunExperiment(scenario, {}).results.shares;
    EXPECT_EQ(shares.sumPs, 2'000'000);
    EXPECT_EQ(shares.communicationPs, shares.TotalPs() - 2'000'000);
}

} // namespace inca
