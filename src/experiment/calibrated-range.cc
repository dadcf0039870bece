/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/calibrated-range.h"

#include "plan/plan-maker.h"
#include "plan/preset-range.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace inca
{

namespace
{

/** Of one of the measured iterations. */
ExplainedTime
TimeOf(const Outcome& outcome, std::uint32_t iterations)
{
    const auto& breakdown = outcome.breakdown;
    return {static_cast<double>(breakdown.TotalPs()) / iterations,
            static_cast<double>(breakdown.communicationPs) / iterations};
}

} // namespace

void
AddCalibratedRange(const Scenario& given, const Outcome& outcome, RunResults& results)
{
    const auto& seen = given.cluster.calibrated;
    if (!seen)
    {
        return;
    }
    const auto leftOut = ReachOf(outcome.plan).LeftOut();
    if (leftOut.empty() || seen->explanations.empty())
    {
        results.iterationTimeRange = leftOut.empty() ? "none: extrapolated" : "none: calibrate again with this version";
        return;
    }
    std::vector<ExplainedTime> each;
    for (const auto& explanation : seen->explanations)
    {
        const auto plan = MakePlan(Explained(given, explanation));
        each.push_back(TimeOf(Simulate(plan, [](double) {}), results.measuredIterations));
    }
    const auto own = TimeOf(outcome, results.measuredIterations);
    const auto range = PresetRange(own, seen->explanations, each, leftOut);
    if (!range)
    {
        results.iterationTimeRange = "none: too few times";
        return;
    }
    results.iterationTimeRange = "between " + leftOut;
    const auto timePs = results.iterationTimePs;
    const auto leastPs = std::min(timePs, results.lowerBoundPs.value_or(0));
    results.iterationTimeLowPs = std::clamp<std::int64_t>(std::llround(range->first), leastPs, timePs);
    results.iterationTimeHighPs = std::max<std::int64_t>(std::llround(range->second), timePs);
}

} // namespace inca
