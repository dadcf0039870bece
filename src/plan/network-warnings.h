/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_NETWORK_WARNINGS_H
#define INCA_PLAN_NETWORK_WARNINGS_H

#include "plan/plan.h"
#include "plan/warning.h"

#include <cstdint>
#include <optional>

namespace inca
{

/** A window that cannot fill the fastest link over the longest way. */
void WarnOfWindow(const Plan& plan, Warnings& warnings);

/** Slots with which no worker waits for one (AggregationScheme::SlotsNeeded); empty where none add. */
std::optional<std::uint64_t> SlotsNeeded(const Plan& plan);

/** What the aggregation scheme of its switches warns of before the run. */
void WarnOfSums(const Plan& plan, Warnings& warnings);

} // namespace inca

#endif // INCA_PLAN_NETWORK_WARNINGS_H
