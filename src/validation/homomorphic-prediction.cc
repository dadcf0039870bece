/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/homomorphic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace inca
{

namespace
{

constexpr double g_psPerSecond = 1e12;
constexpr double g_msPerSecond = 1e3;
constexpr double g_bitsPerValue = 32;
constexpr double g_bitsPerGigabit = 1e9;
constexpr double g_percent = 100;

double
ThroughputGbps(std::uint64_t values, const MeasuredRun& run)
{
    const auto seconds = static_cast<double>(run.ExchangePs()) / g_psPerSecond;
    return static_cast<double>(values) * g_bitsPerValue / seconds / g_bitsPerGigabit;
}

/** When the first iteration ends. */
double
IterationSeconds(const MeasuredRun& run)
{
    return static_cast<double>(run.results.iterationEndsPs.at(0)) / g_psPerSecond;
}

void
Predict(const RunPair& plain, const RunPair& coded, HomomorphicPrediction& prediction)
{
    prediction.sketches = SketchesOf(coded.iteration.scenario);
    const auto values = prediction.sketches.values;
    prediction.plainGbps = ThroughputGbps(values, plain.exchange);
    prediction.codedGbps = ThroughputGbps(values, coded.exchange);
    prediction.plainSeconds = IterationSeconds(plain.iteration);
    prediction.codedSeconds = IterationSeconds(coded.iteration);
    const auto indexShare = prediction.sketches.IndexShare();
    prediction.exchangeParts = PartsOf(coded.exchange.results.shares, indexShare);
    prediction.exchangeParts.front() = 0; // compute
    prediction.exchangeParts.back() = 0;  // hosts
    prediction.iterationParts = PartsOf(coded.iteration.results.shares, indexShare);
}

/** What models and benchmark say of a gain, in the same columns. */
std::string
GainColumns(const HomomorphicPrediction& prediction)
{
    return fmt::format("{:>9.2f}{:>6.2f}x  {:<8}{:>9.2f}{:>6.2f}x  {:<8}{:>7.3f} %\n",
                       prediction.codedGbps,
                       prediction.ThroughputGain(),
                       LargestPart(prediction.exchangeParts),
                       prediction.codedSeconds * g_msPerSecond,
                       prediction.IterationGain(),
                       LargestPart(prediction.iterationParts),
                       prediction.sketches.estimatedShare * g_percent);
}

/** @param whole of 8 characters: what the iteration's time is called */
std::string
GainTitles(const char* whole)
{
    return fmt::format("     Gb/s   gain  limit    {}   gain  limit   estimated\n", whole);
}

using GainOf = std::function<double(const HomomorphicPrediction&)>;

/** "throughput 7.10x: lstm, ring at 10 Gb/s, ...", and how many are as large as the paper's. */
std::string
BestLine(const char* what,
         double claimed,
         const std::vector<HomomorphicPrediction>& predictions,
         const GainOf& gainOf)
{
    const auto best =
        *std::max_element(predictions.begin(),
                          predictions.end(),
                          [&](const auto& a, const auto& b) { return gainOf(a) < gainOf(b); });
    const auto reached =
        std::count_if(predictions.begin(), predictions.end(), [&](const auto& prediction) {
            return gainOf(prediction) >= claimed;
        });
    return fmt::format("  {:<10} {:.2f}x: {}, {}, {}\n"
                       "             the paper: up to {}x; {} of {} are {}\n",
                       what,
                       gainOf(best),
                       best.model,
                       best.system,
                       best.variant,
                       claimed,
                       reached,
                       predictions.size(),
                       reached == 0 ? "as large" : "as large or larger");
}

/** "density 120, rounds 90, index 46" */
std::string
LimitCounts(const std::vector<HomomorphicPrediction>& predictions,
            HomomorphicParts HomomorphicPrediction::*parts)
{
    std::string text;
    for (const auto* name : g_homomorphicParts)
    {
        const auto count =
            std::count_if(predictions.begin(), predictions.end(), [&](const auto& prediction) {
                return name == LargestPart(prediction.*parts);
            });
        text += count == 0 ? "" : fmt::format("{}{} {}", text.empty() ? "" : ", ", name, count);
    }
    return text;
}

} // namespace

HomomorphicParts
PartsOf(const TimeShares& shares, double indexShare)
{
    const auto indexPs = std::llround(static_cast<double>(shares.communicationPs) * indexShare);
    return {shares.forwardPs + shares.backwardPs + shares.updatePs,
            shares.codecPs,
            indexPs,
            shares.communicationPs - indexPs,
            shares.copyPs + shares.sumPs};
}

const char*
LargestPart(const HomomorphicParts& parts)
{
    const auto largest = std::max_element(parts.begin(), parts.end());
    return g_homomorphicParts.at(static_cast<std::size_t>(largest - parts.begin()));
}

double
HomomorphicPrediction::ThroughputGain() const
{
    return codedGbps / plainGbps;
}

double
HomomorphicPrediction::IterationGain() const
{
    return plainSeconds / codedSeconds;
}

HomomorphicPrediction
PredictModel(const ModelNetwork& network,
             const Sparsity& sparsity,
             const RunPair& plain,
             const RunPair& coded)
{
    const auto density = sparsity.density ? fmt::format("{:g}", *sparsity.density) : "natural";
    const auto* positions = sparsity.identical ? "identical" : "independent";
    HomomorphicPrediction prediction;
    prediction.model = network.trace;
    prediction.system = fmt::format("{} at {} Gb/s", network.exchange, network.gigabitsPerSecond);
    prediction.variant =
        fmt::format("{}, {}{}",
                    sparsity.density ? "density " + density : density + " density",
                    positions,
                    sparsity.ratio ? fmt::format(", ratio {:g}", *sparsity.ratio) : "");
    Predict(plain, coded, prediction);
    const auto& ratio = prediction.sketches.ratio;
    prediction.rowHead = fmt::format(
        "    {:<9}{:<12}{:>7}", density, positions, ratio ? fmt::format("{:.2f}", *ratio) : "-");
    return prediction;
}

HomomorphicPrediction
PredictBenchmark(const BenchmarkSetup& setup, const MeasuredRun& plain, const MeasuredRun& coded)
{
    HomomorphicPrediction prediction;
    prediction.model = "benchmark";
    prediction.system = fmt::format("{} Gb/s", setup.gigabitsPerSecond);
    prediction.variant = fmt::format("{}, {}", setup.index, setup.rounds);
    prediction.rowHead =
        fmt::format("  {:<7}{:<11}{:>4}", setup.index, setup.rounds, setup.gigabitsPerSecond);
    prediction.asked = coded.scenario.codec.ratio.value();
    Predict({plain, plain}, {coded, coded}, prediction);
    return prediction;
}

Comparison
PredictedFigure(const HomomorphicPrediction& prediction,
                const std::string& name,
                FigureUnit unit,
                double value)
{
    Comparison figure;
    figure.model = prediction.model;
    figure.system = prediction.system;
    figure.figure = name + ", " + prediction.variant;
    figure.unit = unit;
    figure.predicted = value;
    figure.onlyInCsv = true;
    return figure;
}

std::vector<Comparison>
FiguresOf(const HomomorphicPrediction& prediction)
{
    const bool isModel = prediction.model != "benchmark";
    const std::string time = isModel ? "iteration" : "whole time";
    const std::string gain = isModel ? "iteration gain" : "whole gain";
    const auto& sketches = prediction.sketches;
    std::vector<Comparison> figures;
    const auto add = [&](const std::string& name, FigureUnit unit, std::optional<double> value) {
        if (value)
        {
            figures.push_back(PredictedFigure(prediction, name, unit, *value));
        }
    };
    add("throughput uncompressed", FigureUnit::GIGABITS_PER_SECOND, prediction.plainGbps);
    add("throughput", FigureUnit::GIGABITS_PER_SECOND, prediction.codedGbps);
    add("throughput gain", FigureUnit::TIMES, prediction.ThroughputGain());
    add(time + " uncompressed", FigureUnit::SECONDS, prediction.plainSeconds);
    add(time, FigureUnit::SECONDS, prediction.codedSeconds);
    add(gain, FigureUnit::TIMES, prediction.IterationGain());
    if (isModel)
    {
        add("ratio", FigureUnit::TIMES, sketches.ratio.value_or(1));
    }
    add("bytes reduced", FigureUnit::TIMES, sketches.Reduction());
    add("estimated values", FigureUnit::PERCENT, sketches.estimatedShare * g_percent);
    const auto addParts = [&add](const std::string& whole, const HomomorphicParts& parts) {
        const auto total =
            static_cast<double>(std::accumulate(parts.begin(), parts.end(), std::int64_t{0}));
        for (std::size_t i = 0; i < parts.size(); ++i)
        {
            add(whole + ": " + g_homomorphicParts.at(i),
                FigureUnit::PERCENT,
                total > 0 ? static_cast<double>(parts.at(i)) / total * g_percent : 0);
        }
    };
    if (isModel)
    {
        addParts("exchange", prediction.exchangeParts);
        addParts("iteration", prediction.iterationParts);
    }
    return figures;
}

std::string
ModelTable(const std::vector<HomomorphicPrediction>& predictions)
{
    auto text =
        fmt::format("\n{} (predicted; 4 workers, 1-bit index; largest safe ratio, then ratio 10)\n"
                    "    density  positions     ratio  bytes{}",
                    predictions.front().model,
                    GainTitles("      ms"));
    std::string system;
    for (const auto& prediction : predictions)
    {
        if (prediction.system != system)
        {
            text += fmt::format("  {}: uncompressed {:.2f} Gb/s, {:.2f} ms\n",
                                prediction.system,
                                prediction.plainGbps,
                                prediction.plainSeconds * g_msPerSecond);
        }
        text += fmt::format("{}{:>6.2f}x{}",
                            prediction.rowHead,
                            prediction.sketches.Reduction(),
                            GainColumns(prediction));
        system = prediction.system;
    }
    return text;
}

std::string
BestText(const std::vector<HomomorphicPrediction>& predictions)
{
    using Prediction = HomomorphicPrediction;
    return "\nlargest gains above\n" +
           BestLine("throughput",
                    g_claimedThroughputGain,
                    predictions,
                    std::mem_fn(&Prediction::ThroughputGain)) +
           BestLine("iteration",
                    g_claimedIterationGain,
                    predictions,
                    std::mem_fn(&Prediction::IterationGain)) +
           fmt::format("  limits of throughput: {}\n  limits of iterations: {}\n",
                       LimitCounts(predictions, &Prediction::exchangeParts),
                       LimitCounts(predictions, &Prediction::iterationParts));
}

std::string
BenchmarkTable(const std::vector<HomomorphicPrediction>& predictions)
{
    auto text = "\nbenchmark (predicted; 2^27 values, density 0.05, identical, ratio 10, ring, 2 "
                "GPUs each)\n  index  rounds     rate   plain  bytes" +
                GainTitles("whole ms");
    for (const auto& prediction : predictions)
    {
        text += fmt::format("{}{:>8.2f}{:>6.2f}x{}",
                            prediction.rowHead,
                            prediction.plainGbps,
                            prediction.sketches.Reduction(),
                            GainColumns(prediction));
    }
    return text;
}

std::string
RatioTable(const std::vector<FoundRatio>& found)
{
    auto text =
        fmt::format("\nratio (predicted; where the benchmark's throughput gain reaches the paper's "
                    "{}x)\n  index  rounds     rate            at ratio    gain   load   "
                    "estimated  largest at load < 0.78\n",
                    g_claimedThroughputGain);
    for (const auto& [reached, at, decoding] : found)
    {
        text += fmt::format("{}{:>11}{:>9.2f}{:>7.2f}x{:>7.2f}{:>10.3f} %{:>10.2f}x at {:.4g}\n",
                            at.rowHead,
                            reached ? "" : "not, best",
                            at.asked,
                            at.ThroughputGain(),
                            at.sketches.load,
                            at.sketches.estimatedShare * g_percent,
                            decoding.ThroughputGain(),
                            decoding.asked);
    }
    return text;
}

} // namespace inca
