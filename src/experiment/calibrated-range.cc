/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/calibrated-range.h"

#include "plan/plan-maker.h"
#include "plan/plan-warnings.h"
#include "scenario/specs.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

using Protocols = std::vector<ProtocolSettings>;

/** Of all measured iterations together. */
std::int64_t
MeasuredPs(const Scenario& scenario)
{
    return Simulate(MakePlan(scenario), [](double) {}).breakdown.TotalPs();
}

std::set<std::size_t>
UsedProtocols(const Protocols& protocols, const TrainingJob& job)
{
    std::set<std::size_t> used;
    for (const auto& chunk : job.chunks)
    {
        used.insert(PlaceOfProtocol(protocols, chunk.range.count * job.gradientType.bytes));
    }
    return used;
}

/** What constants at one of their ends change, as the root of the squares. (ps, of all measured iterations) */
double
ChangePs(const Scenario& given, const Outcome& outcome, const Protocols& end)
{
    const auto& protocols = given.host.protocols;
    auto moved = given;
    moved.cluster.calibrated = nullptr;
    double squares = 0;
    for (const auto i : UsedProtocols(protocols, *outcome.plan.Job().prepared.job))
    {
        const auto move = [&](auto constant) {
            if (end[i].*constant != protocols[i].*constant)
            {
                moved.host.protocols = protocols;
                moved.host.protocols[i].*constant = end[i].*constant;
                const auto byPs = MeasuredPs(moved) - outcome.breakdown.TotalPs();
                squares += static_cast<double>(byPs) * static_cast<double>(byPs);
            }
        };
        move(&ProtocolSettings::startPs);
        move(&ProtocolSettings::messagePs);
        move(&ProtocolSettings::bytesPerSecond);
    }
    return std::sqrt(squares);
}

} // namespace

void
AddCalibratedRange(const Scenario& given, const Outcome& outcome, RunResults& results)
{
    const auto seen = given.cluster.calibrated;
    const auto count = given.host.protocols.size();
    if (!seen || count == 0 || seen->low.size() != count || seen->high.size() != count)
    {
        return;
    }
    const auto leastPs =
        PresetError(outcome.plan) * static_cast<double>(results.shares.communicationPs);
    const auto widthPs = [&](const Protocols& end) {
        const auto ofOnePs = ChangePs(given, outcome, end) / results.measuredIterations;
        return std::llround(std::max(leastPs, ofOnePs));
    };
    const auto timePs = results.iterationTimePs;
    results.iterationTimeLowPs = std::max<std::int64_t>(
        std::min(timePs, results.lowerBoundPs.value_or(0)), timePs - widthPs(seen->low));
    results.iterationTimeHighPs = timePs + widthPs(seen->high);
}

} // namespace inca
