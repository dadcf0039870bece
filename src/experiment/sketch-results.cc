/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/sketch-results.h"

#include "experiment/outcome.h"

#include <algorithm>

namespace inca
{

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

std::optional<CountedValues>
CountedPerIteration(const Outcome& outcome)
{
    if (!outcome.errors)
    {
        return std::nullopt;
    }
    const double iterations = outcome.plan.Job().prepared.job->iterations;
    return CountedValues{static_cast<double>(outcome.errors->marked) / iterations,
                         static_cast<double>(outcome.errors->estimated) / iterations};
}

} // namespace inca
