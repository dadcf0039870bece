/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/switch/scenarios.h"

#include "exchange/slot-scheme.h"
#include "experiment/run-experiment.h"
#include "scenario/keys.h"
#include "scenario/scenario-reader.h"
#include "validation/switch/slot-times.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace inca
{

namespace
{

/** Every setting, defaults included, a line each. */
std::string
Text(const Scenario& scenario)
{
    std::string text;
    for (const auto& setting : ResolvedSettings(scenario))
    {
        text += setting.table + "." + setting.key + " = " + setting.text + "\n";
    }
    return text;
}

TEST(SwitchScenarios, AreWhatTheReaderTakes)
{
    for (const auto& scenario : {SwitchReplayScenario("vgg16-a100", 10),
                                 SwitchDrawnScenario("vgg16-a100", 100, 7),
                                 SwitchExchangeScenario(405'824, 100),
                                 SmallPoolScenario(6400, 4),
                                 SwitchMlScenario(25'600, 256, 100, 16),
                                 RingBesideScenario(25'600, 100, 8)})
    {
        const auto read = ParseScenario(FormatScenario(scenario), "made", {});
        EXPECT_EQ(Text(read.scenario), Text(scenario));
        EXPECT_TRUE(read.warnings.empty()) << read.warnings.front();
    }
}

TEST(SwitchScenarios, ReplayIsWhatTheExampleSays)
{
    const auto read = ReadScenario(INCA_SOURCE_DIR "/examples/switch/slots-resnet50.toml", {});
    EXPECT_EQ(Text(read.scenario), Text(SwitchReplayScenario("resnet50-a100", 10)));
    EXPECT_TRUE(read.warnings.empty());
}

/* The reference's frames are 9000 bytes: 2229 values and the headers are 8998. Pools are 128 and 512. */
TEST(SwitchScenarios, DrawnOnesDifferInJitterAndSeedAlone)
{
    const auto drawn = SwitchDrawnScenario("vgg16-a100", 100, 7);
    EXPECT_EQ(SlotFrameBytes(ReadSlotSettings(drawn.aggregation).valuesPerPacket), 8998U);
    EXPECT_EQ(ReadSlotSettings(drawn.aggregation).slots, 512U);
    EXPECT_EQ(ReadSlotSettings(SwitchReplayScenario("vgg16-a100", 10).aggregation).slots, 128U);
    auto calm = drawn;
    calm.training.jitter = "none";
    calm.training.jitterSd = 0;
    calm.simulation.seed = 1;
    EXPECT_EQ(Text(calm), Text(SwitchReplayScenario("vgg16-a100", 100)));
}

std::int64_t
SimulatedPs(const Scenario& scenario)
{
    return RunExperiment(scenario, {}).results.exchangeTimePs.value_or(0);
}

/* Up and down a link each, to the picosecond. */
TEST(SwitchScenarios, OnePacketTakesARoundTrip)
{
    for (const std::uint64_t gigabits : {10, 100})
    {
        const auto scenario = SwitchExchangeScenario(2229, gigabits);
        EXPECT_EQ(SimulatedPs(scenario), SlotRoundTripPs(scenario));
    }
}

/* 600 packets over 512 slots: 513 and on wait for sums that came long before. */
TEST(SwitchScenarios, ManyPacketsFollowEachOtherWithoutAGap)
{
    const auto scenario = SwitchExchangeScenario(600 * 2229 - 5, 100);
    EXPECT_EQ(SimulatedPs(scenario), SlotExchangePs(scenario, 600 * 2229 - 5));
}

/* One slot: every packet waits for the sum before it. */
TEST(SwitchScenarios, OneSlotTakesARoundTripPerPacket)
{
    const auto scenario = SmallPoolScenario(640, 1);
    EXPECT_EQ(SimulatedPs(scenario), 10 * SlotRoundTripPs(scenario));
}

TEST(SwitchScenarios, ReplayTellsTheEndOfEveryIteration)
{
    const auto results = RunExperiment(SwitchReplayScenario("googlenet-a100", 100), {}).results;
    ASSERT_EQ(results.iterationEndsPs.size(), 10U);
    EXPECT_NEAR(static_cast<double>(results.iterationEndsPs.back()) / 10,
                static_cast<double>(results.iterationTimePs),
                1);
    EXPECT_EQ(results.retransmitted, 0U);
}

} // namespace

} // namespace inca
