/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/calibrated-range.h"

#include "plan/preset-range.h"
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
    const auto& breakdown = outcome.Job().breakdown;
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
    if (!plan.Settings().AddsForAll() || protocols.empty())
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

} // namespace

void
AddCalibratedRange(const Outcome& outcome, const ProgressSink& onProgress, RunResults& results)
{
    const auto& plan = outcome.plan;
    const auto& calibrated = plan.Settings().scenario.cluster.calibrated;
    if (!calibrated)
    {
        return;
    }
    if (const auto why = WhyNoRange(plan); !why.empty())
    {
        results.iterationTimeRange = std::string(NO_RANGE) + why;
        return;
    }
    const auto runs = static_cast<double>(1 + plan.explained.size());
    std::vector<ExplainedTime> each;
    for (const auto& explained : plan.explained)
    {
        const auto seen = Simulate(explained, [&](double share) {
            onProgress((1 + static_cast<double>(each.size()) + share) / runs);
        });
        each.push_back(TimeOf(seen, results.measuredIterations));
    }
    const auto own = TimeOf(outcome, results.measuredIterations);
    const auto leftOut = ReachOf(plan).LeftOut();
    const auto range = PresetRange(own, calibrated->explanations, each, leftOut);
    if (!range)
    {
        results.iterationTimeRange = std::string(NO_RANGE) + "too few times";
        return;
    }
    results.iterationTimeRange = "between " + leftOut;
    const auto timePs = results.iterationTimePs;
    results.iterationTimeLowPs = std::min<std::int64_t>(std::llround(range->first), timePs);
    results.iterationTimeHighPs =
        std::max<std::int64_t>(std::llround(range->second), timePs) + SwitchedMessagesPs(plan);
}

} // namespace inca
