/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What a plan makes of a trace: times, bits on the wire, and sums of a worker's GPUs.
#include "base/errors.h"
#include "codec/codec-catalog.h"
#include "job/mean-bits.h"
#include "plan/compute-times.h"
#include "plan/gpu-sums.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace inca
{

namespace
{

constexpr std::int64_t g_forwardPs = 1'000'000'000;

std::shared_ptr<const GradientTrace>
OneLayer()
{
    GradientTrace trace;
    trace.layers.resize(1);
    trace.layers[0].elements = 1;
    trace.layers[0].forwardPs = g_forwardPs;
    trace.layers[0].backwardPs = 7;
    trace.layers[0].updatePs = 3;
    return std::make_shared<const GradientTrace>(trace);
}

Scenario
WithJitter(Jitter kind, double sd)
{
    Scenario scenario;
    scenario.training.jitter = kind;
    scenario.training.jitterSd = sd;
    return scenario;
}

} // namespace

TEST(ComputeTimes, AreTheTracesWithoutJitter)
{
    Scenario scenario;
    scenario.cluster.overrides = {{1, {}, 2.5}};
    const ComputeTimes times(OneLayer(), scenario);
    EXPECT_EQ(times.Ps({0, 3, 0, 0, ComputePhase::FORWARD}), g_forwardPs);
    EXPECT_EQ(times.Ps({0, 3, 0, 0, ComputePhase::BACKWARD}), 7);
    EXPECT_EQ(times.Ps({0, 3, 0, 0, ComputePhase::UPDATE}), 3);
    EXPECT_EQ(times.Ps({1, 3, 0, 0, ComputePhase::FORWARD}), 2'500'000'000); // 2.5 times as slow
}

/* 10,000 random factors: the standard error of their mean is 0.1 / 100 = 0.001, that of their standard deviation
 * 0.1 / sqrt(20000) = 0.0007; five of each are allowed. */
TEST(ComputeTimes, RandomFactorsHaveMeanOneAndTheSdAskedFor)
{
    constexpr std::uint32_t count = 10'000;
    for (const auto kind : {Jitter::NORMAL, Jitter::LOGNORMAL})
    {
        const ComputeTimes times(OneLayer(), WithJitter(kind, 0.1));
        double sum = 0;
        double squares = 0;
        for (std::uint32_t i = 0; i < count; ++i)
        {
            const auto ps = static_cast<double>(times.Ps({0, i, 0, 0, ComputePhase::FORWARD}));
            sum += ps / g_forwardPs;
            squares += ps / g_forwardPs * ps / g_forwardPs;
        }
        const auto mean = sum / count;
        EXPECT_NEAR(mean, 1.0, 0.005) << static_cast<int>(kind);
        EXPECT_NEAR(std::sqrt(squares / count - mean * mean), 0.1, 0.0036)
            << static_cast<int>(kind);
    }
}

TEST(ComputeTimes, EveryComputationHasItsOwnFactor)
{
    const ComputeTimes times(OneLayer(), WithJitter(Jitter::NORMAL, 0.1));
    const auto ps = times.Ps({0, 0, 0, 0, ComputePhase::FORWARD});
    EXPECT_EQ(ps, times.Ps({0, 0, 0, 0, ComputePhase::FORWARD}));
    EXPECT_NE(ps, times.Ps({1, 0, 0, 0, ComputePhase::FORWARD}));
    EXPECT_NE(ps, times.Ps({0, 1, 0, 0, ComputePhase::FORWARD}));
    EXPECT_NE(ps, times.Ps({0, 0, 1, 0, ComputePhase::FORWARD}));
    auto other = WithJitter(Jitter::NORMAL, 0.1);
    other.simulation.seed = 2;
    EXPECT_NE(ps, ComputeTimes(OneLayer(), other).Ps({0, 0, 0, 0, ComputePhase::FORWARD}));
    // A factor below 0, which has a chance of 16 % here, is 0.
    const ComputeTimes wide(OneLayer(), WithJitter(Jitter::NORMAL, 1.0));
    std::vector<std::int64_t> all;
    for (std::uint32_t i = 0; i < 1000; ++i)
    {
        all.push_back(wide.Ps({0, i, 0, 0, ComputePhase::FORWARD}));
    }
    EXPECT_EQ(*std::min_element(all.begin(), all.end()), 0);
}

/* Four passes of 1 ms on 8 GPUs, which do not wait for each other between passes: the slowest is 1.4236 (the mean of the largest of 8
 * standard normals) of its standard deviations of 0.1 * sqrt(4) ms late, or of 0.1 * 4 ms where all passes of an iteration have
 * one factor. The standard deviation of the largest is 0.61 of those; five standard errors of the mean of 2,000 are allowed.
 * A time does not depend on what else is asked for. Where GPUs are simulated, each takes its own times of the same. */
TEST(ComputeTimes, OfAMachineAreThoseOfItsSlowestGpu)
{
    constexpr std::uint32_t count = 2'000;
    auto layers = *OneLayer();
    layers.layers[0].backwardPs = g_forwardPs;
    layers.layers[0].updatePs = 0;
    layers.layers.push_back(layers.layers[0]);
    const auto trace = std::make_shared<const GradientTrace>(layers);
    for (const auto& [bySteps, sdPs] : {std::pair{false, 0.2e9}, std::pair{true, 0.4e9}})
    {
        auto scenario = WithJitter(Jitter::NORMAL, 0.1);
        scenario.training.jitterBySteps = bySteps;
        scenario.cluster.gpus = 8;
        const ComputeTimes ofEach(trace, scenario);
        scenario.transport.name = "tcp"; // a worker is one host
        const ComputeTimes times(trace, scenario);
        double sumPs = 0;
        for (std::uint32_t i = 0; i < count; ++i)
        {
            std::int64_t machinePs = 0;
            std::vector<std::int64_t> gpuPs(8);
            for (const ComputeKey& key : {ComputeKey{0, i, 0, 0, ComputePhase::FORWARD},
                                          ComputeKey{0, i, 0, 1, ComputePhase::FORWARD},
                                          ComputeKey{0, i, 0, 1, ComputePhase::BACKWARD},
                                          ComputeKey{0, i, 0, 0, ComputePhase::BACKWARD}})
            {
                const auto ps = times.Ps(key);
                sumPs += static_cast<double>(ps);
                machinePs += ps;
                for (Rank gpu = 0; gpu < gpuPs.size(); ++gpu)
                {
                    auto own = key;
                    own.worker = gpu;
                    gpuPs[gpu] += ofEach.Ps(own);
                }
                if (i < 3)
                {
                    EXPECT_EQ(ComputeTimes(trace, scenario).Ps(key), ps) << bySteps;
                }
            }
            EXPECT_EQ(*std::max_element(gpuPs.begin(), gpuPs.end()), machinePs);
        }
        EXPECT_NEAR(sumPs / count, 4e9 + 1.4236 * sdPs, 5 * 0.61 * sdPs / std::sqrt(count))
            << bySteps;
    }
}

namespace
{

/** Two layers: forward 1 and 2, backward 3 and 4, update 10 and 1. (ps) */
GradientTrace
TwoLayers()
{
    GradientTrace trace;
    trace.layers.resize(2);
    trace.layers[0].forwardPs = 1;
    trace.layers[0].backwardPs = 3;
    trace.layers[0].updatePs = 10;
    trace.layers[1].forwardPs = 2;
    trace.layers[1].backwardPs = 4;
    trace.layers[1].updatePs = 1;
    return trace;
}

/** Of 2 workers. */
TrainingJob
JobOf(const std::string& exchange, bool sharded)
{
    ExchangeSpec spec;
    spec.algorithm = exchange;
    spec.workers = 2;
    spec.sharded = sharded;
    return *MakeTensorJob(spec, 8);
}

} // namespace

/* Forward 1 + 2, backward 3 + 4, update 10 + 1: 21. A second micro-batch computes 10 more. Where each of 2 workers of 4 GPUs
 * updates a shard, that is 11 / 8 = 1 for each GPU. An aggregator updates for its workers. */
TEST(OwnCompute, IsPassesAndWhatAWorkerItselfUpdates)
{
    auto job = JobOf("ring", false);
    EXPECT_EQ(OwnComputePs(TwoLayers(), job), 21);
    EXPECT_EQ(OwnComputePs(TwoLayers(), job, 2), 42);
    job.accumulation = 2;
    EXPECT_EQ(OwnComputePs(TwoLayers(), job), 31);
    job = JobOf("ring", true);
    job.updatingGpus = 4;
    EXPECT_EQ(OwnComputePs(TwoLayers(), job), 11);
    EXPECT_EQ(OwnComputePs(TwoLayers(), JobOf("worker-aggregator", false)), 10);
}

namespace
{

GradientTrace
LayersOfTwoWidths()
{
    GradientTrace trace;
    trace.name = "two";
    trace.layers.resize(2);
    trace.layers[0].name = "a";
    trace.layers[0].elements = 100;
    trace.layers[0].statistics.widths[10] = {0.5, 0.5, 0, 0}; // 0.5 * 2 + 0.5 * 10 = 6 bits
    trace.layers[1].name = "b";
    trace.layers[1].elements = 300;
    trace.layers[1].statistics.widths[10] = {1, 0, 0, 0}; // 2 bits
    return trace;
}

CodecSpec
Inceptionn()
{
    CodecSpec spec;
    spec.name = "inceptionn";
    return spec;
}

} // namespace

/* 50 values of 6 bits and 150 of 2: (300 + 300) / 200 = 3 bits; the whole: (600 + 600) / 400 = 3. */
TEST(MeanBits, WeighsLayersByWhatIsInTheRange)
{
    const MeanBits bits(LayersOfTwoWidths(), *MakeCodec(Inceptionn()));
    EXPECT_EQ(bits.Of({0, 100}), 6);
    EXPECT_EQ(bits.Of({99, 1}), 6);
    EXPECT_EQ(bits.Of({100, 1}), 2);
    EXPECT_EQ(bits.Of({50, 200}), 3);
    EXPECT_EQ(bits.Of({0, 400}), 3);
    EXPECT_EQ(bits.Of({400, 0}), 0);
}

TEST(MeanBits, RefusesALayerThatCannotTell)
{
    auto trace = LayersOfTwoWidths();
    trace.layers[1].statistics.widths.clear();
    EXPECT_THROW(MeanBits(trace, *MakeCodec(Inceptionn())), InputError);
    EXPECT_NO_THROW(MeanBits(trace, *MakeCodec({}))); // "none" needs no statistics
}

namespace
{

using Values = std::vector<float>;

/** Each GPU has the same value everywhere. */
class ConstantValues : public ValueSource
{
  public:
    explicit ConstantValues(Values ofGpus)
        : m_ofGpus(std::move(ofGpus))
    {
    }

  private:
    void DoFill(std::uint32_t gpu,
                std::uint64_t /*begin*/,
                std::uint64_t count,
                float* out) const override
    {
        std::fill_n(out, count, m_ofGpus.at(gpu));
    }

    Values m_ofGpus;
};

} // namespace

TEST(GpuSums, AreThoseOfARing)
{
    struct Row
    {
        const char* type;
        Values ofGpus; ///< the value of each, everywhere
        std::vector<std::uint64_t> bucketBegins;
        std::uint64_t elements;
        std::uint32_t worker; ///< of as many GPUs as make the sums of two workers, or of one
        std::uint64_t begin;
        Values sums;
    };

    const Row rows[] = {
        // bf16 has 8 significant bits: 256 + 1 = 257 is half-way between 256 and 258, and goes to the even 256.
        // Block 0: (256 + 1) + 1 -> 256 + 1 -> 256. Block 1: (1 + 1) + 256 = 258. Block 2: (1 + 256) + 1 -> 256.
        {"bf16", {256, 1, 1}, {0}, 6, 0, 0, {256, 256, 258, 258, 256, 256}},
        // The same, buckets of 3 elements each: a block is one element, in each bucket anew. Elements 2 to 4 lie in
        // both.
        {"bf16", {256, 1, 1}, {3, 0}, 6, 0, 0, {256, 258, 256, 256, 258, 256}},
        {"bf16", {256, 1, 1}, {3, 0}, 6, 0, 2, {256, 256, 258}},
        // GPUs 2 and 3 are worker 1's.
        {"fp16", {1, 2, 30, 40}, {0}, 4, 1, 0, Values(4, 70)},
        // 11 significant bits: 2048 + 1 -> 2048 (even), and 2048 + 3 = 2051 -> 2052.
        {"fp16", {2048, 1}, {0}, 2, 0, 0, Values(2, 2048)},
        {"fp16", {2048, 3}, {0}, 2, 0, 0, Values(2, 2052)},
        // Blocks longer than what is added at once: 20,001 elements of 2 GPUs are 10,001 and 10,000.
        {"bf16", {1, 2}, {0}, 20'001, 0, 0, Values(20'001, 3)},
        // More GPUs than elements: blocks 2 and 3 are empty.
        {"bf16", {1, 2, 3, 4}, {0}, 2, 0, 0, Values(2, 10)},
    };
    for (const auto& row : rows)
    {
        const auto gpus = row.worker == 1 ? 2U : static_cast<std::uint32_t>(row.ofGpus.size());
        const auto values = std::make_shared<ConstantValues>(row.ofGpus);
        const GpuRing ring{gpus, GradientTypeNamed(row.type), row.bucketBegins, row.elements};
        Values sums(row.sums.size());
        MakeGpuSums(values, ring)->Fill(row.worker, row.begin, sums.size(), sums.data());
        EXPECT_EQ(sums, row.sums) << row.type << " of " << gpus << " from " << row.begin;
    }
}

} // namespace inca
