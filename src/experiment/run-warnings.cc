/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/run-warnings.h"

#include "experiment/sketch-results.h"
#include "scenario/specs.h"

#include <fmt/format.h>

#include <utility>

namespace inca
{

namespace
{

void
WarnOfDrops(const Outcome& outcome, Warnings& warnings)
{
    const auto drops = DroppedFrames(outcome.links);
    const bool explained = drops == 0 && !outcome.switches.empty(); // by WarnOfSums
    if ((drops > 0 || outcome.retransmittedFrames > 0) && !explained)
    {
        warnings.push_back(
            {WarningTopic::DROPS,
             fmt::format("{} frames were dropped and {} sent again: links.csv says where",
                         drops,
                         outcome.retransmittedFrames)});
    }
}

SumsSeen
SumsSeenIn(const Outcome& outcome)
{
    SumsSeen seen;
    for (const auto& row : outcome.switches)
    {
        if (row.droppedNoSlot > 0)
        {
            seen.fullSwitches.push_back({row.name, row.droppedNoSlot, row.slots});
        }
    }
    seen.repeatedFrames = outcome.retransmittedFrames;
    seen.lostFrames = DroppedFrames(outcome.links);
    seen.clampedValues = outcome.clampedValues;
    seen.startedTogether = outcome.plan.scenario.exchange.start == "together";
    return seen;
}

void
WarnOfSums(const Outcome& outcome, Warnings& warnings)
{
    for (auto& text : MakeScheme(outcome.plan.scenario)->WarningsAfter(SumsSeenIn(outcome)))
    {
        warnings.push_back({WarningTopic::NETWORK, std::move(text)});
    }
}

void
WarnOfNotFinite(const Outcome& outcome, Warnings& warnings)
{
    if (outcome.errors && outcome.errors->notFinite > 0)
    {
        warnings.push_back(
            {WarningTopic::VALUES,
             fmt::format("{} values or their sums are infinite or no numbers: the errors "
                         "leave them out",
                         outcome.errors->notFinite)});
    }
}

} // namespace

std::vector<std::string>
RunWarnings(const Outcome& outcome)
{
    auto warnings = outcome.plan.warnings;
    if (!outcome.switches.empty())
    {
        WarnOfSums(outcome, warnings);
    }
    WarnOfDrops(outcome, warnings);
    if (const auto counted = CountedPerIteration(outcome))
    {
        WarnOfDensities(outcome.plan.Job().prepared.sketches, *counted, warnings);
    }
    WarnOfNotFinite(outcome, warnings);
    return TextsOf(std::move(warnings));
}

} // namespace inca
