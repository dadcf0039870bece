/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_CALIBRATED_RANGE_H
#define INCA_EXPERIMENT_CALIBRATED_RANGE_H

#include "experiment/simulation.h"
#include "record/run-record.h"
#include "scenario/scenario.h"

namespace inca
{

/**
 * Adds the range that the intervals of a preset's constants (CalibratedRange) give the iteration time. Each constant is
 * moved to either end by itself, in a simulation of its own, and the squares of what that changes are added. The range
 * is at least as wide as nine of ten times that were fitted are off, or, outside of what the preset has seen, that were left
 * out; it does not go below the lower bound. Nothing without such a preset, or where the scenario has other protocols.
 * @param results with its times
 */
void AddCalibratedRange(const Scenario& given, const Outcome& outcome, RunResults& results);

} // namespace inca

#endif // INCA_EXPERIMENT_CALIBRATED_RANGE_H
