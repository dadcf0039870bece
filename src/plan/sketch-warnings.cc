/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/sketch-warnings.h"

#include "codec/peeling-forecast.h"
#include "scenario/specs.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

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

/** What there is a sketch of. */
const char*
PartsOf(const Scenario& scenario)
{
    return IsSharded(scenario) ? "shards of exchanges" : "exchanges";
}

void
WarnOfUnsafe(const Scenario& scenario,
             const std::vector<PlannedSketch>& sketches,
             Warnings& warnings)
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
    warnings.push_back({WarningTopic::UNSAFE_SKETCHES,
                        fmt::format("codec.ratio: too large for {} of {} {}: with {} rows "
                                    "of 1024 values in {} counter "
                                    "rows, and {:.3g} % of them set on some worker, the load is "
                                    "{:.3g}, and {:.3g} % of the "
                                    "set values are expected to be estimates; {}. With \"safe\" "
                                    "each takes what it bears, or "
                                    "travels as it is",
                                    count,
                                    sketches.size(),
                                    PartsOf(scenario),
                                    worst->rows,
                                    worst->counterRows,
                                    worst->unionDensity * 100,
                                    worst->load,
                                    worst->estimatedValues / worst->markedValues * 100,
                                    SafeRatioText(*worst))});
}

void
WarnOfUncoded(const Scenario& scenario,
              const std::vector<PlannedSketch>& sketches,
              Warnings& warnings)
{
    const auto count = std::count_if(sketches.begin(), sketches.end(), [](const auto& sketch) {
        return sketch.spec.coded.empty();
    });
    if (count > 0)
    {
        warnings.push_back(
            {WarningTopic::UNCODED_SKETCHES,
             fmt::format(
                 "codec.ratio: {} of {} {} travel as they are: too many of their values are "
                 "set "
                 "on some worker, or they are too short, for a safe ratio to make them smaller{}",
                 count,
                 sketches.size(),
                 PartsOf(scenario),
                 scenario.codec.skipDensity ? ", or codec.skip_density leaves all of them out"
                                            : "")});
    }
}

} // namespace

void
WarnOfSketches(const Scenario& scenario,
               const std::vector<PlannedSketch>& sketches,
               Warnings& warnings)
{
    WarnOfUnsafe(scenario, sketches, warnings);
    if (!scenario.codec.ratio)
    {
        WarnOfUncoded(scenario, sketches, warnings);
    }
}

} // namespace inca
