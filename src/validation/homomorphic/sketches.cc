/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/homomorphic/sketches.h"

#include "experiment/sketch-results.h"
#include "plan/job-builder.h"
#include "validation/homomorphic/scenarios.h"

namespace inca
{

namespace
{

constexpr double g_largestRatio = 1'000'000;

double
ReductionAt(const std::string& index, double ratio)
{
    const auto& anyRate = HomomorphicRates().front();
    return SketchesOf(BenchmarkCompressed({index, "dependent", anyRate}, ratio)).Reduction();
}

} // namespace

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
