/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_RECORD_PARTS_H
#define INCA_EXPERIMENT_RECORD_PARTS_H

// Parts of a run's record that are worked out from its outcome: rows of layers, sketches, and warnings.

#include "inca/experiment/simulation.h"
#include "inca/plan/sketch-plan.h"
#include "inca/plan/warning.h"
#include "inca/record/run-record.h"

#include <optional>
#include <string>
#include <vector>

namespace inca
{

/**
 * What every worker saw of every layer's exchange in the last iteration, worker by worker.
 *
 * Times are those of its gradients; bytes are those of its weights, too, where these are gathered. A layer that
 * lies in several chunks starts with the first of them and ends with the last. Its
 * exposed communication is the communication (as the breakdown of a run counts it) in the time in
 * which its weights were what the next forward pass would have waited for: from the end of
 * backward, or from when every layer below it was there, until it was there. Over the layers of a
 * worker these add up to its communication after backward. Its wait for weights is how long its passes stood still
 * until its weights were gathered. A chunk's bytes (payload that reached
 * the worker) go to its layers by their share of its elements, such that they add up.
 */
std::vector<LayerRow> LayerRows(const Outcome& outcome);

/** What decoding found, per iteration. */
struct CountedValues
{
    double marked{0};
    double estimated{0};
};

/** Errors of each bucket, and after each of its hops; none without values. */
std::vector<ErrorRow> ErrorRows(const Outcome& outcome);

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

/** How long one direction of a trunk sent, at most, per iteration. (ps) */
std::int64_t BusiestTrunkPs(const Outcome& outcome);

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

#endif // INCA_EXPERIMENT_RECORD_PARTS_H
