/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/homomorphic.h"

#include "experiment/sketch-results.h"
#include "plan/job-builder.h"
#include "scenario/keys.h"
#include "validation/switch.h"

namespace inca
{

namespace
{

constexpr std::uint64_t g_bitsPerGigabit = 1'000'000'000;
constexpr double g_benchmarkDensity = 0.05;
constexpr double g_benchmarkRatio = 10;
constexpr double g_largestRatio = 1'000'000;

Scenario
Cluster(const std::string& exchange, std::uint64_t gigabitsPerSecond)
{
    Scenario scenario;
    scenario.cluster.workers = 4;
    scenario.cluster.bitsPerSecond = gigabitsPerSecond * g_bitsPerGigabit;
    scenario.cluster.mtu = 9000;
    scenario.exchange.algorithm = exchange;
    scenario.host.sumBytesPerSecond = 0;
    return scenario;
}

void
Compress(const Sparsity& sparsity, Scenario& scenario)
{
    scenario.codec.name = "homomorphic";
    scenario.codec.placement = "gpu";
    scenario.codec.ratio = sparsity.ratio;
    scenario.training.density = sparsity.density;
    scenario.training.unionExponent = sparsity.identical ? 0 : 1;
}

double
ReductionAt(const std::string& index, double ratio)
{
    const auto anyRate = g_homomorphicRates.front();
    return SketchesOf(BenchmarkCompressed({index, "dependent", anyRate}, ratio)).Reduction();
}

} // namespace

const std::vector<Sparsity>&
HomomorphicSparsities()
{
    static const std::vector<Sparsity> sparsities{{{}, false},
                                                  {{}, true},
                                                  {g_benchmarkDensity, false},
                                                  {g_benchmarkDensity, true},
                                                  {g_benchmarkDensity, true, g_benchmarkRatio}};
    return sparsities;
}

Scenario
ModelBaseline(const ModelNetwork& network, bool overlap)
{
    auto scenario = Cluster(network.exchange, network.gigabitsPerSecond);
    scenario.training.trace = network.trace;
    scenario.training.send = "fused";
    scenario.training.overlap = overlap;
    scenario.host.copyBytesPerSecond = 0;
    if (network.exchange == "switch-slots")
    {
        const auto slots = SwitchMlSlots(network.gigabitsPerSecond);
        SetKey(scenario, "switch.slots", std::to_string(slots));
        SetKey(scenario, "switch.values_per_packet", "2229");               // frames of 8998 bytes
        scenario.host.sumBytesPerSecond = HostSettings().sumBytesPerSecond; // no host adds
    }
    return scenario;
}

Scenario
ModelCompressed(const ModelNetwork& network, const Sparsity& sparsity, bool overlap)
{
    auto scenario = ModelBaseline(network, overlap);
    Compress(sparsity, scenario);
    return scenario;
}

std::vector<BenchmarkSetup>
BenchmarkSetups()
{
    std::vector<BenchmarkSetup> setups;
    for (const auto* index : {"bits-4", "bits-1"})
    {
        for (const auto* rounds : {"dependent", "overlapped"})
        {
            for (const auto gigabits : g_homomorphicRates)
            {
                setups.push_back({index, rounds, gigabits});
            }
        }
    }
    return setups;
}

Scenario
BenchmarkBaseline(std::uint64_t gigabitsPerSecond)
{
    auto scenario = Cluster("ring", gigabitsPerSecond);
    scenario.training.trace = "tensor:512MiB";
    scenario.cluster.gpus = 2;
    return scenario;
}

Scenario
BenchmarkCompressed(const BenchmarkSetup& setup, double ratio)
{
    auto scenario = BenchmarkBaseline(setup.gigabitsPerSecond);
    Compress({g_benchmarkDensity, true, ratio}, scenario);
    scenario.codec.index = setup.index;
    scenario.codec.rounds = setup.rounds;
    return scenario;
}

double
SketchFigures::Reduction() const
{
    return static_cast<double>(values) / static_cast<double>(indexWords + otherWords);
}

double
SketchFigures::IndexShare() const
{
    return static_cast<double>(indexWords) / static_cast<double>(indexWords + otherWords);
}

SketchFigures
SketchesOf(const Scenario& scenario)
{
    const auto prepared = PrepareJob(scenario);
    SketchFigures figures;
    for (std::size_t chunk = 0; chunk < prepared.sketches.size(); ++chunk)
    {
        const auto words = WordsOf(prepared.sketches[chunk].spec);
        figures.values += prepared.job->chunks[chunk].range.count;
        figures.indexWords += words.index;
        figures.otherWords += words.counters;
    }
    const auto results = SketchResultsOf(prepared.sketches, std::nullopt).value();
    figures.ratio = results.ratio;
    figures.load = results.load;
    if (results.markedValues > 0)
    {
        figures.estimatedShare = results.estimatedValues / results.markedValues;
    }
    return figures;
}

std::optional<double>
RatioByBytes(const std::string& index, double reduction)
{
    if (ReductionAt(index, g_largestRatio) < reduction)
    {
        return std::nullopt;
    }
    constexpr int halvings = 60;
    double low = 1; // a ratio that makes nothing smaller
    double high = g_largestRatio;
    for (int i = 0; i < halvings; ++i)
    {
        const double middle = low + (high - low) / 2;
        (ReductionAt(index, middle) < reduction ? low : high) = middle;
    }
    return high;
}

} // namespace inca
