/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/calibrated-range.h"

#include "plan/plan-maker.h"
#include "plan/preset-range.h"
#include "scenario/repeated-tables.h"
#include "scenario/scenario-reader.h"
#include "scenario/specs.h"

#include <algorithm>
#include <cmath>
#include <string>
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
    const auto exchangedPs = breakdown.communicationPs + breakdown.Of(Activity::COPY);
    return {static_cast<double>(breakdown.TotalPs()) / iterations,
            static_cast<double>(exchangedPs) / iterations};
}

/** What messages cost a host where a switch adds, if each exchange is one: a packet may cost as much, or nothing. (ps) */
std::int64_t
SwitchedMessagesPs(const Plan& plan)
{
    const auto& job = *plan.Job().job;
    const auto& protocols = plan.Settings().scenario.host.protocols;
    if (!plan.Settings().scheme || protocols.empty())
    {
        return 0;
    }
    std::int64_t ps = 0;
    for (const auto& chunk : job.chunks)
    {
        const auto bytes = chunk.rounds.front().hostBytes;
        const auto& protocol = protocols[PlaceOfProtocol(protocols, bytes)];
        ps += protocol.messagePs + WorkPs(bytes, protocol.bytesPerSecond);
    }
    return ps;
}

/** Whether @p given has a preset's own constants. */
bool
HasItsProtocols(const Scenario& given)
{
    const auto textOf = [](const Scenario& scenario) { return FormatRepeated(scenario, *FindRepeatedTable("host.protocol")); };
    return !given.cluster.asFitted || textOf(given) == textOf(*given.cluster.asFitted);
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
    if (leftOut.empty() || seen->explanations.empty() || !HasItsProtocols(given))
    {
        results.iterationTimeRange = std::string(NO_RANGE) + (leftOut.empty()              ? "extrapolated"
                                                              : seen->explanations.empty() ? "calibrate again with this version"
                                                                                           : "host.protocol is not the preset's");
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
        results.iterationTimeRange = std::string(NO_RANGE) + "too few times";
        return;
    }
    results.iterationTimeRange = "between " + leftOut;
    const auto timePs = results.iterationTimePs;
    results.iterationTimeLowPs = std::min<std::int64_t>(std::llround(range->first), timePs);
    results.iterationTimeHighPs =
        std::max<std::int64_t>(std::llround(range->second), timePs) + SwitchedMessagesPs(outcome.plan);
}

} // namespace inca
