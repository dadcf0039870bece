/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Training whose workers keep a part each of the optimizer's state, or of the weights (FSDP, ZeRO-3).
#include "experiment/scenario-fixture.h"
#include "plan/losses.h"
#include "plan/plan-maker.h"
#include "plan/plan-warnings.h"
#include "support/why-not.h"

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace inca
{

class ShardedRuns : public ScenarioFixture
{
  protected:
    static constexpr std::int64_t UPDATE_PS{8'000'000'000};

    /** One layer of 40,000 values, whose update takes 8 ms. */
    static Scenario Of(const std::string& exchange, std::uint32_t workers)
    {
        Scenario scenario;
        scenario.training.trace =
            WriteTrace("sharding",
                       "layer,elements,forward_ns,backward_ns,update_ns,exponents",
                       "only,40000,1000,2000,8000000,121:1\n");
        scenario.exchange.algorithm = exchange;
        scenario.cluster.workers = workers;
        return scenario;
    }

    static RunResults Run(Scenario scenario, Sharding sharding)
    {
        scenario.training.sharding = sharding;
        return RunExperiment(scenario, {}).results;
    }
};

/* The same messages, and each of N workers updates an N-th of the weights: U (1 - 1/N) less. A gradient's
 * sum is updated before it goes round, so nothing is updated afterwards. */
TEST_F(ShardedRuns, SavesAllButAShareOfTheUpdate)
{
    for (const auto* exchange : {"ring", "halving-doubling", "two-shot"})
    {
        for (const std::uint32_t workers : {2U, 4U, 8U})
        {
            const auto whole = Run(Of(exchange, workers), Sharding::NONE);
            const auto shard = Run(Of(exchange, workers), Sharding::OPTIMIZER);
            EXPECT_EQ(whole.iterationTimePs - shard.iterationTimePs,
                      UPDATE_PS - UPDATE_PS / workers)
                << exchange << " of " << workers;
            EXPECT_EQ(shard.wireBytes, whole.wireBytes);
            EXPECT_LE(*shard.lowerBoundPs, shard.iterationTimePs);
        }
    }
}

/* Gradients are compressed, weights are not: of 10 bits a value of 32 one way, all 32 the other. One unit of all weights is
 * gathered once, and summed once: as much as shards of the optimizer's state. */
TEST_F(ShardedRuns, CompressesNoWeights)
{
    const auto wireBytes = [](Sharding sharding, const char* codec) {
        auto scenario = With(Of("ring", 4), "training.send=end codec.drop_bits=22");
        scenario.codec.name = codec;
        return static_cast<double>(Run(scenario, sharding).wireBytes);
    };
    const auto plain = wireBytes(Sharding::NONE, "none");
    const auto both = wireBytes(Sharding::NONE, "truncate");
    const auto one = wireBytes(Sharding::OPTIMIZER, "truncate");
    EXPECT_LT(both, one);
    EXPECT_LT(one, plain);
    EXPECT_NEAR(plain - one, 0.5 * (plain - both), 2); // half of what the codec saves on both ways
    EXPECT_EQ(wireBytes(Sharding::FULL, "truncate"), one);
    EXPECT_EQ(wireBytes(Sharding::FULL, "none"), plain);
}

/* Two iterations, slow and fast workers: each updates its shard at its own pace; the run ends. */
TEST_F(ShardedRuns, TakesChannelsAndSlowWorkers)
{
    auto scenario = With(Of("ring", 4), "training.iterations=2 ring.channels=2");
    scenario.cluster.overrides = {{1, std::nullopt, 3.0}};
    EXPECT_LT(Run(scenario, Sharding::OPTIMIZER).iterationTimePs,
              Run(scenario, Sharding::NONE).iterationTimePs);
}

/* Where nobody sums a part, where the order of exchanges is not the program's, or where gradients and weights would share
 * a slot; and what sketches cannot. */
TEST_F(ShardedRuns, IsRefusedWhereItIsNotSimulated)
{
    const std::pair<const char*, std::vector<std::string>> rows[] = {
        {"exchange.algorithm=tree", {"training.sharding"}},
        {"exchange.algorithm=parameter-server", {"training.sharding"}},
        {"exchange.algorithm=hierarchical-ring exchange.group_size=2", {"training.sharding"}},
        {"exchange.algorithm=worker-aggregator", {"training.sharding"}},
        {"exchange.algorithm=halving-doubling cluster.workers=6", {"cluster.workers"}},
        {"exchange.algorithm=halving-doubling cluster.workers=6 training.sharding=none", {}},
        {"training.sharding=full", {}},
        {"training.sharding=full exchange.concurrent=2", {"exchange.concurrent"}},
        {"training.sharding=full exchange.order=priority", {"exchange.order"}},
        {"training.sharding=full exchange.algorithm=tree", {"training.sharding"}},
        {"exchange.algorithm=switch-slots", {}},
        {"exchange.algorithm=switch-slots exchange.concurrent=2", {}},
        {"exchange.algorithm=switch-slots exchange.concurrent=2 switch.slots=1", {"switch.slots"}},
        {"exchange.algorithm=switch-slots exchange.concurrent=2 switch.slots=2", {}},
        {"exchange.algorithm=switch-slots exchange.concurrent=2 training.sharding=full",
         {"exchange.concurrent"}},
        {"training.sharding=full codec.name=homomorphic codec.placement=gpu", {}},
        {"training.sharding=full codec.name=homomorphic codec.placement=gpu "
         "exchange.algorithm=tree",
         {"training.sharding"}},
        {"training.sharding=full codec.name=homomorphic codec.placement=gpu codec.index=bits-4 "
         "cluster.workers=16",
         {"codec.index"}}};
    for (const auto& [settings, keys] : rows)
    {
        const auto scenario =
            With(Bare("tensor:64kB", 4),
                 std::string("training.sharding=optimizer exchange.chunk_bytes=16kB ") + settings);
        EXPECT_EQ(KeysComplainedOf(scenario), keys) << settings;
    }
}

class FullSharding : public ScenarioFixture
{
  protected:
    /** Two layers of 100 values, which are a unit each. @param slower their passes by so much */
    static Scenario TwoUnits(std::int64_t slower)
    {
        const auto times =
            "," + std::to_string(1000 * slower) + "," + std::to_string(2000 * slower);
        const auto scenario =
            Bare(WriteTrace("two-units",
                            "layer,elements,forward_ns,backward_ns,update_ns,exponents",
                            "in,100" + times + ",500,121:1\nout,100" + times + ",500,121:1\n"));
        return With(scenario, "training.send=layer training.sharding=full");
    }

    /** Three layers of different sizes, which are a unit each. */
    static Scenario ThreeUnits()
    {
        auto scenario = Bare(WriteTrace("three-units",
                                        "layer,elements,forward_ns,backward_ns,update_ns,exponents",
                                        "a,40000,10000,20000,3000,121:1\n"
                                        "b,8000,40000,80000,2000,121:1\n"
                                        "c,20011,20000,30000,1000,121:1\n"),
                             4);
        scenario.cluster.overrides = {{1, std::nullopt, 1.5}};
        return With(scenario, "training.send=layer training.sharding=full training.iterations=3");
    }
};

TEST_F(FullSharding, TakesTheTimesOfItsExchangesAndPasses)
{
    struct TableRow
    {
        const char* settings;
        std::int64_t slower;      ///< passes
        std::int64_t iterationPs; ///< in the mean
        std::int64_t mostBoundPs; ///< which knows no acknowledgements
        std::vector<std::int64_t>
            waits; ///< of worker 0, in the last iteration, for weights of "in" and "out"
    };

    const std::int64_t f = 1'000'000; // forward
    const std::int64_t b = 2'000'000; // backward
    const std::int64_t u = 250'000;   // a shard's update, by one of two workers
    const auto h = HopPs(50);         // of a block, in either half of a ring of two
    const auto passes = 10 * (2 * f + 2 * b);
    const auto fast = 2 * h + passes + 2 * u; // see the second row
    const TableRow rows[] = {
        // A hop takes 2.44 us: longer than either pass of a layer, so that the queue of five exchanges is
        // empty only while layer "out" goes forward:
        //   gather in, gather out      H, then H after the acknowledgement A of the first
        //   forward of out             F (that of in went on beside the second gather)
        //   gather in, sums of out     H, and H after A, as backward of out (B < H) has ended
        //   sums of in                 H after A, as backward of in (B < H + A) has ended
        //   both shards                2 u
        // "in" waits for its first gather, and in its backward pass for the rest of the one that began with
        // the backward pass of "out"; "out" for the second gather, which was to be there F after the first.
        {"", 1, 5 * h + 3 * ACK_PS + f + 2 * u, 5 * h + f + 2 * u, {h + h - b, h + ACK_PS - f}},
        // Passes take ten times as long, and the network is idle most of the time. Only the first gather and
        // the last sums are waited for, in every iteration: H + 2 F + 2 B + H + 2 u.
        {"", 10, fast, fast, {h, 0}},
        // As sums come, the shard of "out" is updated between passes, which those of "in" wait for.
        {"training.update=bucket", 10, fast, fast, {h, 0}},
        // Weights of the last iteration are waited for since the passes before, behind those sums.
        {"training.iterations=3", 10, fast, fast, {2 * h + 2 * u, 0}},
        // Without overlap each exchange is waited for, and passes before the next one begins, which take longer
        // than an acknowledgement. Layer "in" waits for its weights twice, the second time behind the sums of "out".
        {"training.overlap=false",
         1,
         5 * h + ACK_PS + 2 * f + 2 * b + 2 * u,
         5 * h + 2 * f + 2 * b + 2 * u,
         {2 * h + ACK_PS, h}},
        // As TwoLayerReplay of simulation-test.cc: all weights are there.
        {"training.sharding=none",
         1,
         2 * f + b + 2 * RingOfTwoPs(100) + ACK_PS + 1'000'000,
         2 * f + b + 4 * h + 1'000'000,
         {0, 0}},
        // Every micro-batch gathers its weights and has its gradients added, without the update: behind it,
        // the first gather of the next one waits for the acknowledgement of the last sums. Layer "in" waits
        // for all but the last sums.
        {"training.accumulation=2",
         10,
         4 * h + ACK_PS + 2 * passes + 2 * u,
         4 * h + 2 * passes + 2 * u,
         {3 * h + ACK_PS, 0}},
        // Weights are copied to the GPU as gradients are from it: 100 values * 4 bytes at 1 GB/s, 400 ns each.
        {"host.copy_rate=1GBps", 10, fast + 2 * 400'000, fast + 2 * 400'000, {h + 400'000, 0}},
    };
    for (const auto& row : rows)
    {
        SCOPED_TRACE(row.settings);
        const auto record = RunExperiment(With(TwoUnits(row.slower), row.settings), {});
        EXPECT_EQ(record.results.iterationTimePs, row.iterationPs);
        EXPECT_LE(*record.results.lowerBoundPs, row.mostBoundPs);
        std::vector<std::int64_t> waits;
        for (const auto& layer : record.layers)
        {
            if (layer.worker == 0)
            {
                waits.push_back(layer.weightsWaitPs);
            }
        }
        EXPECT_EQ(waits, row.waits);
    }
}

/* Of micro-batches: bytes of both, and of either from the end of one backward pass to the sums of the other, the second
 * one's updated. Forward passes of 10 us of 2 layers, three times. */
TEST_F(FullSharding, AddsUpWhatItDoes)
{
    const auto both = RunExperiment(With(TwoUnits(10), "training.accumulation=2"), {}).results;
    EXPECT_EQ(both.plainBytes, 2U * 5 * 100 * 4);
    EXPECT_EQ(both.exchangeTimePs, 20'000'000 + HopPs(50) + 2 * 250'000 / 2);
    const auto three = RunExperiment(With(TwoUnits(10), "training.iterations=3"), {}).results;
    EXPECT_EQ(three.shares.forwardPs, 3 * 2 * 10'000'000);
}

/* In each of three phases, forward, backward and gradients, a worker gets (N - 1) / N of what it holds not; but nothing
 * of the last layer for backward. Of 4-byte values, 2 layers of n = 100: 5 (N - 1) n * 4 in all. 3 workers: 34 values
 * each, the last of them with 2 zeros that are nobody's. */
TEST_F(FullSharding, MovesEachPhaseOnceInEqualShards)
{
    const std::pair<const char*, std::uint32_t> rows[] = {
        {"ring", 4}, {"halving-doubling", 4}, {"ring", 3}};
    for (const auto& [exchange, workers] : rows)
    {
        auto scenario = TwoUnits(1);
        scenario.cluster.workers = workers;
        scenario.exchange.algorithm = exchange;
        const auto record = RunExperiment(scenario, {});
        EXPECT_EQ(record.results.plainBytes, 5U * (workers - 1) * 100 * 4) << exchange;
        EXPECT_EQ(record.results.simulatedRanks, 1U) << exchange;
        for (const auto& row : record.layers)
        {
            const auto phases = row.layer == "in" ? 3U : 2U;
            EXPECT_TRUE(workers == 3 || row.plainBytes == phases * 3 * 100) << row.plainBytes;
            EXPECT_LE(row.readyPs, row.startPs); // of gradients, not of weights
            EXPECT_LT(row.startPs, row.endPs);
        }
    }
}

/* Two workers get half of a unit from each other: the gradients of both units, the weights of both in the forward pass, and
 * those of the first again in the backward pass. */
TEST_F(FullSharding, WeightsHaveATypeOfTheirOwn)
{
    struct Row
    {
        const char* settings;
        std::uint64_t gradientBytes; ///< of an element
        std::uint64_t weightBytes;
    };

    const Row rows[] = {{"training.weight_type=bf16", 4, 2},
                        {"training.gradient_type=bf16 training.reduce_type=fp32", 4, 2},
                        {"training.gradient_type=bf16 training.weight_type=fp32", 2, 4},
                        {"training.reduce_type=fp16", 2, 4}};
    for (const auto& row : rows)
    {
        const auto record = RunExperiment(With(TwoUnits(1), row.settings), {});
        EXPECT_EQ(record.results.plainBytes, (2 * row.gradientBytes + 3 * row.weightBytes) * 100)
            << row.settings;
        EXPECT_EQ(AtPacketLevel(With(TwoUnits(1), row.settings)).results.iterationTimePs,
                  record.results.iterationTimePs);
    }
}

/*
 * Four workers in groups of two. A gather of 100 values brings each of them 50, in three gathers of the two units; so do the
 * sums of gradients in the group, of two. Two replicas add shards of 50: each gets half of them twice. With two micro-batches
 * all is done twice, but replicas add once if they are told to.
 */
TEST_F(FullSharding, MovesShardsInGroupsAndSumsBetweenThem)
{
    constexpr std::uint64_t gathers = 3 * 4 * 50;
    constexpr std::uint64_t sums = 2 * 4 * 50;
    constexpr std::uint64_t overReplicas = 2 * 4 * 2 * 25;

    struct Row
    {
        const char* settings;
        std::uint64_t bytes;
    };

    const Row rows[] = {
        {"", 4 * (gathers + sums + overReplicas)},
        {"training.weight_type=bf16", 2 * gathers + 4 * (sums + overReplicas)},
        {"training.accumulation=2", 2 * 4 * (gathers + sums + overReplicas)},
        {"training.accumulation=2 training.replica_sums=update",
         2 * 4 * (gathers + sums) + 4 * overReplicas},
    };
    auto base = With(TwoUnits(1), "training.sharding=hybrid training.shard_group=2");
    base.cluster.workers = 4;
    for (const auto& row : rows)
    {
        for (const auto* exchange : {"ring", "halving-doubling", "two-shot"})
        {
            const auto scenario =
                With(base, std::string("exchange.algorithm=") + exchange + " " + row.settings);
            SCOPED_TRACE(SettingsOf(scenario));
            const auto record = RunExperiment(scenario, {});
            EXPECT_EQ(record.results.plainBytes, row.bytes);
            EXPECT_EQ(record.results.simulatedRanks, exchange == std::string("two-shot") ? 4U : 1U);
            ExpectSameRows(record, AtPacketLevel(scenario));
        }
    }
}

/* Own sizes of groups come before those of all, and those before what fits the workers, or workers on a rail, that exchange. */
TEST_F(FullSharding, GroupsSayHowTheyAreCut)
{
    struct Row
    {
        const char* settings;
        Rank ofShards;
        Rank ofReplicas;
    };

    const Row rows[] = {
        {"cluster.workers=32 training.shard_group=8", 8, 4}, // all of them: two-shot
        {"cluster.workers=32 training.shard_group=8 exchange.group_size=2", 2, 2},
        {"cluster.workers=32 training.shard_group=8 exchange.group_size=2 "
         "group.shard.group_size=4",
         4,
         2},
        {"cluster.workers=32 training.shard_group=8 group.replica.group_size=2", 8, 2},
        {"cluster.workers=8 cluster.gpus=4 training.shard_group=4", 4, 8},
        {"cluster.workers=8 cluster.gpus=4 training.shard_group=16", 4, 2}, // on each of 4 rails
        {"cluster.workers=16 training.shard_group=2 group.replica.algorithm=hierarchical-ring",
         2,
         4},
        {"cluster.workers=16 training.shard_group=2 exchange.group_size=4", 2, 4}, // at most all
    };
    for (const auto& [settings, ofShards, ofReplicas] : rows)
    {
        const auto scenario =
            With(TwoUnits(1),
                 std::string("training.sharding=hybrid exchange.algorithm=two-shot ") + settings);
        const auto spec = MakeExchangeSpec(scenario);
        EXPECT_EQ(std::pair(spec.groupSize, spec.replicaGroupSize), std::pair(ofShards, ofReplicas))
            << settings;
        EXPECT_THAT(KeysComplainedOf(scenario), testing::IsEmpty()) << settings;
    }
}

/*
 * As above. Sums in the group take 2 * 4 * 50 values and those between replicas 2 * 4 * 2 * 25, a frame of a value each 16
 * bits where they are truncated; gathered weights are never. What is not compressed of bf16 is not widened either.
 */
TEST_F(FullSharding, GroupsSayTheirOwn)
{
    constexpr std::uint64_t sums = 2 * 4 * 50;
    constexpr std::uint64_t overReplicas = 2 * 4 * 2 * 25;

    struct Row
    {
        const char* settings;
        std::uint64_t wireBytes; ///< of gradients, without headers
    };

    const Row rows[] = {
        {"", 2 * (sums + overReplicas)},
        {"group.shard.compress=false", 4 * sums + 2 * overReplicas},
        {"group.replica.compress=false", 2 * sums + 4 * overReplicas},
        {"group.shard.compress=false training.gradient_type=bf16", 2 * (sums + overReplicas)},
        {"group.shard.compress=false group.replica.algorithm=recursive-doubling",
         4 * sums + 2 * overReplicas}, // all of a shard, once
        {"group.shard.algorithm=halving-doubling group.replica.algorithm=tree",
         2 * (sums + overReplicas)},
        {"codec.name=none group.replica.codec.name=truncate", 4 * sums + 2 * overReplicas},
        {"group.replica.codec.drop_bits=24", 2 * sums + overReplicas},
        {"group.shard.codec.placement=cpu group.shard.codec.encode_rate=1GBps "
         "group.shard.codec.decode_rate=2GBps group.replica.codec.drop_bits=24",
         2 * sums + overReplicas},
        {"codec.placement=cpu codec.encode_rate=1MBps codec.decode_rate=1MBps " // else bound above
         "group.replica.codec.encode_rate=1GBps group.replica.codec.decode_rate=1GBps",
         2 * (sums + overReplicas)},
        {"group.shard.codec.name=cast group.replica.codec.name=none training.gradient_type=bf16",
         2 * (sums + overReplicas)},
        // Shards of 4 workers in two hops, all of which are within the group: 2 layers of 104 values, padded for 4 shards of 2
        // blocks, of which 8 workers send 3 of 4 shards; then each of 13 values twice.
        {"cluster.workers=8 training.shard_group=4 group.shard.algorithm=two-shot "
         "group.shard.group_size=2 group.replica.codec.name=none",
         2 * (2 * 8 * 3 * 26) + 4 * (2 * 8 * 2 * 13)},
    };
    auto base = With(TwoUnits(1),
                     "training.sharding=hybrid training.shard_group=2 codec.name=truncate "
                     "codec.drop_bits=16");
    base.cluster.workers = 4;
    for (const auto& row : rows)
    {
        SCOPED_TRACE(row.settings);
        const auto scenario = With(base, row.settings);
        ASSERT_THAT(KeysComplainedOf(scenario), testing::IsEmpty());
        EXPECT_EQ(Run(scenario).Job().seen->gradientWireBytes, row.wireBytes);
        const auto record = RunExperiment(scenario, {});
        EXPECT_LE(*record.results.lowerBoundPs, record.results.iterationTimePs);
        ExpectSameRows(record, AtPacketLevel(scenario));
        const auto withValues = RunExperiment(With(scenario, "training.values=true"), {});
        ExpectSameRows(withValues, AtPacketLevel(With(scenario, "training.values=true")));
    }
}

/* One group keeps what full sharding keeps; groups of one keep all. */
TEST_F(FullSharding, IsHybridWithOneGroup)
{
    for (const auto& [group, sharding] : {std::pair{"4", "full"}, std::pair{"1", "none"}})
    {
        auto base = ThreeUnits();
        base.cluster.workers = 4;
        const auto hybrid = RunExperiment(
            With(base, std::string("training.sharding=hybrid training.shard_group=") + group), {});
        const auto other =
            RunExperiment(With(base, std::string("training.sharding=") + sharding), {});
        EXPECT_THAT(PrecisionOf(hybrid, other).differing, testing::IsEmpty());
        EXPECT_EQ(LayersCsv(hybrid), LayersCsv(other));
        EXPECT_EQ(LinksCsv(hybrid), LinksCsv(other));
    }
}

/*
 * Three units of 400 kB of 4 workers, which compute nothing, at 10 Gb/s. Of each unit switches take up S, what a worker sends
 * to be added, and give down S / 4; they gather S / 4 up, and what the others have down. In place of each packet that carries
 * nothing here goes an empty one, of 84 bytes on the wire in place of 1106. A forward pass gathers three units. A
 * backward pass, whose first weights are there, gathers two and sums three, one after the other; with two communicators gathers come
 * down while sums go up, beside which only own quarters do. Ring gathers take 3/4 S each way. Within 2 % for latencies.
 */
TEST_F(FullSharding, GathersBesideSums)
{
    const auto units = WriteTrace("equal-units",
                                  "layer,elements,forward_ns,backward_ns,update_ns",
                                  "a,100000,0,0,0\nb,100000,0,0,0\nc,100000,0,0,0\n");
    const auto base =
        With(Bare(units, 4),
             "training.send=layer training.sharding=full exchange.algorithm=switch-slots "
             "switch.adder=fp32 switch.slots=512 cluster.bandwidth=10Gbps");
    const double unitPs = 400'000 * 8 * 100.0 * 1106 / 1024;
    const double empty = 84.0 / 1106;
    const double down = 0.75 + 0.25 * empty; // of a gather
    const double up = 0.25 + 0.75 * empty;
    const std::tuple<const char*, double, double> rows[] = {
        {"exchange.communicators=1", 3 * down, 2 * down + 3},
        {"exchange.communicators=2", 3 * down, 2 * up + 3},
        {"exchange.gather_algorithm=ring", 3 * 0.75, 2 * 0.75 + 3}};
    for (const auto& [settings, forward, backward] : rows)
    {
        const auto expectedPs = (forward + backward) * unitPs;
        EXPECT_NEAR(static_cast<double>(EndPs(With(base, settings))), expectedPs, 0.02 * expectedPs)
            << settings;
    }
}

/* At one instant the worker that is ready last starts a sum before a gather, and the others after it: one is not all. */
TEST_F(FullSharding, IsOfAllWorkersWhereGathersAndSumsStartTogether)
{
    const auto scenario =
        With(Bare("hdc", 3),
             "training.sharding=full training.accumulation=2 exchange.start=together "
             "exchange.communicators=2 host.preset=gpudirect");
    EXPECT_EQ(EndPs(scenario), AtPacketLevel(scenario).results.iterationTimePs);
}

/* Switches that only gather lose nothing, whatever they could add. */
TEST_F(FullSharding, LosesNothingInGathers)
{
    const auto plan = MakePlan(With(
        ThreeUnits(), "exchange.gather_algorithm=switch-slots switch.adder=int16 codec.name=none"));
    EXPECT_EQ(LossesText(LossesOf(plan)), "none");
    EXPECT_FALSE(SumOrderOf(plan.Settings()).matters);
}

/* With other algorithms for gathers than for sums, and with both at once, values are those of one algorithm. */
TEST_F(FullSharding, GathersByAnotherAlgorithm)
{
    for (const std::string settings :
         {"exchange.algorithm=ring exchange.gather_algorithm=switch-slots",
          "exchange.algorithm=switch-slots exchange.gather_algorithm=ring",
          "exchange.algorithm=switch-tree exchange.gather_algorithm=ring switch.adder=fp32",
          "exchange.algorithm=switch-slots",
          "cluster.gpus=2 exchange.algorithm=switch-slots exchange.gather_algorithm=ring"})
    {
        for (const std::string communicators : {"1", "2"})
        {
            SCOPED_TRACE(settings);
            const auto scenario =
                With(ThreeUnits(),
                     "training.values=true training.weight_type=bf16 exchange.communicators=" +
                         communicators + " " + settings);
            const auto record = RunExperiment(scenario, {});
            EXPECT_LE(*record.results.lowerBoundPs, record.results.iterationTimePs);
            const auto packetLevel = AtPacketLevel(scenario); // where values are verified in frames
            EXPECT_EQ(record.results.iterationTimePs, packetLevel.results.iterationTimePs);
        }
    }
    EXPECT_THAT(WhyNot<InputError>([] {
                    RunExperiment(With(ThreeUnits(),
                                       "cluster.workers=4 exchange.algorithm=halving-doubling "
                                       "exchange.gather_algorithm=ring"),
                                  {});
                }),
                testing::HasSubstr("exchange.gather_algorithm: 'ring' hands on other parts"));
}

TEST_F(FullSharding, IsRefusedInGroupsThatCannotBe)
{
    const std::pair<const char*, const char*> rows[] = {
        {"", "training.shard_group"},
        {"training.shard_group=3", "training.shard_group"},
        {"training.shard_group=5", "training.shard_group"}, // no silent single group
        {"training.shard_group=2 exchange.algorithm=switch-slots", "training.sharding"},
        {"training.shard_group=2 codec.name=homomorphic training.density=0.1", "training.sharding"},
        {"training.shard_group=2 ring.channels=2", "training.shard_group"},
        {"training.shard_group=2 group.shard.algorithm=tree", "group.shard.algorithm"},
        {"training.shard_group=2 group.shard.algorithm=switch-slots", "group.shard.algorithm"},
        {"training.shard_group=2 group.replica.algorithm=worker-aggregator",
         "group.replica.algorithm"},
        {"training.shard_group=2 group.replica.algorithm=switch-tree", "group.replica.algorithm"},
        {"training.shard_group=2 group.shard.algorithm=ring exchange.algorithm=parameter-server",
         "exchange.algorithm"},
        {"training.shard_group=2 cluster.gpus=2 group.shard.algorithm=switch-tree",
         "group.shard.algorithm"},
        {"training.shard_group=2 cluster.gpus=2 group.replica.algorithm=switch-slots "
         "cluster.topology=leaf-spine",
         "group.replica.algorithm"},
        {"training.shard_group=2 group.shard.algorithm=two-shot host.duplex=half", "host.duplex"},
        {"training.shard_group=2 group.replica.algorithm=two-shot host.duplex=half", "host.duplex"},
        {"training.sharding=full group.shard.algorithm=ring exchange.algorithm=tree",
         "training.sharding"},
        {"training.shard_group=2 group.shard.codec.name=homomorphic", "group.shard.codec.name"},
        {"training.shard_group=2 group.replica.codec.name=block",
         "group.replica.codec.encode_rate"},
        {"training.shard_group=2 group.replica.codec.name=cast codec.sum=wire codec.name=truncate",
         "group.replica.codec.sum"},
        {"training.shard_group=2 cluster.gpus=2 cluster.nics=2 group.shard.codec.name=cast",
         "group.shard.codec.placement"},
        {"training.shard_group=2 exchange.library=gloo", "exchange.library"},
        {"training.shard_group=4 cluster.gpus=2 exchange.library=nccl", "exchange.library"},
        {"training.shard_group=2 exchange.library=nccl group.replica.algorithm=tree",
         "group.replica.algorithm"},
        {"training.sharding=full exchange.library=nccl exchange.gather_algorithm=switch-tree",
         "exchange.gather_algorithm"},
        {"training.shard_group=2 group.replica.algorithm=two-shot group.replica.group_size=3",
         "group.replica.group_size"},
        {"training.shard_group=2 group.shard.algorithm=two-shot group.shard.group_size=4",
         "group.shard.group_size"},
        {"training.shard_group=2 exchange.concurrent=2", "exchange.concurrent"}};
    for (const auto& [settings, key] : rows)
    {
        auto scenario = With(ThreeUnits(), std::string("training.sharding=hybrid ") + settings);
        scenario.cluster.workers = 4;
        EXPECT_THAT(KeysComplainedOf(scenario), testing::Contains(key)) << settings;
    }
}

/* What no drawn run of shards sets: a run ends, no sooner than its bound, and auto is what packet level is. */
TEST_F(FullSharding, GoesWithOtherSettings)
{
    for (const auto* settings :
         {"training.send=fused exchange.bucket_bytes=120kB",
          "training.send=bucket exchange.first_bucket_bytes=100kB",
          "training.values=true training.gradient_type=bf16 training.accumulation=2",
          "training.values=true codec.name=inceptionn training.gradient_type=fp16",
          "training.gradient_type=bf16",
          "exchange.library=nccl training.weight_type=bf16",
          "exchange.library=nccl training.values=true training.sharding=optimizer",
          "exchange.library=nccl training.sharding=hybrid training.shard_group=2",
          "training.values=true training.weight_type=bf16 ring.chunk_bytes=8kB", // of one shard
          "sparsify.method=top-k",
          "cluster.gpus=4 host.copy_rate=2GBps host.sum_rate=8GBps",
          "training.jitter=normal training.jitter_sd=0.1"})
    {
        SCOPED_TRACE(settings);
        const auto scenario = With(ThreeUnits(), settings);
        ASSERT_THAT(KeysComplainedOf(scenario), testing::IsEmpty());
        const auto record = RunExperiment(scenario, {});
        if (scenario.training.jitter == Jitter::NONE) // else of the mean of many iterations
        {
            EXPECT_LE(*record.results.lowerBoundPs, record.results.iterationTimePs);
        }
        const auto packetLevel = AtPacketLevel(scenario);
        EXPECT_EQ(record.results.iterationTimePs, packetLevel.results.iterationTimePs);
        EXPECT_EQ(LayersCsv(record), LayersCsv(packetLevel));
    }
}

/* A lone tensor: its weights are gathered, its gradients added. */
TEST_F(FullSharding, TakesALoneTensor)
{
    EXPECT_EQ(EndPs(With(Bare("tensor:400B"), "training.sharding=full")), 2 * HopPs(50) + ACK_PS);
}

} // namespace inca
