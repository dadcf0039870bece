/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/homomorphic/tables.h"

#include "validation/homomorphic/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

namespace inca
{

namespace
{

constexpr double g_percent = 100;
constexpr double g_msPerSecond = 1e3;

/** What models and benchmark say of a gain, in the same columns. */
std::string
GainColumns(const GainPrediction& gain)
{
    return fmt::format("{:>9.2f}{:>6.2f}x  {:<8}{:>9.2f}{:>6.2f}x  {:<8}{:>7.3f} %",
                       gain.codedGbps,
                       gain.ThroughputGain(),
                       LargestPart(gain.exchangeParts),
                       gain.codedSeconds * g_msPerSecond,
                       gain.IterationGain(),
                       LargestPart(gain.iterationParts),
                       gain.sketches.estimatedShare * g_percent);
}

std::string
GainTitles(const char* whole)
{
    return fmt::format("{:>9}{:>7}  {:<8}{:>9}{:>7}  {:<8}{:>9}\n",
                       "Gb/s",
                       "gain",
                       "limit",
                       whole,
                       "gain",
                       "limit",
                       "estimated");
}

std::string
ModelLine(const ModelPrediction& prediction)
{
    const auto& sparsity = prediction.sparsity;
    const auto& sketches = prediction.gain.sketches;
    return fmt::format("    {:<9}{:<12}{:>7}{:>6.2f}x{}\n",
                       sparsity.density ? fmt::format("{:g}", *sparsity.density) : "natural",
                       sparsity.identical ? "identical" : "independent",
                       sketches.ratio ? fmt::format("{:.2f}", *sketches.ratio) : "-",
                       sketches.Reduction(),
                       GainColumns(prediction.gain));
}

std::string
NetworkLine(const ModelPrediction& prediction)
{
    return fmt::format("  {}: uncompressed {:.2f} Gb/s, {:.2f} ms\n",
                       prediction.System(),
                       prediction.gain.plainGbps,
                       prediction.gain.plainSeconds * g_msPerSecond);
}

using GainOf = std::function<double(const ModelPrediction&)>;
using PartsOfPrediction = std::function<const HomomorphicParts&(const ModelPrediction&)>;

/** "throughput 7.10x: lstm, ring at 10 Gb/s, ...", and how many are as large as the paper's. */
std::string
BestLine(const char* what,
         double claimed,
         const std::vector<ModelPrediction>& predictions,
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
                       best.network.trace,
                       best.System(),
                       best.SparsityText(),
                       claimed,
                       reached,
                       predictions.size(),
                       reached == 0 ? "as large" : "as large or larger");
}

/** "density 120, rounds 90, index 46" */
std::string
LimitCounts(const std::vector<ModelPrediction>& predictions, const PartsOfPrediction& partsOf)
{
    std::string text;
    for (const std::string name : {"compute", "rounds", "index", "density", "hosts"})
    {
        const auto count =
            std::count_if(predictions.begin(), predictions.end(), [&](const auto& prediction) {
                return name == LargestPart(partsOf(prediction));
            });
        text += count == 0 ? "" : fmt::format("{}{} {}", text.empty() ? "" : ", ", name, count);
    }
    return text;
}

std::string
RatioLine(const FoundRatio& found)
{
    const auto& setup = found.at.setup;
    const auto& sketches = found.at.gain.sketches;
    const auto& decoding = found.bestThatDecodes;
    return fmt::format(
        "  {:<7}{:<11}{:>4}{:>11}{:>9.2f}{:>7.2f}x{:>7.2f}{:>10.3f} %{:>10.2f}x at {:.4g}\n",
        setup.index,
        setup.rounds,
        setup.gigabitsPerSecond,
        found.reached ? "" : "not, best",
        found.at.ratio,
        found.at.gain.ThroughputGain(),
        sketches.load,
        sketches.estimatedShare * g_percent,
        decoding.gain.ThroughputGain(),
        decoding.ratio);
}

} // namespace

std::string
ModelTable(const std::vector<ModelPrediction>& predictions)
{
    auto text =
        fmt::format("\n{} (predicted; 4 workers, 1-bit index; largest safe ratio, then ratio 10)\n"
                    "    {:<9}{:<12}{:>7}{:>7}{}",
                    predictions.front().network.trace,
                    "density",
                    "positions",
                    "ratio",
                    "bytes",
                    GainTitles("ms"));
    std::string system;
    for (const auto& prediction : predictions)
    {
        text += prediction.System() != system ? NetworkLine(prediction) : "";
        text += ModelLine(prediction);
        system = prediction.System();
    }
    return text;
}

std::string
BestText(const std::vector<ModelPrediction>& predictions)
{
    const auto throughput = [](const auto& prediction) { return prediction.gain.ThroughputGain(); };
    const auto iteration = [](const auto& prediction) { return prediction.gain.IterationGain(); };
    const PartsOfPrediction ofExchange = [](const auto& prediction) -> const auto&
    {
        return prediction.gain.exchangeParts;
    };
    const PartsOfPrediction ofIteration = [](const auto& prediction) -> const auto&
    {
        return prediction.gain.iterationParts;
    };
    return "\nlargest gains above\n" +
           BestLine("throughput", g_claimedThroughputGain, predictions, throughput) +
           BestLine("iteration", g_claimedIterationGain, predictions, iteration) +
           fmt::format("  limits of throughput: {}\n  limits of iterations: {}\n",
                       LimitCounts(predictions, ofExchange),
                       LimitCounts(predictions, ofIteration));
}

std::string
BenchmarkTable(const std::vector<BenchmarkPrediction>& predictions)
{
    auto text = fmt::format("\nbenchmark (predicted; 2^27 values, density 0.05, identical, ratio "
                            "10, ring, 2 GPUs each)\n"
                            "  {:<7}{:<11}{:>4}{:>8}{:>7}{}",
                            "index",
                            "rounds",
                            "rate",
                            "plain",
                            "bytes",
                            GainTitles("whole ms"));
    for (const auto& [setup, ratio, gain] : predictions)
    {
        text += fmt::format("  {:<7}{:<11}{:>4}{:>8.2f}{:>6.2f}x{}\n",
                            setup.index,
                            setup.rounds,
                            setup.gigabitsPerSecond,
                            gain.plainGbps,
                            gain.sketches.Reduction(),
                            GainColumns(gain));
    }
    return text;
}

std::string
RatioTable(const std::vector<FoundRatio>& found)
{
    auto text = fmt::format("\nratio (predicted; where the benchmark's throughput gain reaches the "
                            "paper's {}x)\n"
                            "  {:<7}{:<11}{:>4}{:>20}{:>8}{:>7}{:>12}  {}\n",
                            g_claimedThroughputGain,
                            "index",
                            "rounds",
                            "rate",
                            "at ratio",
                            "gain",
                            "load",
                            "estimated",
                            "largest at load < 0.78");
    for (const auto& ratio : found)
    {
        text += RatioLine(ratio);
    }
    return text;
}

} // namespace inca
