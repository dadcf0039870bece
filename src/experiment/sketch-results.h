/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_SKETCH_RESULTS_H
#define INCA_EXPERIMENT_SKETCH_RESULTS_H

#include "experiment/sketch-plan.h"
#include "record/run-record.h"
#include "scenario/scenario.h"
#include "trace/gradient-trace.h"

#include <optional>
#include <string>
#include <vector>

namespace inca
{

/**
 * What homomorphic compression did, or is expected to do, with an iteration's chunks.
 * @param sketches by chunk
 * @param estimated values counted per iteration; empty: only sizes travelled
 * @return empty if there are no sketches
 */
std::optional<SketchResults> SketchResultsOf(const std::vector<PlannedSketch>& sketches,
                                             std::optional<double> estimated);

/**
 * Says which ratio is too large for the union's density, and what would be right; and, with a safe
 * ratio, what cannot be made smaller.
 */
void WarnOfSketches(const Scenario& scenario,
                    const std::vector<PlannedSketch>& sketches,
                    std::vector<std::string>& warnings);

} // namespace inca

#endif // INCA_EXPERIMENT_SKETCH_RESULTS_H
