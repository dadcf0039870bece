/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Trains of several frames, beside packet level.
#include "experiment/drawn-scenario.h"
#include "experiment/drawn-trains.h"
#include "experiment/run-experiment.h"
#include "record/precision.h"
#include "scenario/keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
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

/* The bound of inca run --check, 0.5 % of the iteration. With hosts slower than their wires no trains are made: a ring at
 * 100 Gb/s with a byte_rate of 2.4 GB/s would be 1.2 % off. */
TEST_F(Trains, AreNearOverOneSwitch)
{
    for (const auto* exchange : {"ring", "worker-aggregator", "parameter-server"})
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

/* Of any number of workers, over any topology. */
TEST_F(Trains, KeepTheirBoundsInDrawnScenarios)
{
    constexpr double mostSeconds = 0.02;
    std::uint32_t inTrains = 0;
    for (std::uint32_t number = 0; number < 60; ++number)
    {
        const auto scenario = DrawnTrains(number, testing::TempDir(), mostSeconds);
        const auto frames = std::array{2U, 4U, 8U, 16U, 64U}[number % 5];
        SCOPED_TRACE(std::to_string(frames) + " at once: " + SettingsOf(scenario));
        const auto record = Run(scenario, frames);
        EXPECT_TRUE(PrecisionOf(record, Run(scenario, 1)).IsSound(record.results.exact));
        inTrains += record.results.packetLevelShare < 1 ? 1 : 0;
    }
    EXPECT_GT(inTrains, 0U);
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

/* Those of four workers over the trunks to one server; a ring of them and one of their groups' first ones, at the same time. */
TEST_F(Trains, AreGivenUpWhereTransfersMeet)
{
    ExpectPacketLevel(Set({{"exchange.algorithm", "parameter-server"},
                           {"cluster.topology", "leaf-spine"},
                           {"cluster.hosts_per_leaf", "2"}}));
    ExpectPacketLevel(Set({{"exchange.algorithm", "sharded-parameter-server"}}));
    ExpectPacketLevel(
        Set({{"exchange.algorithm", "hierarchical-aggregator"}, {"exchange.group_size", "2"}}));
}

/* As engines halve frames, 84 bytes come for every 16 of 808: 0.65 % of what hosts send. */
TEST_F(Trains, AreGivenUpWhereAcknowledgementsAreMany)
{
    ExpectPacketLevel(
        Set({{"codec.name", "truncate"}, {"engine.width", "1024"}, {"engine.clock", "1GHz"}}));
}

/* Blocks of 1 MB that take 8.2 ms over each link, and 119 us to be added; paths of 2 and 4 links bring workers out of step
 * by more than that. Some of those that end last have waited for two others' sums, 0.48 % of the time, and some have not. */
TEST_F(Trains, AreGivenUpWhereWhoIsLastDecidesHowTimeIsDivided)
{
    ExpectPacketLevel(Set({{"training.trace", "tensor:4000000B"},
                           {"cluster.topology", "fat-tree"},
                           {"cluster.bandwidth", "1Gbps"},
                           {"cluster.latency", "3us"},
                           {"cluster.mtu", "9000"},
                           {"switch.latency", "500ns"}}));
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
