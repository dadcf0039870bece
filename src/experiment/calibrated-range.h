/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_CALIBRATED_RANGE_H
#define INCA_EXPERIMENT_CALIBRATED_RANGE_H

#include "inca/experiment/simulation.h"
#include "inca/record/run-record.h"

namespace inca
{

/**
 * Adds the range of the iteration time by a calibrated preset, and what it rests on (PresetRange): each explanation is simulated.
 * Beyond what the preset has seen there is no range.
 * @param onProgress is told how much of all simulations is over, of which the first made @p outcome
 * @param results with its times
 */
void AddCalibratedRange(const Outcome& outcome,
                        const ProgressSink& onProgress,
                        RunResults& results);

} // namespace inca

#endif // INCA_EXPERIMENT_CALIBRATED_RANGE_H
