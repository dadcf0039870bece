/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Training whose workers keep a part each of the optimizer's state, or of the weights (FSDP, ZeRO-3).
#include "experiment/run-experiment.h"
#include "experiment/scenario-fixture.h"
#include "record/detail-tables.h"
#include "scenario/checks.h"
#include "scenario/keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

class Sharding : public ScenarioFixture
{
  protected:
    static constexpr std::int64_t UPDATE_PS{8'000'000'000};

    /** One layer of 40,000 values, whose update takes 8 ms. */
    static Scenario Of(const std::string& exchange, std::uint32_t workers)
    {
        const auto path = WriteTrace("sharding",
                                     "layer,elements,forward_ns,backward_ns,update_ns,exponents",
                                     "only,40000,1000,2000,8000000,121:1\n");
        Scenario scenario;
        scenario.training.trace = path;
        scenario.exchange.algorithm = exchange;
        scenario.cluster.workers = workers;
        return scenario;
    }

    static RunRecord Run(Scenario scenario, const std::string& sharding)
    {
        scenario.training.sharding = sharding;
        return RunExperiment(scenario, {});
    }
};

/* The same messages, and each of N workers updates an N-th of the weights: U (1 - 1/N) less. A gradient's
 * sum is updated before it goes round, so nothing is updated afterwards. */
TEST_F(Sharding, SavesAllButAShareOfTheUpdate)
{
    for (const auto* exchange : {"ring", "halving-doubling"})
    {
        for (const std::uint32_t workers : {2U, 4U, 8U})
        {
            const auto whole = Run(Of(exchange, workers), "none").results;
            const auto shard = Run(Of(exchange, workers), "optimizer").results;
            EXPECT_EQ(whole.iterationTimePs - shard.iterationTimePs,
                      UPDATE_PS - UPDATE_PS / workers)
                << exchange << " of " << workers;
            EXPECT_EQ(shard.wireBytes, whole.wireBytes);
            EXPECT_LE(*shard.lowerBoundPs, shard.iterationTimePs);
        }
    }
}

/* Gradients are compressed, weights are not: of 10 bits a value of 32 one way, all 32 the other. */
TEST_F(Sharding, CompressesNoWeights)
{
    auto scenario = Of("ring", 4);
    SetKey(scenario, "codec.name", "truncate");
    SetKey(scenario, "codec.drop_bits", "22");
    const auto plain = Run(Of("ring", 4), "none").results;
    const auto both = Run(scenario, "none").results;
    const auto one = Run(scenario, "optimizer").results;
    EXPECT_LT(both.wireBytes, one.wireBytes);
    EXPECT_LT(one.wireBytes, plain.wireBytes);
    // half of what the codec saves on both ways
    EXPECT_NEAR(static_cast<double>(plain.wireBytes - one.wireBytes),
                0.5 * static_cast<double>(plain.wireBytes - both.wireBytes),
                2);
}

/* Two iterations, slow and fast workers: each updates its shard at its own pace; the run ends. */
TEST_F(Sharding, TakesChannelsAndSlowWorkers)
{
    auto scenario = Of("ring", 4);
    scenario.training.iterations = 2;
    scenario.cluster.overrides = {{1, std::nullopt, 3.0}};
    SetKey(scenario, "ring.channels", "2");
    const auto whole = Run(scenario, "none").results;
    const auto shard = Run(scenario, "optimizer").results;
    EXPECT_LT(shard.iterationTimePs, whole.iterationTimePs);
}

TEST_F(Sharding, IsRefusedWhereNobodySumsAPart)
{
    for (const auto* exchange :
         {"tree", "parameter-server", "hierarchical-ring", "worker-aggregator"})
    {
        auto scenario = Of(exchange, 4);
        scenario.training.sharding = "optimizer";
        const auto complaints = Complaints(scenario);
        ASSERT_FALSE(complaints.empty()) << exchange;
        EXPECT_EQ(complaints.front().key, "training.sharding");
    }
    auto odd = Of("halving-doubling", 6);
    EXPECT_TRUE(Complaints(odd).empty());
    odd.training.sharding = "optimizer";
    EXPECT_EQ(Complaints(odd).front().key, "cluster.workers");
}

class FullSharding : public ScenarioFixture
{
  protected:
    static constexpr std::int64_t UPDATE_PS{500'000}; ///< of a layer

    /** Two layers of 100 values, which are a unit each. */
    static Scenario TwoUnits(std::int64_t forwardNs, std::int64_t backwardNs)
    {
        const auto times = "," + std::to_string(forwardNs) + "," + std::to_string(backwardNs);
        auto scenario =
            Bare(WriteTrace("two-units",
                            "layer,elements,forward_ns,backward_ns,update_ns,exponents",
                            "in,100" + times + ",500,121:1\nout,100" + times + ",500,121:1\n"));
        scenario.training.send = "layer";
        scenario.training.sharding = "full";
        return scenario;
    }

    /** Three layers of different sizes, which are a unit each. */
    static Scenario ThreeUnits(const std::string& exchange, std::uint32_t workers)
    {
        auto scenario = Bare(WriteTrace("three-units",
                                        "layer,elements,forward_ns,backward_ns,update_ns,exponents",
                                        "a,40000,10000,20000,3000,121:1\n"
                                        "b,8000,40000,80000,2000,121:1\n"
                                        "c,20011,20000,30000,1000,121:1\n"),
                             workers);
        scenario.exchange.algorithm = exchange;
        scenario.training.send = "layer";
        scenario.training.sharding = "full";
        scenario.training.iterations = 3;
        return scenario;
    }

    static std::vector<std::string> KeysComplainedOf(const Scenario& scenario)
    {
        std::vector<std::string> keys;
        for (const auto& complaint : Complaints(scenario))
        {
            keys.push_back(complaint.key);
            EXPECT_FALSE(complaint.remedies.empty()) << complaint.key;
        }
        return keys;
    }

    /** How long layers of worker 0 waited for their weights. (ps) */
    static std::vector<std::int64_t> WaitsOf(const RunRecord& record)
    {
        std::vector<std::int64_t> waits;
        for (const auto& row : record.layers)
        {
            if (row.worker == 0)
            {
                waits.push_back(row.weightsWaitPs);
            }
        }
        return waits;
    }

    static constexpr std::int64_t FORWARD_PS{1'000'000};
    static constexpr std::int64_t BACKWARD_PS{2'000'000};
    static constexpr std::int64_t SHARD_PS{UPDATE_PS / 2}; ///< its update, by one of two workers
    const std::int64_t HOP_PS{HopPs(50)}; ///< of a block, in either half of a ring of two
};

/* A hop takes 2.44 us: longer than either pass of a layer (F = 1 us, B = 2 us), so that the queue of five exchanges is
 * empty only while layer "out" goes forward:
 *   gather in, gather out      H, then H after the acknowledgement A of the first
 *   forward of out             F (that of in went on beside the second gather)
 *   gather in, sums of out     H, and H + u after A, as backward of out (B < H) has ended
 *   sums of in                 H + u, as backward of in (B < H + A + u) has ended; u > A, so A is over
 * The lower bound knows neither acknowledgements nor updates of shards. */
TEST_F(FullSharding, TakesFiveExchangesInTurnIfTheNetworkIsSlow)
{
    const auto results = RunExperiment(TwoUnits(1'000, 2'000), {}).results;
    EXPECT_EQ(results.iterationTimePs, 5 * HOP_PS + 2 * ACK_PS + FORWARD_PS + 2 * SHARD_PS);
    EXPECT_LE(*results.lowerBoundPs, 5 * HOP_PS + FORWARD_PS);
}

/* Passes take ten times as long, and the network is idle most of the time. Only the first gather and the last sums
 * are waited for, in every iteration: H + 2 F + 2 B + H + u. */
TEST_F(FullSharding, HidesAllButTheFirstAndTheLastExchangeIfTheNetworkIsFast)
{
    auto scenario = TwoUnits(10'000, 20'000);
    const auto passesPs = 10 * (2 * FORWARD_PS + 2 * BACKWARD_PS);
    scenario.training.iterations = 3;
    const auto record = RunExperiment(scenario, {});
    EXPECT_EQ(record.results.iterationTimePs, 2 * HOP_PS + passesPs + SHARD_PS);
    EXPECT_LE(*record.results.lowerBoundPs, 2 * HOP_PS + passesPs);
    EXPECT_EQ(record.results.shares.forwardPs, 3 * 20 * FORWARD_PS);
}

/* Without overlap each exchange is waited for, and passes before the next one begins. A shard's update takes longer than
 * an acknowledgement, and so does a pass: 5 H + 2 F + 2 B + 2 u. Layer "in" waits for its weights twice. */
TEST_F(FullSharding, TakesTurnsWithoutOverlap)
{
    auto scenario = TwoUnits(1'000, 2'000);
    scenario.training.overlap = false;
    const auto record = RunExperiment(scenario, {});
    EXPECT_EQ(record.results.iterationTimePs,
              5 * HOP_PS + 2 * FORWARD_PS + 2 * BACKWARD_PS + 2 * SHARD_PS);
    EXPECT_LE(*record.results.lowerBoundPs, 5 * HOP_PS + 2 * FORWARD_PS + 2 * BACKWARD_PS);
    EXPECT_THAT(WaitsOf(record), testing::ElementsAre(2 * HOP_PS, HOP_PS));
}

/* A slow network: "in" waits for its first gather, and in its backward pass for the rest of the one that began with the
 * backward pass of "out"; "out" for the second gather, which was to be there F after the first. */
TEST_F(FullSharding, SaysWhichLayersWaitForWeights)
{
    const auto slow = RunExperiment(TwoUnits(1'000, 2'000), {});
    EXPECT_THAT(WaitsOf(slow),
                testing::ElementsAre(HOP_PS + HOP_PS - BACKWARD_PS, HOP_PS + ACK_PS - FORWARD_PS));
    const auto fast = RunExperiment(TwoUnits(10'000, 20'000), {});
    EXPECT_THAT(WaitsOf(fast), testing::ElementsAre(HOP_PS, 0));
    auto none = TwoUnits(1'000, 2'000);
    none.training.sharding = "none";
    EXPECT_THAT(WaitsOf(RunExperiment(none, {})), testing::ElementsAre(0, 0));
}

/* Every micro-batch gathers its weights and has its gradients added, without the update: behind it, the first gather of
 * the next one waits for the acknowledgement of the last sums. 4 H + A + 2 (2 F + 2 B) + u, of which layer "in" waits
 * for all but the last sums. */
TEST_F(FullSharding, ExchangesEveryMicroBatch)
{
    auto scenario = TwoUnits(10'000, 20'000);
    scenario.training.accumulation = 2;
    const auto passesPs = 2 * 10 * (2 * FORWARD_PS + 2 * BACKWARD_PS);
    const auto record = RunExperiment(scenario, {});
    EXPECT_EQ(record.results.iterationTimePs, 4 * HOP_PS + ACK_PS + passesPs + SHARD_PS);
    EXPECT_LE(*record.results.lowerBoundPs, 4 * HOP_PS + passesPs);
    EXPECT_EQ(record.results.plainBytes, 2U * 5 * 100 * 4);
    EXPECT_THAT(WaitsOf(record), testing::ElementsAre(3 * HOP_PS + ACK_PS, 0));
    // of either micro-batch from the end of one backward pass to the sums of the other, the second one's updated
    EXPECT_EQ(record.results.exchangeTimePs, 10 * BACKWARD_PS + HOP_PS + SHARD_PS / 2);
}

/* 3 workers: 34 values each, the last of them with 2 zeros that are nobody's: 5 (N - 1) 100 * 4 bytes. */
TEST_F(FullSharding, MovesEqualShards)
{
    auto scenario = TwoUnits(1'000, 2'000);
    scenario.cluster.workers = 3;
    const auto record = RunExperiment(scenario, {});
    EXPECT_EQ(record.results.plainBytes, 5U * 2 * 100 * 4);
    EXPECT_EQ(record.results.simulatedRanks, 1U);
}

/* In each of three phases, forward, backward and gradients, a worker gets (N - 1) / N of what it holds not; but nothing
 * of the last layer for backward. Of 4-byte values, 2 layers of n = 100, 4 workers: 5 (N - 1) n * 4 in all. */
TEST_F(FullSharding, MovesEachPhaseOnce)
{
    for (const auto* exchange : {"ring", "halving-doubling"})
    {
        auto scenario = TwoUnits(1'000, 2'000);
        scenario.cluster.workers = 4;
        scenario.exchange.algorithm = exchange;
        const auto record = RunExperiment(scenario, {});
        EXPECT_EQ(record.results.plainBytes, 5U * 3 * 100 * 4);
        for (const auto& row : record.layers)
        {
            EXPECT_EQ(row.plainBytes, (row.layer == "in" ? 3U : 2U) * 3 * 100);
            EXPECT_LE(row.readyPs, row.startPs); // of gradients, not of weights
            EXPECT_LT(row.startPs, row.endPs);
        }
    }
}

/* One unit is gathered once, and summed once: as much as in an all-reduce, of which all, one half, or none is coded. */
TEST_F(FullSharding, CompressesNoWeights)
{
    const auto wireBytes = [](const std::string& sharding, const std::string& codec) {
        auto scenario = ThreeUnits("ring", 4);
        scenario.training.send = "end";
        scenario.training.sharding = sharding;
        scenario.training.iterations = 1;
        scenario.codec.name = codec;
        return static_cast<double>(RunExperiment(scenario, {}).results.wireBytes);
    };
    EXPECT_EQ(wireBytes("full", "none"), wireBytes("optimizer", "none"));
    EXPECT_EQ(wireBytes("full", "truncate"), wireBytes("optimizer", "truncate"));
    EXPECT_LT(wireBytes("none", "truncate"), wireBytes("full", "truncate"));
}

/* 2 GPUs of a worker share what comes and add up what goes, 100 values * 4 bytes / 2 at 1 GB/s: 200 ns each. Where
 * passes hide all else, the first layer's weights and the last sums are waited for. */
TEST_F(FullSharding, SharesWeightsAmongAWorkersGpus)
{
    auto scenario = TwoUnits(10'000, 20'000);
    const auto one = EndPs(scenario);
    scenario.cluster.gpus = 2;
    scenario.cluster.gpuBytesPerSecond = 1'000'000'000;
    EXPECT_EQ(EndPs(scenario) - one, 2 * 200'000);
}

/* Weights are copied to the GPU as gradients are from it: 100 values * 4 bytes at 1 GB/s, 400 ns each. */
TEST_F(FullSharding, CopiesWeights)
{
    auto scenario = TwoUnits(10'000, 20'000);
    const auto direct = EndPs(scenario);
    scenario.host.copyBytesPerSecond = 1'000'000'000;
    EXPECT_EQ(EndPs(scenario) - direct, 2 * 400'000);
}

/* Whatever else is set: a run ends, no sooner than its bound, and auto is what packet level is. */
TEST_F(FullSharding, GoesWithOtherSettings)
{
    for (const auto* settings :
         {"",
          "exchange.algorithm=halving-doubling",
          "ring.channels=2",
          "ring.chunk_bytes=4kB",
          "exchange.chunk_bytes=20kB",
          "training.send=fused exchange.bucket_bytes=120kB",
          "training.send=bucket exchange.first_bucket_bytes=100kB",
          "training.send=end",
          "exchange.start=together",
          "host.duplex=half",
          "training.overlap=false",
          "training.overlap=false host.copy_rate=2GBps training.send=end",
          "training.accumulation=3 training.overlap=false",
          "training.accumulation=2 host.copy_rate=2GBps",
          "training.values=true",
          "training.values=true exchange.algorithm=halving-doubling",
          "training.values=true training.gradient_type=bf16 training.accumulation=2",
          "training.values=true codec.name=inceptionn training.gradient_type=fp16",
          "training.values=true ring.channels=3 exchange.chunk_bytes=20kB",
          "training.values=true codec.name=cast codec.placement=cpu "
          "codec.encode_rate=1GBps codec.decode_rate=1GBps",
          "codec.name=inceptionn",
          "codec.name=cast codec.placement=cpu codec.encode_rate=1GBps "
          "codec.decode_rate=1GBps",
          "training.gradient_type=bf16",
          "sparsify.method=top-k",
          "cluster.gpus=4 host.copy_rate=2GBps host.sum_rate=8GBps",
          "cluster.topology=leaf-spine cluster.hosts_per_leaf=2",
          "training.jitter=normal training.jitter_sd=0.1"})
    {
        auto scenario = ThreeUnits("ring", 4);
        scenario.cluster.overrides = {{1, std::nullopt, 1.5}};
        SetKeys(scenario, settings);
        SCOPED_TRACE(settings);
        ASSERT_THAT(KeysComplainedOf(scenario), testing::IsEmpty());
        const auto record = RunExperiment(scenario, {});
        if (scenario.training.jitter == "none") // else of the mean of many iterations
        {
            EXPECT_LE(*record.results.lowerBoundPs, record.results.iterationTimePs);
        }
        scenario.simulation.mode = "packet";
        const auto packetLevel = RunExperiment(scenario, {});
        EXPECT_EQ(record.results.iterationTimePs, packetLevel.results.iterationTimePs);
        EXPECT_EQ(LayersCsv(record), LayersCsv(packetLevel));
    }
}

/* A lone tensor: its weights are gathered, its gradients added. */
TEST_F(FullSharding, TakesALoneTensor)
{
    auto scenario = Bare("tensor:400B");
    scenario.training.sharding = "full";
    EXPECT_EQ(EndPs(scenario), HOP_PS + HOP_PS + ACK_PS);
}

TEST_F(FullSharding, IsRefusedWhereItIsNotSimulated)
{
    const auto of = [](const std::string& key, const std::string& value) {
        auto scenario = ThreeUnits("ring", 4);
        SetKey(scenario, key, value);
        return KeysComplainedOf(scenario);
    };
    for (const auto& [key, value] : std::vector<std::pair<std::string, std::string>>{
             {"exchange.concurrent", "2"}, {"exchange.order", "priority"}})
    {
        EXPECT_THAT(of(key, value), testing::ElementsAre(key));
    }
    EXPECT_THAT(of("exchange.algorithm", "tree"), testing::ElementsAre("training.sharding"));
}

} // namespace inca
