/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What auto makes of scenarios that it simulates in part, and of values, which it replays beside the simulation where
// they have nothing to do with times: all beside packet level.
#include "experiment/scenario-fixture.h"
#include "scenario/specs.h"

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>

namespace inca
{

class AutoMode : public testing::Test
{
  protected:
    static RunRecord InAuto(const std::string& settings)
    {
        return RunExperiment(With({}, settings), {});
    }

    static RunRecord Compare(const Scenario& scenario)
    {
        const auto record = RunExperiment(scenario, {});
        const auto packetLevel = AtPacketLevel(scenario);
        EXPECT_TRUE(PrecisionOf(record, packetLevel).IsSound(record.results.exact));
        if (record.results.exact)
        {
            ExpectSameRows(record, packetLevel);
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
    const auto results = InAuto("training.trace=tensor:100MB cluster.workers=256 "
                                "exchange.algorithm=parameter-server")
                             .results;
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
    const auto results = InAuto("training.trace=tensor:100MB cluster.workers=64 cluster.servers=8 "
                                "exchange.algorithm=sharded-parameter-server")
                             .results;
    EXPECT_TRUE(results.exact);
    EXPECT_LT(results.packetLevelShare, 0.06);
}

/* Drawn scenarios that auto was wrong about. */
TEST_F(AutoMode, IsRightWhereItWasNot)
{
    // Between two alike states a grant had gone there and back: what a rank asks for once was counted with
    // every period that was left out.
    const auto asked = DrawnNetwork(1702, DrawnTraces(testing::TempDir(), 40));
    ASSERT_EQ(asked.exchange.algorithm, "hierarchical-ring");
    Compare(asked);
    // Groups of two, 16 exchanges at once: frames of its group and of the leader before came to a leader at
    // one instant, and went in another order in the first group than in others. It was said to be exact, and
    // was 0.97 % off.
    const auto met = DrawnScenario(5216, DrawnTraces(testing::TempDir()));
    ASSERT_EQ(met.exchange.algorithm, "hierarchical-ring");
    ASSERT_EQ(met.exchange.concurrent, 16U);
    Compare(met);
}

/* A buffer that holds no window: frames are dropped, and all workers are simulated after all. Values travel in frames
 * then. */
TEST_F(AutoMode, SimulatesAllWhereFramesAreDropped)
{
    for (const std::string values : {"false", "true"})
    {
        const auto scenario = With({},
                                   "training.trace=tensor:400kB cluster.buffer=1600B "
                                   "cluster.mtu=1500 training.values=" +
                                       values);
        const auto record = RunExperiment(scenario, {});
        ASSERT_GT(record.results.drops, 0U);
        EXPECT_EQ(record.results.simulatedRanks, record.results.ranks);
        EXPECT_TRUE(record.results.exact);
        EXPECT_EQ(record.results.packetLevelShare, 1);
        EXPECT_EQ(record.results.valuesInFrames.value_or(false), values == "true");
        ExpectSameRows(record, AtPacketLevel(scenario));
    }
}

/* Whoever has another number has its partners' numbers moved alike, and blocks are equal in all channels: 80,000 values
 * are 16 of 5000, or 8 of 10,000; for 3 and 7 workers they are padded. They have one size, whatever the workers, and take
 * equal times to update, so one stands for all. As many servers as workers take their blocks and return them in turn: one
 * of each stands for all. Where links take no time, a host's own frames are due when others' come: of 11 workers in two
 * shots, some served them in another order than the one that stands for all. */
TEST_F(AutoMode, LetsFewRanksStandForAllOfCollectives)
{
    const std::string servers = "exchange.algorithm=sharded-parameter-server ";
    const std::string halving = "exchange.algorithm=halving-doubling ";
    const std::string shots = "exchange.algorithm=two-shot ";
    const std::string coded =
        "codec.name=cast codec.placement=gpu codec.encode_rate=50GBps codec.decode_rate=80GBps";
    const std::pair<std::string, std::uint32_t> rows[] = {
        {halving, 1},
        {halving + "training.sharding=full", 1},
        {halving + "host.duplex=half", 8},
        {"exchange.algorithm=recursive-doubling", 1},
        {halving + "cluster.workers=6", 6},
        {halving + "codec.name=truncate", 1},
        {"ring.channels=2", 1},
        {"ring.channels=2 codec.name=truncate", 1},
        {"ring.channels=2 host.duplex=half", 2},
        {"ring.channels=2 cluster.workers=3 training.sharding=optimizer", 1},
        {"ring.channels=2 ring.chunk_bytes=2000B", 1},
        {"training.sharding=optimizer cluster.workers=7", 1},
        {"training.sharding=full cluster.workers=7", 1},
        {servers, 2},
        {servers + "codec.name=truncate", 2},
        {servers + "codec.name=truncate codec.placement=cpu", 2},
        {servers + "exchange.sum=arrival host.sum_rate=1GBps", 2},
        {servers + "cluster.aggregator_bandwidth=25Gbps", 2},
        {servers + "cluster.aggregator_bandwidth=4Gbps training.iterations=2", 2},
        {servers + "exchange.chunk_bytes=80kB exchange.concurrent=3", 2},
        {servers + "host.duplex=half", 16},
        {servers + "cluster.servers=4", 12},
        {servers + "cluster.topology=leaf-spine", 16},
        {shots, 1},
        {shots + "codec.name=truncate", 1},
        {shots + coded, 1},
        {shots + "training.sharding=full cluster.workers=7", 1},
        {shots + "training.iterations=2 exchange.chunk_bytes=80kB exchange.concurrent=3", 8},
        {shots + "transport.name=tcp", 8},
        {shots + "cluster.topology=leaf-spine", 8},
        {shots + "cluster.topology=fat-tree exchange.group_size=2 " + coded, 8},
        {shots + "training.values=true", 1},
        {shots + "training.values=true " + coded, 8},
        {shots + "training.values=true codec.name=inceptionn", 8},
        {shots + "training.trace=tensor:3348B cluster.workers=11 cluster.bandwidth=100Gbps", 1},
    };
    for (const auto& [settings, simulated] : rows)
    {
        for (const std::string latency : {" cluster.latency=1us", " cluster.latency=0s"})
        {
            SCOPED_TRACE(settings + latency);
            const auto results =
                Compare(
                    With({}, "training.trace=tensor:320kB cluster.workers=8 " + settings + latency))
                    .results;
            EXPECT_TRUE(results.exact);
            EXPECT_EQ(results.simulatedRanks, simulated);
        }
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
        auto scenario = With({}, settings);
        if (settings == slowLink)
        {
            scenario.cluster.overrides = {{1, 1'000'000'000, 1.0}};
        }
        const auto results = Compare(scenario).results;
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
    for (const std::string workers : {"8", "16"})
    {
        auto scenario = With({},
                             "training.trace=tensor:40960000B training.sharding=optimizer "
                             "exchange.algorithm=switch-slots host.copy_rate=none "
                             "host.sum_rate=none cluster.workers=" +
                                 workers);
        scenario.cluster.overrides = {{1, 10'000'000'000, 2.0}};
        const auto results = RunExperiment(scenario, {}).results;
        EXPECT_EQ(results.simulatedRanks, scenario.cluster.workers);
        EXPECT_TRUE(results.exact);
        EXPECT_LT(results.packetLevelShare, 0.1);
    }
}

/*
 * Steps that are alike repeat themselves, each with messages of its own, though no message is long enough to do so. Of two trees of 8
 * workers each sums 128 chunks of 64 KiB, in a pipeline of 6 steps. It takes as many to fill, and three times as many until
 * queues are as they stay; a state is seen twice within 8 more, and 6 empty the pipeline: 38 of 133, less than a third. A ring of 32
 * goes through 31 steps that add and 31 that do not; the last 8 round trips, one a step, are of that time, and a state is seen
 * twice within 8 more: half of each, of one rank of 32. In the other rows ranks differ, hosts take time, or do one thing at a time:
 * nothing is known of when their states are the same, but that times are those of packet level.
 */
TEST_F(AutoMode, RepeatsStepsThatAreAlike)
{
    const std::string tree =
        "exchange.algorithm=tree training.trace=tensor:16MiB cluster.workers=8 ";
    const std::string ring =
        "exchange.algorithm=ring training.trace=tensor:2MiB cluster.workers=32 ";
    const std::pair<std::string, double> rows[] = {
        {tree, 0.33},
        {tree + "host.byte_rate=3GBps host.frame_cost=100ns host.message_cost=2us", 1},
        {tree + "host.sum_rate=2GBps training.iterations=2", 1},
        {tree + "codec.name=cast codec.placement=cpu codec.encode_rate=2GBps "
                "codec.decode_rate=3GBps",
         1},
        {tree + "codec.name=inceptionn codec.bits_per_value=9.5", 1},
        // Its layers are compressed to other sizes, each in the same bucket as the next.
        {"exchange.algorithm=tree training.trace=gpt2-small-a100 cluster.workers=2 "
         "codec.name=inceptionn training.send=end",
         1},
        {tree + "host.duplex=half", 1},
        {tree + "exchange.library=nccl cluster.gpus=2 cluster.gpu_bandwidth=50GBps", 1},
        {ring, 0.5 / 32},
        {ring + "host.duplex=half", 1},
        {ring + "host.sum_rate=1GBps transport.window=4", 1},
        {ring + "exchange.library=nccl", 1},
        {ring + "training.sharding=optimizer training.iterations=2", 1},
        {ring + "training.jitter=normal training.jitter_sd=0.05", 1},
        {ring + "cluster.topology=leaf-spine cluster.hosts_per_leaf=8 cluster.spines=2", 1},
    };
    for (const auto& [settings, most] : rows)
    {
        SCOPED_TRACE(settings);
        const auto results = Compare(With({}, settings)).results;
        EXPECT_TRUE(results.exact);
        EXPECT_LE(results.packetLevelShare, most);
    }
}

class AutoValues : public testing::Test
{
  protected:
    static Scenario Tensor(const std::string& exchange, const std::string& settings)
    {
        return With({},
                    "training.trace=tensor:320kB training.values=true exchange.algorithm=" +
                        exchange + " " + settings);
    }
};

/* fp32 switches add as packets arrive, and the replay in the order of the workers: all but how sums are rounded is the
 * same, so the row is not exact. Values are drawn around 0 with a standard deviation of 2^-6, and 80,000 * 4 of them
 * are below 2^-3; of 4, any order of 3 additions is off by at most 3 * 2^-24 of 4 * 2^-3, so two orders by 3 * 2^-24. */
TEST_F(AutoValues, AreAddedInTheOrderOfWorkersByFp32Switches)
{
    for (const auto* exchange : {"switch-slots", "switch-tree"})
    {
        auto scenario = Tensor(exchange, "switch.adder=fp32");
        const auto results = RunExperiment(scenario, {}).results;
        EXPECT_EQ(results.valuesInFrames, false);
        EXPECT_FALSE(results.exact);
        EXPECT_LT(results.simulatedRanks, results.ranks);
        const auto packetLevel = AtPacketLevel(scenario).results;
        EXPECT_EQ(packetLevel.valuesInFrames, true);
        EXPECT_EQ(results.iterationTimePs, packetLevel.iterationTimePs);
        EXPECT_EQ(results.exchangeTimePs, packetLevel.exchangeTimePs);
        EXPECT_NEAR(*results.sumErrorMax, *packetLevel.sumErrorMax, 3 * 0x1p-24);
        EXPECT_EQ(results.replicaDifferenceMax, 0);
        scenario.training.values = false;
        EXPECT_TRUE(RunExperiment(scenario, {}).results.exact);
    }
}

/* Terms and sums of other sizes: times as at packet level. Each value is rounded to 2^-u of less than 2^-3, each of the 3 sums of
 * what is below 4 * 2^-3: two orders, as above, are 2 * 3 * 2^-u * 2^-1 apart at most. Integers' sums are exact. */
TEST_F(AutoValues, AreAddedByNarrowAdders)
{
    const std::pair<const char*, double> rows[] = {
        {"fp16", 0x1p-11}, {"bf16", 0x1p-8}, {"fp8-fp16", 0x1p-11}, {"int16", 0}, {"int8", 0}};
    for (const auto& [adder, roundoff] : rows)
    {
        SCOPED_TRACE(adder);
        const auto scenario = Tensor("switch-tree", std::string("switch.adder=") + adder);
        const auto results = RunExperiment(scenario, {}).results;
        EXPECT_LT(results.simulatedRanks, results.ranks);
        EXPECT_EQ(results.exact, roundoff == 0);
        const auto packetLevel = AtPacketLevel(scenario).results;
        EXPECT_EQ(results.iterationTimePs, packetLevel.iterationTimePs);
        EXPECT_EQ(results.exchangeTimePs, packetLevel.exchangeTimePs);
        EXPECT_GE(results.iterationTimePs, results.lowerBoundPs);
        EXPECT_NEAR(*results.sumErrorMax, *packetLevel.sumErrorMax, 3 * roundoff);
        EXPECT_EQ(results.replicaDifferenceMax, 0);
    }
}

/* A host's codec codes whole messages: frames carry those. And where some are lost. */
TEST_F(AutoValues, TravelWhereTimesDependOnThem)
{
    for (const auto* settings : {"codec.name=inceptionn codec.placement=cpu "
                                 "codec.encode_rate=1GBps codec.decode_rate=1GBps",
                                 "cluster.loss_rate=0.001"})
    {
        const auto results = RunExperiment(Tensor("ring", settings), {}).results;
        EXPECT_EQ(results.valuesInFrames, true);
        EXPECT_EQ(results.simulatedRanks, results.ranks);
    }
}

/* 2^-6 is too small a scale for normal values with a standard deviation of 2^-6: as many are clamped,
 * and warned about, as in frames; in three iterations, three times as many. */
TEST_F(AutoValues, AreCountedWhereTheyDoNotFit)
{
    auto scenario = Tensor("switch-slots", "switch.scaling=fixed switch.fixed_exponent=-6");
    for (const std::uint32_t iterations : {1U, 3U})
    {
        scenario.training.iterations = iterations;
        const auto record = RunExperiment(scenario, {});
        EXPECT_EQ(record.results.valuesInFrames, false);
        const auto packetLevel = AtPacketLevel(scenario);
        EXPECT_THAT(packetLevel.warnings, testing::Contains(testing::HasSubstr("were clamped")));
        EXPECT_EQ(record.warnings, packetLevel.warnings);
        EXPECT_EQ(record.results.replicaDifferenceMax, packetLevel.results.replicaDifferenceMax);
        ExpectSameSums(record.results, packetLevel.results);
    }
}

} // namespace inca
