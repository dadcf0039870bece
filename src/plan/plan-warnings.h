/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_PLAN_WARNINGS_H
#define INCA_PLAN_PLAN_WARNINGS_H

#include "inca/plan/plan.h"
#include "inca/plan/warning.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/**
 * Warnings of a plan that is complete but for these: keys that change nothing with this trace; windows, slots and buffers that
 * are too small for the network; sketches that are too small, or make nothing smaller; what sizes without values leave out.
 */
Warnings PlanWarnings(const Plan& plan);

/** Which ratio is too large for the union's density, and what would be right; and what a safe ratio cannot make smaller. */
void WarnOfSketches(const Scenario& scenario,
                    const std::vector<PlannedSketch>& sketches,
                    Warnings& warnings);

/** Slots with which no worker waits for one (AggregationScheme::SlotsNeeded); empty where none add. */
std::optional<std::uint64_t> SlotsNeeded(const Plan& plan);

/** Whether sums depend on the order in which packets arrive. */
struct SumOrder
{
    bool matters{false};
    std::string reason; ///< for people: "switches add integers, which gives the same in any order"
};

/**
 * Hosts add in the order of their plan, whatever comes first: a message that is early waits. Switches add packets as they
 * arrive, which matters where each addition is rounded (NetworkReduction::isExact) and there are more than two operands:
 * a + b is b + a.
 */
SumOrder SumOrderOf(const Resolved& resolved);

} // namespace inca

#endif // INCA_PLAN_PLAN_WARNINGS_H
