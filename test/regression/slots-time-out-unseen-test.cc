/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/run-experiment.h"
#include "record/precision.h"
#include "scenario/keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace inca
{

namespace
{

using Settings = std::vector<std::pair<const char*, const char*>>;

Scenario
Made(const Settings& settings)
{
    Scenario scenario;
    for (const auto& [key, text] : settings)
    {
        SetKey(scenario, key, text);
    }
    return scenario;
}

/** @return what is sent again */
std::uint64_t
SentAgain(Scenario scenario)
{
    const auto record = RunExperiment(scenario, {});
    EXPECT_LT(record.results.packetLevelShare, 1);
    EXPECT_TRUE(record.results.exact);
    scenario.simulation.mode = "packet";
    EXPECT_THAT(PrecisionOf(record, RunExperiment(scenario, {})).differing, testing::IsEmpty());
    return record.results.retransmitted;
}

} // namespace

/* Worker 1's link takes 8.848 us for each packet of 1,106 bytes. The others have sent 256 packets within 0.23 ms, and wait
 * for a sum every 8.848 us: for the first one as long, and for each of 257 to 512 256 times as long, 2.265 ms. The
 * network looks the same after each of them, and how long it had waited was no part of that: what was left out had no
 * timeouts. They strike after 1 ms, 2 ms after 100 of them, and after 200 no more: 4 ms are longer. */
TEST(SlotsTimeOut, WhereOthersWaitForASlowLink)
{
    auto scenario = Made({{"training.trace", "tensor:4MB"},
                          {"cluster.workers", "3"},
                          {"exchange.algorithm", "switch-slots"},
                          {"switch.slots", "256"}});
    scenario.cluster.overrides = {{1, 1'000'000'000, 1.0}};
    const auto again = SentAgain(std::move(scenario));
    EXPECT_GE(again, 2 * 200U);
}

/* 256 packets with weights of 614 bytes wait before a link of 1 Gb/s for up to 1.26 ms, once the queue has filled. */
TEST(SlotsTimeOut, WhereAQueueFills)
{
    SentAgain(Made({{"training.trace", "tensor:2MB"},
                    {"training.sharding", "optimizer"},
                    {"training.iterations", "3"},
                    {"cluster.workers", "5"},
                    {"cluster.bandwidth", "1Gbps"},
                    {"exchange.algorithm", "switch-slots"},
                    {"switch.slots", "256"},
                    {"switch.values_per_packet", "133"}}));
}

} // namespace inca
