/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/homomorphic/models.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

namespace
{

constexpr std::int64_t g_psPerSecond = 1'000'000'000'000;

/**
 * Exchanges alone take 1 s, or 0.2 s where they are compressed; iterations that overlap with them 3 s and
 * 2 s. The other times, 9 s, must not show.
 */
MeasuredRun
Fake(const Scenario& scenario)
{
    const bool coded = scenario.codec.name == "homomorphic";
    MeasuredRun run;
    run.scenario = scenario;
    run.results.exchangeTimePs = 9 * g_psPerSecond;
    run.results.iterationEndsPs = {9 * g_psPerSecond};
    run.results.shares.communicationPs = 1000;
    if (scenario.training.overlap)
    {
        run.results.iterationEndsPs = {(coded ? 2 : 3) * g_psPerSecond};
        run.results.shares.forwardPs = 5000;
    }
    else
    {
        run.results.exchangeTimePs = coded ? g_psPerSecond / 5 : g_psPerSecond;
        run.results.shares.codecPs = 3000;
    }
    return run;
}

std::vector<MeasuredRun>
FakeRuns(const std::string& trace)
{
    std::vector<MeasuredRun> runs;
    for (const auto& planned : ModelRuns(trace))
    {
        runs.push_back(Fake(planned.scenario));
    }
    return runs;
}

/* 4 exchanges x 4 rates x (1 uncompressed + 5 sparsities) x (alone + overlapping). */
TEST(ModelRuns, RunTheUncompressedOnce)
{
    const auto runs = ModelRuns("bert-base");
    EXPECT_EQ(runs.size(), 192U);
    EXPECT_EQ(std::count_if(runs.begin(),
                            runs.end(),
                            [](const auto& run) { return run.scenario.codec.name == "none"; }),
              32);
}

/* BERT-base has 109,482,240 values: 3.5034 Gbit. */
TEST(ModelPredictions, PutEachBesideItsBaseline)
{
    const auto predictions = ModelPredictions("bert-base", FakeRuns("bert-base"));
    ASSERT_EQ(predictions.size(), 80U);
    for (const auto& [network, sparsity, gain] : predictions)
    {
        EXPECT_NEAR(gain.plainGbps, 3.5034, 1e-4);
        EXPECT_DOUBLE_EQ(gain.ThroughputGain(), 5);
        EXPECT_DOUBLE_EQ(gain.plainSeconds, 3);
        EXPECT_DOUBLE_EQ(gain.IterationGain(), 1.5);
        EXPECT_STREQ(LargestPart(gain.exchangeParts), "rounds");
        EXPECT_STREQ(LargestPart(gain.iterationParts), "compute");
    }
}

TEST(ModelPredictions, GoByExchangeRateAndSparsity)
{
    const auto predictions = ModelPredictions("bert-base", FakeRuns("bert-base"));
    EXPECT_EQ(predictions.at(0).System(), "ring at 10 Gb/s");
    EXPECT_EQ(predictions.at(0).SparsityText(), "natural density, independent");
    EXPECT_EQ(predictions.at(8).System(), "ring at 25 Gb/s");
    EXPECT_EQ(predictions.at(8).SparsityText(), "density 0.05, identical");
    EXPECT_EQ(predictions.at(79).System(), "switch-slots at 100 Gb/s");
    EXPECT_EQ(predictions.at(79).SparsityText(), "density 0.05, identical, ratio 10");
    EXPECT_GT(predictions.at(8).gain.sketches.Reduction(),
              predictions.at(0).gain.sketches.Reduction());
}

/* Nine numbers, and five parts of an exchange and of an iteration; parts add up to 100 %. */
TEST(FiguresOfModel, AreForTheCsvAlone)
{
    const auto predictions = ModelPredictions("bert-base", FakeRuns("bert-base"));
    const auto figures = FiguresOf(predictions.front());
    EXPECT_EQ(figures.size(), 19U);
    double iteration = 0;
    for (const auto& figure : figures)
    {
        EXPECT_TRUE(figure.onlyInCsv);
        EXPECT_FALSE(figure.published.has_value()) << figure.figure;
        iteration += figure.figure.rfind("iteration: ", 0) == 0 ? figure.predicted : 0;
    }
    EXPECT_NEAR(iteration, 100, 1e-9);
}

} // namespace

} // namespace inca
