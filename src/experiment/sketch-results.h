/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_SKETCH_RESULTS_H
#define INCA_EXPERIMENT_SKETCH_RESULTS_H

#include "plan/sketch-plan.h"
#include "record/run-record.h"
#include "scenario/scenario.h"
#include "trace/gradient-trace.h"

#include <optional>
#include <string>
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

/**
 * Says which ratio is too large for the union's density, and what would be right; and, with a safe
 * ratio, what cannot be made smaller; and, of values, that they are not as dense as was planned for.
 */
void WarnOfSketches(const Scenario& scenario,
                    const std::vector<PlannedSketch>& sketches,
                    std::optional<CountedValues> counted,
                    std::vector<std::string>& warnings);

} // namespace inca

#endif // INCA_EXPERIMENT_SKETCH_RESULTS_H
