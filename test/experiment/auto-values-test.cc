/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Values with auto: replayed beside the simulation where they have nothing to do with times.
#include "experiment/drawn-scenario.h"
#include "experiment/run-experiment.h"
#include "record/detail-tables.h"
#include "record/precision.h"
#include "scenario/keys.h"
#include "scenario/specs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace inca
{

class AutoValues : public testing::Test
{
  protected:
    static RunResults AtPacketLevel(Scenario scenario)
    {
        scenario.simulation.mode = "packet";
        return RunExperiment(scenario, {}).results;
    }

    static Scenario Tensor(const std::string& exchange, std::uint32_t workers)
    {
        Scenario scenario;
        scenario.training.trace = "tensor:320kB";
        scenario.training.values = true;
        scenario.cluster.workers = workers;
        scenario.exchange.algorithm = exchange;
        return scenario;
    }

    /**
     * What the sums are is the same to the bit, wherever they were made. Their mean error is added up in another
     * order over exchanges and iterations, of which there are less than a thousand: 1000 * 2^-53 of it.
     */
    static void ExpectSameSums(const RunResults& results, const RunResults& packetLevel)
    {
        EXPECT_EQ(results.sumErrorMax, packetLevel.sumErrorMax);
        EXPECT_NEAR(
            *results.sumErrorMean, *packetLevel.sumErrorMean, 1.2e-13 * *packetLevel.sumErrorMean);
        EXPECT_EQ(results.replicaDifferenceMax, packetLevel.replicaDifferenceMax);
    }
};

/* Eight workers' values and one worker's frames. */
TEST_F(AutoValues, AreAllWorkersThoughOneIsSimulated)
{
    for (const auto* exchange : {"ring", "switch-slots"})
    {
        const auto scenario = Tensor(exchange, 8);
        const auto results = RunExperiment(scenario, {}).results;
        EXPECT_EQ(results.simulatedRanks, 1U);
        EXPECT_EQ(results.valuesInFrames, false);
        ExpectSameSums(results, AtPacketLevel(scenario));
    }
}

/* What engines make of each frame is told by the replay: all ranks are simulated, at packet level, and all is
 * as if frames had carried the values. */
TEST_F(AutoValues, TellHowLargeCodedFramesAre)
{
    for (const auto* exchange : {"ring", "worker-aggregator", "hierarchical-ring"})
    {
        auto scenario = Tensor(exchange, 4);
        scenario.codec.name = "inceptionn";
        scenario.exchange.chunkBytes = 50'000;
        scenario.training.iterations = 2;
        const auto record = RunExperiment(scenario, {});
        EXPECT_EQ(record.results.valuesInFrames, false);
        EXPECT_EQ(record.results.simulatedRanks, record.results.ranks);
        EXPECT_EQ(record.results.packetLevelShare, 1);
        scenario.simulation.mode = "packet";
        const auto packetLevel = RunExperiment(scenario, {});
        EXPECT_THAT(PrecisionOf(record, packetLevel).differing, testing::IsEmpty());
        EXPECT_EQ(LayersCsv(record), LayersCsv(packetLevel));
        EXPECT_EQ(LinksCsv(record), LinksCsv(packetLevel));
        ASSERT_EQ(record.steps.size(), packetLevel.steps.size());
        for (std::size_t i = 0; i < record.steps.size(); ++i)
        {
            EXPECT_EQ(record.steps[i].wireBytes, packetLevel.steps[i].wireBytes) << i;
        }
    }
}

/* fp32 switches add as packets arrive, and the replay in the order of the workers: all but how sums are rounded is the
 * same, so the row is not exact. Values are drawn around 0 with a standard deviation of 2^-6, and 80,000 * 4 of them
 * are below 2^-3; of 4, any order of 3 additions is off by at most 3 * 2^-24 of 4 * 2^-3, so two orders by 3 * 2^-24. */
TEST_F(AutoValues, AreAddedInTheOrderOfWorkersByFp32Switches)
{
    for (const auto* exchange : {"switch-slots", "switch-tree"})
    {
        auto scenario = Tensor(exchange, 4);
        scenario.aggregation["switch.adder"] = "fp32";
        const auto results = RunExperiment(scenario, {}).results;
        EXPECT_EQ(results.valuesInFrames, false);
        EXPECT_FALSE(results.exact);
        EXPECT_LT(results.simulatedRanks, results.ranks);
        const auto packetLevel = AtPacketLevel(scenario);
        EXPECT_EQ(packetLevel.valuesInFrames, true);
        EXPECT_EQ(results.iterationTimePs, packetLevel.iterationTimePs);
        EXPECT_EQ(results.exchangeTimePs, packetLevel.exchangeTimePs);
        EXPECT_NEAR(*results.sumErrorMax, *packetLevel.sumErrorMax, 3 * 0x1p-24);
        EXPECT_EQ(results.replicaDifferenceMax, 0);
        scenario.training.values = false;
        EXPECT_TRUE(RunExperiment(scenario, {}).results.exact);
    }
}

/* A host's codec codes whole messages: frames carry those. */
TEST_F(AutoValues, TravelWhereTimesDependOnThem)
{
    auto coded = Tensor("ring", 4);
    coded.codec.name = "inceptionn";
    coded.codec.placement = "cpu";
    coded.codec.encodeBytesPerSecond = 1'000'000'000;
    coded.codec.decodeBytesPerSecond = 1'000'000'000;
    auto lossy = Tensor("ring", 4);
    lossy.cluster.lossRate = 0.001;
    for (const auto& scenario : {coded, lossy})
    {
        const auto results = RunExperiment(scenario, {}).results;
        EXPECT_EQ(results.valuesInFrames, true);
        EXPECT_EQ(results.simulatedRanks, results.ranks);
    }
}

/* 2^-6 is too small a scale for normal values with a standard deviation of 2^-6: as many are clamped,
 * and warned about, as in frames; in three iterations, three times as many. */
TEST_F(AutoValues, AreCountedWhereTheyDoNotFit)
{
    auto scenario = Tensor("switch-slots", 4);
    scenario.aggregation["switch.scaling"] = "fixed";
    scenario.aggregation["switch.fixed_exponent"] = "-6";
    for (const std::uint32_t iterations : {1U, 3U})
    {
        scenario.training.iterations = iterations;
        const auto record = RunExperiment(scenario, {});
        EXPECT_EQ(record.results.valuesInFrames, false);
        scenario.simulation.mode = "packet";
        const auto packetLevel = RunExperiment(scenario, {});
        scenario.simulation.mode = "auto";
        EXPECT_THAT(packetLevel.warnings, testing::Contains(testing::HasSubstr("were clamped")));
        EXPECT_EQ(record.warnings, packetLevel.warnings);
        ExpectSameSums(record.results, packetLevel.results);
    }
}

/* Frames are dropped where a worker stands for all: all are simulated, and carry their values. */
TEST_F(AutoValues, TravelWhereFramesAreDropped)
{
    auto scenario = Tensor("ring", 4);
    scenario.cluster.bufferBytes = 1600;
    const auto results = RunExperiment(scenario, {}).results;
    ASSERT_GT(results.drops, 0U);
    EXPECT_EQ(results.simulatedRanks, results.ranks);
    EXPECT_EQ(results.valuesInFrames, true);
}

} // namespace inca
