/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What auto makes of scenarios that it simulates in part, beside packet level.
#include "experiment/drawn-scenario.h"
#include "experiment/run-experiment.h"
#include "experiment/scenario-fixture.h"
#include "record/detail-tables.h"
#include "record/precision.h"
#include "scenario/keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>

namespace inca
{

class AutoMode : public testing::Test
{
  protected:
    /** @return the run at packet level */
    static RunRecord AtPacketLevel(Scenario scenario)
    {
        scenario.simulation.mode = "packet";
        return RunExperiment(scenario, {});
    }

    static RunRecord InAuto(Scenario scenario)
    {
        scenario.simulation.mode = "auto";
        return RunExperiment(scenario, {});
    }

    /** Where the row says so, rows of all tables are the same, to the picosecond. */
    static void ExpectSame(const RunRecord& record, const RunRecord& packetLevel)
    {
        EXPECT_THAT(PrecisionOf(record, packetLevel).differing, testing::IsEmpty());
        EXPECT_EQ(LayersCsv(record), LayersCsv(packetLevel));
        EXPECT_EQ(LinksCsv(record), LinksCsv(packetLevel));
        EXPECT_EQ(SwitchesCsv(record), SwitchesCsv(packetLevel));
    }

    static RunRecord Compare(const Scenario& scenario)
    {
        const auto record = InAuto(scenario);
        const auto packetLevel = AtPacketLevel(scenario);
        EXPECT_TRUE(PrecisionOf(record, packetLevel).IsSound(record.results.exact));
        if (record.results.exact)
        {
            ExpectSame(record, packetLevel);
        }
        return record;
    }
};

/* 100 MB of 256 workers at one port of 16 MiB, which holds 42 frames of each: windows of 64 overflowed it all the
 * time, and next to nothing repeated itself. Of 1631 windows of 42 frames, some go until all have that credit, and 3
 * until a connection's last 8 round trips, one with each of 3 acknowledgements, are all of that time, and no timeout may
 * strike. The smoothed ones take 14 ((7/8)^42 < 1/256), and keep nothing from repeating itself: less than 1 %. The
 * sums come back one worker's after the other, which repeats itself after some windows of each, less than 1 %, too. */
TEST_F(AutoMode, RepeatsWhatManySendToOne)
{
    Scenario scenario;
    scenario.training.trace = "tensor:100MB";
    scenario.cluster.workers = 256;
    scenario.exchange.algorithm = "parameter-server";
    const auto& results = InAuto(scenario).results;
    EXPECT_TRUE(results.exact);
    EXPECT_LT(results.packetLevelShare, 0.02);
    EXPECT_GT(results.drops, 0U);
    EXPECT_LT(results.drops, 255U * 64);
}

/* 100 MB of 64 workers and 8 servers: 8 to each at once, of which 512 frames wait, for 0.63 ms or 4 acknowledgements each.
 * A block of 12.5 MB is 8562 frames, or 134 windows of 64. In each of 8 turns, one window goes until all begin, one until
 * all queues are full, 2 until a connection's last 8 round trips are of that time, one until a state can have been seen
 * twice and one more, and 2 at its end: 8 of 134 (6 %), in half of all frames, as sums come back to one
 * worker each, and there a window takes 20 us. With the smoothed round trip (10 windows) it would be twice as many. */
TEST_F(AutoMode, RepeatsItselfBeforeSmoothedRoundTripsRest)
{
    Scenario scenario;
    scenario.training.trace = "tensor:100MB";
    scenario.cluster.workers = 64;
    scenario.cluster.servers = 8;
    scenario.exchange.algorithm = "sharded-parameter-server";
    const auto& results = InAuto(scenario).results;
    EXPECT_TRUE(results.exact);
    EXPECT_LT(results.packetLevelShare, 0.06);
}

/* Between two alike states a grant had gone there and back: what a rank asks for once was counted with
 * every period that was left out. */
TEST_F(AutoMode, RepeatsNothingThatARankAskedFor)
{
    constexpr std::uint32_t larger = 40;
    constexpr std::uint32_t found = 1702;
    const DrawnTraces traces(testing::TempDir(), larger);
    const auto scenario = DrawnNetwork(found, traces);
    ASSERT_EQ(scenario.exchange.algorithm, "hierarchical-ring");
    Compare(scenario);
}

/* Groups of two, 16 exchanges at once: frames of its group and of the leader before came to a leader at
 * one instant, and went in another order in the first group than in others. It was said to be exact, and
 * was 0.97 % off. */
TEST_F(AutoMode, LetsNoGroupStandForOthersWhereExchangesMeet)
{
    const DrawnTraces traces(testing::TempDir());
    constexpr std::uint32_t found = 5216;
    const auto scenario = DrawnScenario(found, traces);
    ASSERT_EQ(scenario.exchange.algorithm, "hierarchical-ring");
    ASSERT_EQ(scenario.exchange.concurrent, 16U);
    Compare(scenario);
}

/* 200,000 values for 3 workers, in words that 3 divides: what is counted as a block's gradients is a byte
 * more of some. It was said to be exact, and the sums of plain bytes were not. */
TEST_F(AutoMode, CountsTheSharesOfCodedBlocks)
{
    Scenario scenario;
    scenario.training.trace = "tensor:800kB";
    scenario.training.density = 0.02;
    scenario.codec.name = "homomorphic";
    for (const auto* ratio : {"8", "10", "safe"})
    {
        SetKey(scenario, "codec.ratio", ratio);
        for (const std::uint32_t workers : {2U, 3U, 4U, 5U})
        {
            scenario.cluster.workers = workers;
            SCOPED_TRACE(std::to_string(workers) + " workers, ratio " + ratio);
            Compare(scenario);
        }
    }
}

/* Trees whose last switches are fuller than others, in one level and in two: one of each kind of worker is
 * simulated, and no picosecond differs. A switch whose adder takes its time may take two kinds'
 * contributions of one instant in another order. */
TEST_F(AutoMode, SimulatesOneOfEachKindOfAnUnevenTree)
{
    Scenario scenario;
    scenario.training.trace = "tensor:80kB";
    scenario.exchange.algorithm = "switch-tree";
    for (const auto* topology : {"leaf-spine", "fat-tree"})
    {
        scenario.cluster.topology = topology;
        scenario.cluster.hostsPerLeaf = 4;
        for (const std::uint32_t workers : {5U, 7U, 11U, 13U})
        {
            for (const auto* rate : {"none", "300Mvalues/s"})
            {
                scenario.cluster.workers = workers;
                SetKey(scenario, "switch.adder_rate", rate);
                SCOPED_TRACE(std::to_string(workers) + " on " + topology + ", " + rate);
                const auto record = Compare(scenario);
                EXPECT_LT(record.results.simulatedRanks, workers);
                EXPECT_GT(record.results.simulatedRanks, 1U);
                EXPECT_EQ(record.results.exact, std::string(rate) == "none");
            }
        }
    }
}

/* A buffer that holds no window: frames are dropped, and all workers are simulated after all. */
TEST_F(AutoMode, SimulatesAllWhereFramesAreDropped)
{
    Scenario scenario;
    scenario.training.trace = "tensor:400kB";
    scenario.cluster.bufferBytes = 1600;
    scenario.cluster.mtu = 1500;
    const auto record = InAuto(scenario);
    ASSERT_GT(record.results.drops, 0U);
    EXPECT_EQ(record.results.simulatedRanks, record.results.ranks);
    EXPECT_TRUE(record.results.exact);
    EXPECT_EQ(record.results.packetLevelShare, 1);
    ExpectSame(record, AtPacketLevel(scenario));
}

/* Shards have one size, whatever the workers, and take equal times to update, so one stands for all. */
TEST_F(AutoMode, LetsOneWorkerStandForAllWhereShardsAreEqual)
{
    for (const auto* sharding : {"optimizer", "full"})
    {
        for (const std::uint32_t workers : {7U, 8U})
        {
            Scenario scenario;
            scenario.training.trace = "tensor:320kB";
            scenario.training.sharding = sharding;
            scenario.cluster.workers = workers;
            SCOPED_TRACE(std::string(sharding) + " of " + std::to_string(workers));
            const auto record = Compare(scenario);
            EXPECT_TRUE(record.results.exact);
            EXPECT_EQ(record.results.simulatedRanks, 1U);
        }
    }
}

/* Whoever has another number has its partners' numbers moved alike, and blocks are equal in all channels: 80,000 values
 * are 16 of 5000, or 8 of 10,000; for 3 workers only shards are made equal. */
TEST_F(AutoMode, LetsOneWorkerStandForAllOfCollectives)
{
    const std::pair<const char*, std::uint32_t> variants[] = {
        {"exchange.algorithm=halving-doubling", 1},
        {"exchange.algorithm=halving-doubling training.sharding=full", 1},
        {"exchange.algorithm=halving-doubling host.duplex=half", 8},
        {"exchange.algorithm=halving-doubling cluster.workers=6", 6},
        {"exchange.algorithm=halving-doubling codec.name=truncate", 1},
        {"ring.channels=2", 1},
        {"ring.channels=2 codec.name=truncate", 1},
        {"ring.channels=2 host.duplex=half", 2},
        {"ring.channels=2 cluster.workers=3", 1},
        {"ring.channels=2 cluster.workers=3 training.sharding=optimizer", 1},
        {"ring.chunk_bytes=4000B", 1},
        {"ring.channels=2 ring.chunk_bytes=2000B", 1},
    };
    for (const auto& [settings, simulated] : variants)
    {
        Scenario scenario;
        scenario.training.trace = "tensor:320kB";
        scenario.cluster.workers = 8;
        SetKeys(scenario, settings);
        SCOPED_TRACE(SettingsOf(scenario));
        const auto record = Compare(scenario);
        EXPECT_TRUE(record.results.exact);
        EXPECT_EQ(record.results.simulatedRanks, simulated);
    }
}

/* As many servers as workers, who take their blocks and return them in turn: 80,000 values are 8 blocks of 10,000. With
 * codecs in NICs and on hosts, sums on arrival, servers with faster links and exchanges at the same time. */
TEST_F(AutoMode, LetsAWorkerAndAServerStandForAll)
{
    const std::pair<const char*, std::uint32_t> variants[] = {
        {"", 2},
        {"codec.name=truncate", 2},
        {"codec.name=truncate codec.placement=cpu", 2},
        {"exchange.sum=arrival host.sum_rate=1GBps", 2},
        {"cluster.aggregator_bandwidth=25Gbps", 2},
        {"cluster.aggregator_bandwidth=4Gbps training.iterations=2", 2},
        {"exchange.chunk_bytes=80kB exchange.concurrent=3", 2},
        {"host.duplex=half", 16},
        {"cluster.servers=4", 12},
        {"cluster.topology=leaf-spine", 16},
    };
    for (const auto& [settings, simulated] : variants)
    {
        Scenario scenario;
        scenario.training.trace = "tensor:320kB";
        scenario.cluster.workers = 8;
        scenario.exchange.algorithm = "sharded-parameter-server";
        SetKeys(scenario, settings);
        SCOPED_TRACE(SettingsOf(scenario));
        const auto record = Compare(scenario);
        EXPECT_TRUE(record.results.exact);
        EXPECT_EQ(record.results.simulatedRanks, simulated);
    }
}

/* What is left out is what packet level would have done, though something was not as before that no frame on its way
 * showed: what had been lost, or how long a sum had been waited for. */
TEST_F(AutoMode, RepeatsOnlyWhatIsTheSameInAll)
{
    /* A buffer of 400 kB overflows now and then. Before a state that was taken for one seen before, a frame had been
     * dropped in a port, and nobody knew yet: those behind it were on their way as always. */
    const auto* lost =
        "training.trace=tensor:8602500B training.iterations=5 cluster.workers=8 "
        "cluster.bandwidth=1Gbps cluster.aggregator_bandwidth=11Gbps cluster.latency=100us "
        "cluster.mtu=9216 cluster.buffer=400kB switch.latency=100ns "
        "exchange.algorithm=parameter-server codec.name=inceptionn codec.bound=2^-8 "
        "codec.placement=gpu codec.encode_rate=1GBps codec.decode_rate=40GBps "
        "transport.ack_every=4";
    /* Worker 1's link takes 8.848 us for each packet of 1,106 bytes. The others have sent 256 packets within 0.23 ms,
     * and wait for a sum every 8.848 us: for the first one as long, and for each of 257 to 512 256 times as long, 2.265
     * ms. Timeouts strike after 1 ms, 2 ms after 100 of them, and after 200 no more: 4 ms are longer. */
    const auto* slowLink = "training.trace=tensor:4MB cluster.workers=3 "
                           "exchange.algorithm=switch-slots switch.slots=256";
    /* 256 packets with weights of 614 bytes wait before a link of 1 Gb/s for up to 1.26 ms, once the queue has filled. */
    const auto* queue =
        "training.trace=tensor:2MB training.sharding=optimizer training.iterations=3 "
        "cluster.workers=5 cluster.bandwidth=1Gbps exchange.algorithm=switch-slots "
        "switch.slots=256 switch.values_per_packet=133";
    const std::tuple<const char*, bool, std::uint64_t> rows[] = {
        {lost, true, 1}, {slowLink, false, 2 * 200U}, {queue, false, 0}};
    for (const auto& [settings, drops, sentAgain] : rows)
    {
        SCOPED_TRACE(settings);
        Scenario scenario;
        SetKeys(scenario, settings);
        if (settings == slowLink)
        {
            scenario.cluster.overrides = {{1, 1'000'000'000, 1.0}};
        }
        const auto& results = Compare(scenario).results;
        EXPECT_TRUE(results.exact);
        EXPECT_LT(results.packetLevelShare, 1);
        EXPECT_EQ(results.drops > 0, drops);
        EXPECT_GE(results.retransmitted, sentAgain);
    }
}

/* 40 MB, 40,000 packets: a pool of 128 fills within a few 100 packets, after which 8 workers' packets repeat
 * themselves every 8. States are compared with one up to half as old: twice that, and less than a 10th is simulated. One
 * slow worker keeps others from standing for all. What switches hand on to all but its owner comes in turns of W - 1
 * packets, which looks at the network have to be apart by. */
TEST_F(AutoMode, RepeatsTheShardsOfMany)
{
    for (const auto* workers : {"8", "16"})
    {
        Scenario scenario;
        SetKeys(scenario,
                "training.trace=tensor:40960000B training.sharding=optimizer "
                "exchange.algorithm=switch-slots host.copy_rate=none host.sum_rate=none");
        SetKey(scenario, "cluster.workers", workers);
        scenario.cluster.overrides = {{1, 10'000'000'000, 2.0}};
        const auto results = InAuto(scenario).results;
        EXPECT_EQ(results.simulatedRanks, scenario.cluster.workers);
        EXPECT_TRUE(results.exact);
        EXPECT_LT(results.packetLevelShare, 0.1);
    }
}

/* A worker for 8: an 8th of all frames is simulated, in a ring and over a switch that adds. 32 kB are too few frames for any
 * of them to repeat itself. */
TEST_F(AutoMode, SaysWhatItSimulated)
{
    Scenario scenario;
    scenario.training.trace = "tensor:32kB";
    scenario.cluster.workers = 8;
    for (const auto* exchange : {"ring", "switch-slots"})
    {
        scenario.exchange.algorithm = exchange;
        const auto record = InAuto(scenario);
        EXPECT_TRUE(record.results.exact);
        EXPECT_EQ(record.results.simulatedRanks, 1U);
        EXPECT_EQ(record.results.ranks, 8U);
        EXPECT_DOUBLE_EQ(record.results.packetLevelShare, 1.0 / 8);
    }
}

} // namespace inca
