/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/sketch-results.h"

#include "codec/peeling-forecast.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace inca
{

namespace
{

bool
IsUnsafe(const PlannedSketch& sketch)
{
    return sketch.estimatedValues > g_safeLeftShare * sketch.markedValues;
}

std::string
SafeRatioText(const PlannedSketch& sketch)
{
    return sketch.safeRatio ? fmt::format("up to {:.4g} is safe", *sketch.safeRatio)
                            : "no ratio from 0.5 on is safe for so few rows";
}

void
WarnOfUnsafe(const std::vector<PlannedSketch>& sketches, std::vector<std::string>& warnings)
{
    const auto count = std::count_if(sketches.begin(), sketches.end(), IsUnsafe);
    if (count == 0)
    {
        return;
    }
    const auto worst =
        std::max_element(sketches.begin(), sketches.end(), [](const auto& a, const auto& b) {
            return a.estimatedValues < b.estimatedValues;
        });
    warnings.push_back(fmt::format(
        "codec.ratio: too large for {} of {} exchanges: with {} rows of 1024 values in {} counter "
        "rows, and {:.3g} % of them set on some worker, the load is {:.3g}, and {:.3g} % of the "
        "set values are expected to be estimates; {}. With \"safe\" each takes what it bears, or "
        "travels as it is",
        count,
        sketches.size(),
        worst->rows,
        worst->counterRows,
        worst->unionDensity * 100,
        worst->load,
        worst->estimatedValues / worst->markedValues * 100,
        SafeRatioText(*worst)));
}

void
WarnOfUncoded(const Scenario& scenario,
              const std::vector<PlannedSketch>& sketches,
              std::vector<std::string>& warnings)
{
    const auto count = std::count_if(sketches.begin(), sketches.end(), [](const auto& sketch) {
        return sketch.spec.coded.empty();
    });
    if (count > 0)
    {
        warnings.push_back(fmt::format(
            "codec.ratio: {} of {} exchanges travel as they are: too many of their values are set "
            "on some worker, or they are too short, for a safe ratio to make them smaller{}",
            count,
            sketches.size(),
            scenario.codec.skipDensity ? ", or codec.skip_density leaves all of them out" : ""));
    }
}

/** Drawn values scatter by much less than this around what their density says. */
constexpr double g_noticeable = 0.1;
constexpr double g_noticeableValues = 1000; ///< fewer may well be off by that share

void
WarnOfOtherDensity(const std::vector<PlannedSketch>& sketches,
                   const CountedValues& counted,
                   std::vector<std::string>& warnings)
{
    double expected = 0;
    for (const auto& sketch : sketches)
    {
        expected += sketch.markedValues;
    }
    const auto off = std::fabs(counted.marked - expected);
    if (off > g_noticeable * expected && off > g_noticeableValues)
    {
        warnings.push_back(fmt::format(
            "the values of an iteration have {:.0f} set positions, and the densities (the trace's, "
            "training.density, training.union_exponent) say {:.0f}: ratio, rounds and times are "
            "those of the densities",
            counted.marked,
            expected));
    }
}

} // namespace

std::optional<SketchResults>
SketchResultsOf(const std::vector<PlannedSketch>& sketches, std::optional<CountedValues> counted)
{
    if (sketches.empty())
    {
        return std::nullopt;
    }
    SketchResults results;
    std::uint64_t rows = 0;
    std::uint64_t counterRows = 0;
    for (const auto& sketch : sketches)
    {
        rows += sketch.rows;
        counterRows += sketch.counterRows;
        results.coded += sketch.rows > 0 ? 1 : 0;
        results.load = std::max(results.load, sketch.load);
        results.rounds = std::max(results.rounds, sketch.rounds);
        results.markedValues += sketch.markedValues;
        results.estimatedValues += sketch.estimatedValues;
    }
    results.exchanges = sketches.size();
    if (counterRows > 0)
    {
        results.ratio = static_cast<double>(rows) / static_cast<double>(counterRows);
    }
    if (counted)
    {
        results.counted = true;
        results.markedValues = counted->marked;
        results.estimatedValues = counted->estimated;
    }
    return results;
}

void
WarnOfSketches(const Scenario& scenario,
               const std::vector<PlannedSketch>& sketches,
               std::optional<CountedValues> counted,
               std::vector<std::string>& warnings)
{
    WarnOfUnsafe(sketches, warnings);
    if (counted)
    {
        WarnOfOtherDensity(sketches, *counted, warnings);
    }
    if (!scenario.codec.ratio)
    {
        WarnOfUncoded(scenario, sketches, warnings);
    }
}

} // namespace inca
