/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/homomorphic/benchmark.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace inca
{

namespace
{

constexpr double g_releasedRatio = 10;
constexpr double g_percent = 100;

Comparison
Figure(const BenchmarkSetup& setup, const std::string& what, FigureUnit unit, double value)
{
    Comparison figure;
    figure.model = "benchmark";
    figure.system = fmt::format("{} Gb/s", setup.gigabitsPerSecond);
    figure.figure = fmt::format("{}, {}, {}", what, setup.index, setup.rounds);
    figure.unit = unit;
    figure.predicted = value;
    figure.onlyInCsv = true;
    return figure;
}

} // namespace

BenchmarkPrediction
PredictBenchmark(const BenchmarkSetup& setup, const MeasuredRun& plain, const MeasuredRun& coded)
{
    BenchmarkPrediction prediction{setup, coded.scenario.codec.ratio.value(), {}};
    auto& gain = prediction.gain;
    gain.sketches = SketchesOf(coded.scenario);
    gain.plainGbps = ThroughputGbps(gain.sketches.values, plain);
    gain.codedGbps = ThroughputGbps(gain.sketches.values, coded);
    gain.plainSeconds = IterationSeconds(plain);
    gain.codedSeconds = IterationSeconds(coded);
    gain.iterationParts = PartsOf(coded.results.shares, gain.sketches.IndexShare());
    gain.exchangeParts = WithinExchange(gain.iterationParts);
    return prediction;
}

std::vector<PlannedRun>
BenchmarkBaselineRuns()
{
    std::vector<PlannedRun> runs;
    for (const auto gigabits : HomomorphicRates())
    {
        runs.push_back({BenchmarkBaseline(gigabits)});
    }
    return runs;
}

const MeasuredRun&
BaselineOf(const BenchmarkSetup& setup, const std::vector<MeasuredRun>& runs)
{
    const auto& rates = HomomorphicRates();
    const auto rate = std::find(rates.begin(), rates.end(), setup.gigabitsPerSecond);
    return runs.at(static_cast<std::size_t>(std::distance(rates.begin(), rate)));
}

std::vector<PlannedRun>
BenchmarkRuns()
{
    auto runs = BenchmarkBaselineRuns();
    for (const auto& setup : BenchmarkSetups())
    {
        runs.push_back({BenchmarkCompressed(setup, g_releasedRatio)});
    }
    return runs;
}

std::vector<BenchmarkPrediction>
BenchmarkPredictions(const std::vector<MeasuredRun>& runs)
{
    std::vector<BenchmarkPrediction> predictions;
    auto next = HomomorphicRates().size();
    for (const auto& setup : BenchmarkSetups())
    {
        predictions.push_back(PredictBenchmark(setup, BaselineOf(setup, runs), runs.at(next)));
        ++next;
    }
    return predictions;
}

std::vector<Comparison>
FiguresOf(const BenchmarkPrediction& prediction)
{
    const auto& setup = prediction.setup;
    const auto& gain = prediction.gain;
    const auto gbps = FigureUnit::GIGABITS_PER_SECOND;
    return {Figure(setup, "throughput uncompressed", gbps, gain.plainGbps),
            Figure(setup, "throughput", gbps, gain.codedGbps),
            Figure(setup, "throughput gain", FigureUnit::TIMES, gain.ThroughputGain()),
            Figure(setup, "whole time uncompressed", FigureUnit::SECONDS, gain.plainSeconds),
            Figure(setup, "whole time", FigureUnit::SECONDS, gain.codedSeconds),
            Figure(setup, "whole gain", FigureUnit::TIMES, gain.IterationGain()),
            Figure(setup, "bytes reduced", FigureUnit::TIMES, gain.sketches.Reduction()),
            Figure(setup,
                   "estimated values",
                   FigureUnit::PERCENT,
                   gain.sketches.estimatedShare * g_percent)};
}

} // namespace inca
