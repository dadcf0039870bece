/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_SKETCH_RESULTS_H
#define INCA_EXPERIMENT_SKETCH_RESULTS_H

#include "plan/sketch-plan.h"
#include "record/run-record.h"

#include <optional>
#include <vector>

namespace inca
{

struct Outcome;

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

/** What decoding coded chunks found; empty when only sizes travelled. */
std::optional<CountedValues> CountedPerIteration(const Outcome& outcome);

} // namespace inca

#endif // INCA_EXPERIMENT_SKETCH_RESULTS_H
