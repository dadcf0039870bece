/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_SKETCH_WARNINGS_H
#define INCA_PLAN_SKETCH_WARNINGS_H

#include "plan/sketch-plan.h"
#include "plan/warning.h"
#include "scenario/scenario.h"

#include <vector>

namespace inca
{

/**
 * Says which ratio is too large for the union's density, and what would be right; and, with a safe
 * ratio, what cannot be made smaller.
 */
void WarnOfSketches(const Scenario& scenario,
                    const std::vector<PlannedSketch>& sketches,
                    Warnings& warnings);

} // namespace inca

#endif // INCA_PLAN_SKETCH_WARNINGS_H
