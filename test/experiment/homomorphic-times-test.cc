/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What compressing homomorphically, sparsifying, and several GPUs of one worker take.
#include "experiment/run-experiment.h"
#include "experiment/sketch-fixture.h"
#include "scenario/keys.h"

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
        auto scenario = Bare(WriteTrace("one-layer",
                                        "layer,elements,forward_ns,backward_ns,update_ns",
                                        "all,100,1000,2000,500\n"));
        scenario.cluster.gpuBytesPerSecond = 1'000'000'000;
        scenario.gpu.memoryBytesPerSecond = 1'000'000'000;
        return scenario;
    }

    /** Half of one row of values; by peeling-table.cc it takes one round, in which nothing is peeled. */
    static Scenario OneRow(const std::string& algorithm)
    {
        auto scenario = Compressed("tensor:4096B", algorithm, 2);
        scenario.training.density = 0.5;
        scenario.codec.ratio = 1;
        SetKey(scenario, "switch.scaling", "fixed");
        scenario.gpu.memoryBytesPerSecond = 1'000'000'000;
        return scenario;
    }

    // 4 bytes of each of 1024 values are read to mark it; 4, and 24 of half of them, to sketch; and 4 to
    // decode, before the host says after 20 us that this is all.
    static constexpr std::int64_t INDEX_PS{4096 * NS};
    static constexpr std::int64_t SKETCH_PS{(4096 + 12'288) * NS};
    static constexpr std::int64_t DECODE_PS{4096 * NS + 20 * US};
};

/* 32 words of index, then 1024 counters, each as long as so many values. */
TEST_F(HomomorphicTimes, AddUpIfRoundsFollowEachOther)
{
    for (const auto* algorithm : {"ring", "sharded-parameter-server"})
    {
        auto plain = Bare("tensor:128B");
        plain.exchange.algorithm = algorithm;
        const auto indexPs = EndPs(plain);
        plain.training.trace = "tensor:4096B";
        EXPECT_EQ(EndPs(OneRow(algorithm)),
                  INDEX_PS + indexPs + SKETCH_PS + EndPs(plain) + DECODE_PS)
            << algorithm;
    }
}

/* The same in packets of 256, one and four. */
TEST_F(HomomorphicTimes, AddUpThroughASwitch)
{
    EXPECT_EQ(EndPs(OneRow("switch-slots")),
              INDEX_PS + EndPs(Slots(1)) + SKETCH_PS + EndPs(Slots(4)) + DECODE_PS);
}

/* The index is back after 4.5 us, long before a sketch of 16.4 us is made. */
TEST_F(HomomorphicTimes, HideTheIndexIfRoundsOverlap)
{
    ASSERT_LT(RingOfTwoPs(32), SKETCH_PS);
    auto scenario = OneRow("ring");
    scenario.codec.rounds = "overlapped";
    EXPECT_EQ(EndPs(scenario), INDEX_PS + SKETCH_PS + EndPs(Bare("tensor:4096B")) + DECODE_PS);
}

/* Each of 2 GPUs codes half. Half of 4096 bytes goes to the other GPU before, and half after. */
TEST_F(HomomorphicTimes, AreSharedByAWorkersGpus)
{
    auto scenario = OneRow("ring");
    scenario.training.unionExponent = 0; // a worker is as dense as one of its GPUs
    scenario.cluster.gpus = 2;
    scenario.cluster.gpuBytesPerSecond = 1'000'000'000;
    EXPECT_EQ(EndPs(scenario),
              2 * 2048 * NS + INDEX_PS / 2 + RingOfTwoPs(32) + SKETCH_PS / 2 +
                  EndPs(Bare("tensor:4096B")) + 2048 * NS + 20 * US);
}

/* 3 of 4 parts of 400 bytes each way, and compute around it. */
TEST_F(HomomorphicTimes, OfGpusThatAddUpTheirGradients)
{
    auto scenario = OneLayer();
    scenario.cluster.gpus = 4;
    const auto outcome = Run(scenario);
    EXPECT_EQ(outcome.seen->iterationEndPs.back(), 3500 * NS + 2 * 300 * NS + RingOfTwoPs(100));
    EXPECT_EQ(outcome.breakdown.Of(Activity::COPY), 600 * NS);
    EXPECT_EQ(outcome.breakdown.Of(Activity::CODEC), 0);
    EXPECT_EQ(outcome.breakdown.communicationPs, RingOfTwoPs(100));
}

/* Of 100 values 8 bytes each, or 24; of four GPUs each does a quarter. A rate counts 4. */
TEST_F(HomomorphicTimes, OfSparsifying)
{
    auto scenario = OneLayer();
    const auto expect = [&scenario](std::int64_t sparsifyPs, std::int64_t localPs) {
        const auto outcome = Run(scenario);
        EXPECT_EQ(outcome.seen->iterationEndPs.back(),
                  3500 * NS + localPs + sparsifyPs + RingOfTwoPs(100));
        EXPECT_EQ(outcome.breakdown.Of(Activity::CODEC), sparsifyPs);
    };
    scenario.sparsify.method = "threshold";
    expect(800 * NS, 0);
    scenario.sparsify.method = "top-k";
    expect(2400 * NS, 0);
    scenario.cluster.gpus = 4;
    expect(600 * NS, 600 * NS);
    scenario.sparsify.bytesPerSecond = 1'000'000'000;
    expect(100 * NS, 600 * NS);
    scenario.sparsify.bytesPerSecond = 0;
    expect(0, 600 * NS);
    scenario.sparsify.bytesPerSecond = 1'000'000'000;
    scenario.sparsify.method = "none"; // a rate alone does nothing
    expect(0, 600 * NS);
}

/* Buckets of two layers, 4 us apart, wait for each other neither between GPUs nor in sparsifying: that of
 * "in" is added up while "out" is exchanged, 400 bytes each way in 300 ns. */
TEST_F(HomomorphicTimes, StagesOfBucketsOverlap)
{
    auto scenario = Bare(TwoLayers());
    scenario.training.send = "layer";
    scenario.cluster.gpus = 4;
    scenario.cluster.gpuBytesPerSecond = 1'000'000'000;
    const auto apart = EndPs(scenario);
    scenario.cluster.gpus = 1;
    // Both begin 300 ns later, one after the other, and the last is given out for 300 ns.
    EXPECT_EQ(apart, EndPs(scenario) + 2 * 300 * NS);
}

/* A batch of 8 for each of 2 workers' 4 GPUs. */
TEST_F(HomomorphicTimes, EveryGpuHasItsBatch)
{
    auto scenario = OneLayer();
    scenario.cluster.gpus = 4;
    const auto record = RunExperiment(scenario, [](double) {});
    const auto seconds = static_cast<double>(record.results.iterationTimePs) * 1e-12;
    ASSERT_TRUE(record.results.samplesPerSecond);
    EXPECT_DOUBLE_EQ(*record.results.samplesPerSecond, 64 / seconds);
}

} // namespace inca
