/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What must hold of any run whose workers keep shards.
#include "experiment/drawn-scenario.h"
#include "experiment/run-experiment.h"
#include "record/detail-tables.h"
#include "record/precision.h"
#include "scenario/specs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace inca
{

class DrawnShards : public testing::Test
{
  protected:
    static RunRecord AtPacketLevel(Scenario scenario)
    {
        scenario.simulation.mode = "packet";
        return RunExperiment(scenario, {});
    }

    /** For each packet, one exchange after the other. */
    static bool OnlyWiresTakeTime(const Scenario& scenario)
    {
        const auto& host = scenario.host;
        return host.frameCostPs == 0 && host.byteBytesPerSecond == 0 &&
               scenario.exchange.concurrent == 1 &&
               MakeScheme(scenario)->AddedValuesPerSecond() == 0;
    }

    static void ExpectSame(const RunRecord& record, const RunRecord& packetLevel)
    {
        EXPECT_THAT(PrecisionOf(record, packetLevel).differing, testing::IsEmpty());
        EXPECT_EQ(LayersCsv(record), LayersCsv(packetLevel));
        EXPECT_EQ(LinksCsv(record), LinksCsv(packetLevel));
    }
};

/* Shards have one size, so whoever stands for others does what they do, to the picosecond. */
TEST_F(DrawnShards, AreThoseOfPacketLevel)
{
    const DrawnTraces traces(testing::TempDir());
    const DrawnTraces larger(testing::TempDir(), 40);
    std::uint32_t folded = 0;
    for (std::uint32_t number = 0; number < 120; ++number)
    {
        const auto scenario = DrawnShardsOfHosts(number, number % 8 == 0 ? larger : traces);
        SCOPED_TRACE(std::to_string(number) + ": " + SettingsOf(scenario));
        const auto record = RunExperiment(scenario, {});
        const auto& results = record.results;
        ExpectSame(record, AtPacketLevel(scenario));
        EXPECT_TRUE(results.exact);
        EXPECT_LE(*results.lowerBoundPs, results.iterationTimePs);
        folded += results.simulatedRanks < results.ranks ? 1 : 0;
    }
    EXPECT_GT(folded, 15U); // most draw switches or workers that differ
}

/* One switch: three workers stand for all where slots fill the links. What they do not show are queues: all else is as near
 * as the row says, and bytes are the same. Where nothing but the wire takes time for each packet, and one exchange follows
 * the other, times are the same to the picosecond. */
TEST_F(DrawnShards, OfASwitchAreThoseOfPacketLevel)
{
    const DrawnTraces traces(testing::TempDir());
    const DrawnTraces larger(testing::TempDir(), 20);
    std::uint32_t folded = 0;
    for (std::uint32_t number = 0; number < 120; ++number)
    {
        const auto scenario = DrawnShardsOfSwitch(number, number % 4 == 0 ? larger : traces);
        SCOPED_TRACE(std::to_string(number) + ": " + SettingsOf(scenario));
        const auto record = RunExperiment(scenario, {});
        const auto& results = record.results;
        const auto precision = PrecisionOf(record, AtPacketLevel(scenario));
        EXPECT_TRUE(precision.IsSound(results.exact));
        EXPECT_LE(*results.lowerBoundPs, results.iterationTimePs);
        folded += results.simulatedRanks < results.ranks ? 1 : 0;
        if (OnlyWiresTakeTime(scenario))
        {
            EXPECT_EQ(precision.iterationError, 0);
            EXPECT_EQ(precision.communicationError, 0);
            EXPECT_EQ(precision.exchangeError, 0);
        }
    }
    EXPECT_GT(folded, 20U);
}

/* Sums are verified wherever they travel, in frames or beside them; times are the same. */
TEST_F(DrawnShards, CarryValues)
{
    const DrawnTraces traces(testing::TempDir());
    std::uint32_t beside = 0;
    for (std::uint32_t number = 0; number < 80; ++number)
    {
        auto scenario = DrawnShardsOfHosts(number, traces);
        scenario.training.values = true;
        SCOPED_TRACE(std::to_string(number) + ": " + SettingsOf(scenario));
        const auto record = RunExperiment(scenario, {});
        ExpectSame(record, AtPacketLevel(scenario));
        ASSERT_TRUE(record.results.sumErrorMax);
        EXPECT_EQ(record.results.replicaDifferenceMax, 0);
        beside += *record.results.valuesInFrames ? 0 : 1;
    }
    EXPECT_GT(beside, 20U);
}

/* Of sketches, too: they are as long as the longest, and take as long. */
TEST_F(DrawnShards, ThatAreSketchesAreThoseOfPacketLevel)
{
    const DrawnTraces traces(testing::TempDir());
    const DrawnTraces larger(testing::TempDir(), 10);
    std::uint32_t folded = 0;
    for (std::uint32_t number = 0; number < 90; ++number)
    {
        auto scenario = DrawnSketchShards(number, number % 8 == 0 ? larger : traces);
        scenario.training.values = number % 2 == 0;
        SCOPED_TRACE(std::to_string(number) + ": " + SettingsOf(scenario));
        const auto record = RunExperiment(scenario, {});
        const auto& results = record.results;
        const auto packetLevel = AtPacketLevel(scenario);
        if (results.exact)
        {
            ExpectSame(record, packetLevel);
        }
        EXPECT_TRUE(PrecisionOf(record, packetLevel).IsSound(results.exact));
        EXPECT_LE(*results.lowerBoundPs, results.iterationTimePs);
        EXPECT_EQ(results.sumErrorMax.has_value(), scenario.training.values);
        folded += results.simulatedRanks < results.ranks ? 1 : 0;
    }
    EXPECT_GT(folded, 5U);
}

} // namespace inca
