/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/homomorphic/benchmark.h"

#include <gtest/gtest.h>

#include <vector>

namespace inca
{

namespace
{

/** Uncompressed exchanges take as many ms as their rate has Gb/s, compressed ones 1 ms; 10 ms in front. */
MeasuredRun
Fake(const Scenario& scenario)
{
    constexpr std::int64_t psPerMs = 1'000'000'000;
    const auto rate = static_cast<std::int64_t>(scenario.cluster.bitsPerSecond / 1'000'000'000);
    const auto ms = scenario.codec.name == "none" ? rate : 1;
    MeasuredRun run;
    run.scenario = scenario;
    run.results.exchangeTimePs = ms * psPerMs;
    run.results.iterationEndsPs = {(ms + 10) * psPerMs};
    run.results.shares.copyPs = 10 * psPerMs;
    run.results.shares.communicationPs = ms * psPerMs;
    return run;
}

std::vector<MeasuredRun>
FakeRuns()
{
    std::vector<MeasuredRun> runs;
    for (const auto& planned : BenchmarkRuns())
    {
        runs.push_back(Fake(planned.scenario));
    }
    return runs;
}

/* 4 rates uncompressed, then 2 indexes x 2 orders of rounds x 4 rates. */
TEST(BenchmarkRuns, RunTheUncompressedOncePerRate)
{
    EXPECT_EQ(BenchmarkRuns().size(), 20U);
    EXPECT_EQ(BenchmarkBaselineRuns().size(), 4U);
}

/* A gain is the rate's number of ms over 1 ms; of the whole (rate + 10) / 11. */
TEST(BenchmarkPredictions, PutEachBesideItsRatesBaseline)
{
    const auto predictions = BenchmarkPredictions(FakeRuns());
    ASSERT_EQ(predictions.size(), 16U);
    for (const auto& [setup, ratio, gain] : predictions)
    {
        const auto rate = static_cast<double>(setup.gigabitsPerSecond);
        EXPECT_EQ(ratio, 10);
        EXPECT_NEAR(gain.ThroughputGain(), rate, 1e-9);
        EXPECT_NEAR(gain.IterationGain(), (rate + 10) / 11, 1e-9);
        EXPECT_STREQ(LargestPart(gain.iterationParts), "hosts");
    }
}

/* 4 bits of index are 1/2 byte a value, counters 0.4: the index is more. 1 bit is 1/8. */
TEST(BenchmarkPredictions, DivideTheExchangeByBytes)
{
    const auto predictions = BenchmarkPredictions(FakeRuns());
    EXPECT_EQ(predictions.front().setup.index, "bits-4");
    EXPECT_STREQ(LargestPart(predictions.front().gain.exchangeParts), "index");
    EXPECT_EQ(predictions.back().setup.index, "bits-1");
    EXPECT_STREQ(LargestPart(predictions.back().gain.exchangeParts), "density");
}

TEST(FiguresOfBenchmark, AreForTheCsvAlone)
{
    for (const auto& figure : FiguresOf(BenchmarkPredictions(FakeRuns()).front()))
    {
        EXPECT_TRUE(figure.onlyInCsv);
        EXPECT_EQ(figure.model, "benchmark");
        EXPECT_EQ(figure.system, "10 Gb/s");
        EXPECT_FALSE(figure.published.has_value());
    }
}

} // namespace

} // namespace inca
