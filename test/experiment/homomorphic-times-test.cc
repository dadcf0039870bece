/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What compressing homomorphically, sparsifying, and several GPUs of one worker take.
#include "experiment/sketch-fixture.h"

#include <string>

namespace inca
{

/** GPUs whose memory, and whose links to each other, move a byte in 1 ns. */
class HomomorphicTimes : public SketchFixture
{
  protected:
    static constexpr std::int64_t NS{1000};
    static constexpr std::int64_t US{1'000'000};

    /** One layer of 100 elements: 1 us forward, 2 us backward, 0.5 us update. */
    static Scenario OneLayer()
    {
        return With(Bare(WriteTrace("one-layer",
                                    "layer,elements,forward_ns,backward_ns,update_ns",
                                    "all,100,1000,2000,500\n")),
                    "cluster.gpu_bandwidth=1GBps gpu.memory_bandwidth=1GBps");
    }

    /** Half of one row of values; by peeling-table.cc it takes one round, in which nothing is peeled. */
    static Scenario OneRow(const std::string& algorithm)
    {
        return With(Compressed("tensor:4096B", algorithm, 2),
                    "training.density=0.5 codec.ratio=1 switch.scaling=fixed "
                    "gpu.memory_bandwidth=1GBps");
    }

    /** Of a message of @p words by such an exchange. */
    static std::int64_t PlainPs(const std::string& algorithm, std::uint64_t words)
    {
        auto plain = Bare("tensor:" + std::to_string(4 * words) + "B");
        plain.exchange.algorithm = algorithm;
        return EndPs(plain);
    }

    // 4 bytes of each of 1024 values are read to mark it; 4, and 24 of half of them, to sketch; and 4 to
    // decode, before the host says after 20 us that this is all.
    static constexpr std::int64_t INDEX_PS{4096 * NS};
    static constexpr std::int64_t SKETCH_PS{(4096 + 12'288) * NS};
    static constexpr std::int64_t DECODE_PS{4096 * NS + 20 * US};
};

TEST_F(HomomorphicTimes, AddUpRoundsAndCodings)
{
    struct Row
    {
        const char* algorithm;
        const char* settings;
        std::int64_t endPs;
    };

    ASSERT_LT(RingOfTwoPs(32), SKETCH_PS);
    const auto codedPs = INDEX_PS + SKETCH_PS + DECODE_PS;
    const auto ringPs = PlainPs("ring", 1024);
    const auto* servers = "sharded-parameter-server";
    const Row rows[] = {
        // 32 words of index, then 1024 counters, each as long as so many values.
        {"ring", "", codedPs + PlainPs("ring", 32) + ringPs},
        {servers, "", codedPs + PlainPs(servers, 32) + PlainPs(servers, 1024)},
        // The same in packets of 256, one and four.
        {"switch-slots", "", codedPs + EndPs(Slots(1)) + EndPs(Slots(4))},
        // The index is back after 4.5 us, long before a sketch of 16.4 us is made.
        {"ring", "codec.rounds=overlapped", codedPs + ringPs},
        // Each of 2 GPUs codes half. Half of 4096 bytes goes to the other GPU before, and half after; a worker
        // is as dense as one of its GPUs.
        {"ring",
         "training.union_exponent=0 cluster.gpus=2 cluster.gpu_bandwidth=1GBps",
         2 * 2048 * NS + INDEX_PS / 2 + RingOfTwoPs(32) + SKETCH_PS / 2 + ringPs + 2048 * NS +
             20 * US},
    };
    for (const auto& row : rows)
    {
        EXPECT_EQ(EndPs(With(OneRow(row.algorithm), row.settings)), row.endPs)
            << row.algorithm << " " << row.settings;
    }
}

/* Of 100 values sparsifying takes 8 bytes each, or 24; of four GPUs each does a quarter. A rate counts 4, and does nothing
 * alone. 4 GPUs add up their gradients, 3 of 4 parts of 400 bytes each way. All is around 3.5 us of compute. */
TEST_F(HomomorphicTimes, OfSparsifyingAndOfGpusThatAddUp)
{
    struct Row
    {
        const char* settings;
        std::int64_t sparsifyPs;
        std::int64_t localPs;
    };

    const Row rows[] = {
        {"sparsify.method=threshold", 800 * NS, 0},
        {"sparsify.method=top-k", 2400 * NS, 0},
        {"cluster.gpus=4 sparsify.method=top-k", 600 * NS, 600 * NS},
        {"cluster.gpus=4 sparsify.method=top-k sparsify.rate=1GBps", 100 * NS, 600 * NS},
        {"cluster.gpus=4 sparsify.method=top-k sparsify.rate=none", 0, 600 * NS},
    };
    for (const auto& row : rows)
    {
        SCOPED_TRACE(row.settings);
        const auto outcome = Run(With(OneLayer(), row.settings));
        EXPECT_EQ(outcome.Job().seen->iterationEndPs.back(),
                  3500 * NS + row.localPs + row.sparsifyPs + RingOfTwoPs(100));
        EXPECT_EQ(outcome.Job().breakdown.Of(Activity::COPY), row.localPs);
        EXPECT_EQ(outcome.Job().breakdown.Of(Activity::CODEC), row.sparsifyPs);
        EXPECT_EQ(outcome.Job().breakdown.communicationPs, RingOfTwoPs(100));
    }
}

/* Buckets of two layers, 4 us apart, wait for each other neither between GPUs nor in sparsifying: that of
 * "in" is added up while "out" is exchanged, 400 bytes each way in 300 ns. */
TEST_F(HomomorphicTimes, StagesOfBucketsOverlap)
{
    const auto scenario =
        With(Bare(TwoLayers()),
             "training.send=layer cluster.gpu_bandwidth=1GBps sparsify.method=threshold "
             "sparsify.rate=none");
    // Both begin 300 ns later, one after the other, and the last is given out for 300 ns.
    EXPECT_EQ(EndPs(With(scenario, "cluster.gpus=4")), EndPs(scenario) + 2 * 300 * NS);
}

/* A batch of 8 for each of 2 workers' 4 GPUs. */
TEST_F(HomomorphicTimes, EveryGpuHasItsBatch)
{
    const auto results = RunExperiment(With(OneLayer(), "cluster.gpus=4"), {}).results;
    ASSERT_TRUE(results.samplesPerSecond);
    EXPECT_DOUBLE_EQ(*results.samplesPerSecond,
                     64 / (static_cast<double>(results.iterationTimePs) * 1e-12));
}

} // namespace inca
