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
 * Adds the range of the iteration time by a calibrated preset, and what it rests on (PresetRange): each explanation is simulated.
 * Beyond what the preset has seen there is no range.
 * @param results with its times
 */
void AddCalibratedRange(const Scenario& given, const Outcome& outcome, RunResults& results);

} // namespace inca

#endif // INCA_EXPERIMENT_CALIBRATED_RANGE_H
