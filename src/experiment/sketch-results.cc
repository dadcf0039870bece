/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/sketch-results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace inca
{

namespace
{

/** Drawn values scatter by much less than this around what their density says. */
constexpr double g_noticeable = 0.1;
constexpr double g_noticeableValues = 1000; ///< fewer may well be off by that share

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
WarnOfDensities(const std::vector<PlannedSketch>& sketches,
                const CountedValues& counted,
                Warnings& warnings)
{
    double expected = 0;
    for (const auto& sketch : sketches)
    {
        expected += sketch.markedValues;
    }
    const auto off = std::fabs(counted.marked - expected);
    if (off > g_noticeable * expected && off > g_noticeableValues)
    {
        warnings.push_back({WarningTopic::DENSITIES,
                            fmt::format("the values of an iteration have {:.0f} set positions, and "
                                        "the densities (the trace's, "
                                        "training.density, training.union_exponent) say {:.0f}: "
                                        "ratio, rounds and times are "
                                        "those of the densities",
                                        counted.marked,
                                        expected)});
    }
}

} // namespace inca
