/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_SKETCH_RESULTS_H
#define INCA_EXPERIMENT_SKETCH_RESULTS_H

#include "plan/sketch-plan.h"
#include "plan/warning.h"
#include "record/run-record.h"

#include <optional>
#include <vector>

namespace inca
{

/** What decoding found, per iteration. */
struct CountedValues
{
    double marked{0};
    double estimated{0};
};

/**
 * What homomorphic compression did, or is expected to do, with an iteration's chunks.
 * @param sketches by chunk
 * @param counted empty: only sizes travelled
 * @return empty if there are no sketches
 */
std::optional<SketchResults> SketchResultsOf(const std::vector<PlannedSketch>& sketches,
                                             std::optional<CountedValues> counted);

/** Says that an iteration's values are not as dense as was planned for. */
void WarnOfDensities(const std::vector<PlannedSketch>& sketches,
                     const CountedValues& counted,
                     Warnings& warnings);

} // namespace inca

#endif // INCA_EXPERIMENT_SKETCH_RESULTS_H
