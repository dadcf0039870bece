/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_RUN_WARNINGS_H
#define INCA_EXPERIMENT_RUN_WARNINGS_H

#include "experiment/outcome.h"
#include "experiment/sketch-results.h"
#include "plan/warning.h"

#include <string>
#include <vector>

namespace inca
{

/**
 * What the user should know of a run beside its figures: what its plan warns of, and what was seen:
 * frames dropped or sent again, values that are not as planned, or no numbers.
 */
std::vector<std::string> RunWarnings(const Outcome& outcome);

/** Says that an iteration's values are not as dense as was planned for. */
void WarnOfDensities(const std::vector<PlannedSketch>& sketches,
                     const CountedValues& counted,
                     Warnings& warnings);

} // namespace inca

#endif // INCA_EXPERIMENT_RUN_WARNINGS_H
