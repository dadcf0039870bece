/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/run-warnings.h"

#include "experiment/sketch-results.h"
#include "scenario/specs.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace inca
{

namespace
{

/** Random values scatter by much less than this around what their density says. */
constexpr double g_noticeable = 0.1;
constexpr double g_noticeableValues = 1000; ///< fewer may well be off by that share

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
