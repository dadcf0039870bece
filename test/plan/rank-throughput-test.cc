/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/rank-throughput.h"

#include "plan/round-numbers.h"

#include <gtest/gtest.h>

namespace inca
{

/* A ring of 2 with 730 values: each worker sends and takes 2 full frames, and adds one. */
TEST(RankThroughput, OfARingWorkerIsItsLinks)
{
    auto scenario = RoundScenario();
    scenario.host.sumBytesPerSecond = 1'000'000'000;
    const auto busy = ThroughputOf(scenario, *RoundJob("ring", 730), RoundNetwork(2), 0);
    EXPECT_DOUBLE_EQ(busy.sending.Ps(), 2 * 1538 * NS);
    EXPECT_DOUBLE_EQ(busy.taking.Ps(), 2 * 1538 * NS);
    EXPECT_DOUBLE_EQ(busy.working.Ps(), 1460 * NS);
    EXPECT_DOUBLE_EQ(busy.sending.Gain(Limit::LINK), 2 * 1538 * NS * (1 - 1 / RAISE));
}

/* One frame at a time: the second waits for the first one's trip of 3664. */
TEST(RankThroughput, AWindowOfOneIsATripPerFrame)
{
    auto scenario = RoundScenario();
    scenario.transport.window = 1;
    const auto busy = ThroughputOf(scenario, *RoundJob("ring", 730), RoundNetwork(2), 0);
    EXPECT_DOUBLE_EQ(busy.sending.Ps(), 3664 * NS);
}

/* 1 us per message and 100 ns per frame: 2 of each out, and 2 frames in. */
TEST(RankThroughput, HostsMayBeSlowerThanLinks)
{
    auto scenario = RoundScenario();
    scenario.host.messageCostPs = 1'000'000;
    scenario.host.frameCostPs = 1'000'000;
    const auto busy = ThroughputOf(scenario, *RoundJob("ring", 730), RoundNetwork(2), 0);
    EXPECT_DOUBLE_EQ(busy.sending.Ps(), 4000 * NS);
    EXPECT_DOUBLE_EQ(busy.sending.Gain(Limit::HOST), (4000 - 3200) * NS);
    EXPECT_DOUBLE_EQ(busy.taking.Ps(), 2 * 1538 * NS);
}

/* 2 workers' frames into an aggregator, whose update of the tensor takes 9000 ns. */
TEST(RankThroughput, AnAggregatorUpdates)
{
    const auto job = RoundJob("worker-aggregator", 365);
    job->layers[0].aggregatorUpdatePs = 9'000'000;
    const auto busy = ThroughputOf(RoundScenario(), *job, RoundNetwork(3), 2);
    EXPECT_DOUBLE_EQ(busy.taking.Ps(), 2 * 1538 * NS);
    EXPECT_DOUBLE_EQ(busy.working.Ps(), 9000 * NS);
    EXPECT_DOUBLE_EQ(busy.working.Gain(Limit::COMPUTE), 9000 * NS * (1 - 1 / RAISE));
}

} // namespace inca
