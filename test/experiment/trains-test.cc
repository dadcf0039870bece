/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Trains of several frames, beside packet level.
#include "experiment/drawn-scenario.h"
#include "experiment/run-experiment.h"
#include "record/precision.h"
#include "scenario/keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace inca
{

class Trains : public testing::Test
{
  protected:
    static RunRecord Run(Scenario scenario, std::uint32_t frames)
    {
        scenario.simulation.framesPerTrain = frames;
        return RunExperiment(scenario, {});
    }

    static Scenario Set(const std::vector<std::pair<std::string, std::string>>& settings)
    {
        Scenario scenario;
        scenario.training.trace = "tensor:4MB";
        for (const auto& [key, text] : settings)
        {
            SetKey(scenario, key, text);
        }
        return scenario;
    }

    static void ExpectPacketLevel(const Scenario& scenario)
    {
        const auto record = Run(scenario, 16);
        EXPECT_TRUE(record.results.exact);
        EXPECT_EQ(record.results.packetLevelShare, 1);
        EXPECT_THAT(PrecisionOf(record, Run(scenario, 1)).differing, testing::IsEmpty());
    }
};

/* Over 4 hops, 3 of which pass on. If these waited for a whole train, a step of the ring took 3 times 7 frames
 * of 1.23 us longer; it may take one frame. */
TEST_F(Trains, AddNoTimePerHop)
{
    constexpr std::int64_t framePs = 1'230'400;
    const auto scenario = Set({{"exchange.algorithm", "ring"},
                               {"cluster.workers", "2"},
                               {"cluster.topology", "leaf-spine"},
                               {"cluster.hosts_per_leaf", "1"}});
    const auto packetLevel = Run(scenario, 1);
    const auto record = Run(scenario, 8);
    EXPECT_LT(record.results.packetLevelShare, 1);
    EXPECT_FALSE(record.results.exact);
    EXPECT_NEAR(static_cast<double>(record.results.exchangeTimePs.value()),
                static_cast<double>(packetLevel.results.exchangeTimePs.value()),
                2 * framePs);
}

/* The bound of inca run --check, 0.5 % of the iteration. Over trunks it does not hold everywhere (docs/model.md),
 * and with hosts slower than their wires no trains are made: a ring at 100 Gb/s with a byte_rate of 2.4 GB/s
 * would be 1.2 % off. */
TEST_F(Trains, AreNearOverOneSwitch)
{
    for (const auto* exchange : {"ring", "worker-aggregator", "sharded-parameter-server"})
    {
        for (const auto* rate : {"10Gbps", "100Gbps"})
        {
            const auto scenario =
                Set({{"exchange.algorithm", exchange}, {"cluster.bandwidth", rate}});
            SCOPED_TRACE(SettingsOf(scenario));
            const auto packetLevel = Run(scenario, 1);
            for (const std::uint32_t frames : {4U, 16U})
            {
                const auto record = Run(scenario, frames);
                EXPECT_LT(record.results.packetLevelShare, 1);
                EXPECT_TRUE(PrecisionOf(record, packetLevel).IsSound(false)) << frames;
            }
        }
    }
}

TEST_F(Trains, CarryTheSameFramesAndBytes)
{
    constexpr std::uint32_t larger = 10;
    const DrawnTraces traces(testing::TempDir(), larger);
    for (std::uint32_t number = 0; number < 60; ++number)
    {
        const auto scenario = DrawnNetwork(number, traces);
        SCOPED_TRACE(std::to_string(number) + ": " + SettingsOf(scenario));
        EXPECT_TRUE(PrecisionOf(Run(scenario, 16), Run(scenario, 1)).sameCounts);
    }
}

/* Sums are checked to the bit beside the simulation, as with auto. */
TEST_F(Trains, GoWithValues)
{
    auto scenario = Set({{"training.trace", "tensor:400kB"}, {"training.values", "true"}});
    const auto record = Run(scenario, 8);
    EXPECT_LT(record.results.packetLevelShare, 1);
    EXPECT_EQ(record.results.valuesInFrames, false);
    EXPECT_EQ(record.results.sumErrorMax, Run(scenario, 1).results.sumErrorMax);
}

/* Among others: a round trip of 80 us, where a window of 64 frames takes 79 us; and hosts that take 1.46 us for
 * a frame of 1.23 us. */
TEST_F(Trains, AreNotMadeWhereTheyCannotHold)
{
    ExpectPacketLevel(Set({{"cluster.loss_rate", "0.0001"}, {"training.trace", "tensor:400kB"}}));
    ExpectPacketLevel(Set({{"host.duplex", "0.5"}, {"training.trace", "tensor:400kB"}}));
    ExpectPacketLevel(Set({{"transport.window", "16"}, {"training.trace", "tensor:400kB"}}));
    ExpectPacketLevel(Set({{"cluster.latency", "20us"}, {"training.trace", "tensor:400kB"}}));
    ExpectPacketLevel(Set({{"host.byte_rate", "1GBps"}, {"training.trace", "tensor:400kB"}}));
    ExpectPacketLevel(
        Set({{"cluster.aggregator_bandwidth", "100Gbps"}, {"training.trace", "tensor:400kB"}}));
    auto marking = Set({{"training.trace", "tensor:400kB"}});
    marking.attributes = {{"inca::SwitchPort::EcnThreshold", "10000"}};
    ExpectPacketLevel(marking);
}

/* A buffer that holds no window: frames are dropped, and all go one by one after all. */
TEST_F(Trains, AreGivenUpWhereFramesAreDropped)
{
    auto scenario = Set({{"exchange.algorithm", "parameter-server"},
                         {"cluster.buffer", "40kB"},
                         {"training.trace", "tensor:400kB"}});
    ASSERT_GT(Run(scenario, 16).results.drops, 0U);
    ExpectPacketLevel(scenario);
}

} // namespace inca
