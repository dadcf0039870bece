/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_PRESET_RANGE_H
#define INCA_PLAN_PRESET_RANGE_H

#include "inca/plan/plan.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

/** How near a plan is to what its calibrated preset was fitted to. */
struct PresetReach
{
    std::size_t smallerExchanges{0}; ///< than any that was seen
    std::size_t largerExchanges{0};
    bool ranksSeen{true};
    bool ranksBetween{true}; ///< between those that were seen, or seen

    /** What must have been left out of explanations that judge it: "sizes" or "ranks"; empty: nothing judges what is beyond. */
    std::string LeftOut() const;
};

PresetReach ReachOf(const Plan& plan);

/** @param plan by a preset @return why no range can be told, for people; empty: one can */
std::string WhyNoRange(const Plan& plan);

/** The time of an iteration, and the part of it that a preset's constants decide. (any unit, the same for both) */
struct ExplainedTime
{
    double total{0};
    double exchanged{0};
};

/**
 * The range of a time by a preset: CV+ (Barber et al., 2021, "Predictive inference with the jackknife+") over the explanations
 * that left something out, of which each widens its own time by its errors; it holds nine of ten times, and eight of ten at
 * least, whatever the errors' distribution. What that is relative to the exchanges of @p own holds for the explanations of all
 * measurements, too: the range is from the fastest of them to the slowest.
 * @param each what each explanation says, in their order
 * @param leftOut which of them judge (PresetReach::LeftOut)
 * @return nothing if fewer than 6 times were left out; of fewer than 19, all are in it
 */
std::optional<std::pair<double, double>> PresetRange(ExplainedTime own,
                                                     const std::vector<Explanation>& explanations,
                                                     const std::vector<ExplainedTime>& each,
                                                     const std::string& leftOut);

/** @return @p scenario with the constants of @p explanation, and without a range of its own */
Scenario Explained(Scenario scenario, const Explanation& explanation);

} // namespace inca

#endif // INCA_PLAN_PRESET_RANGE_H
