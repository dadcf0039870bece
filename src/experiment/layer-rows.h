/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_LAYER_ROWS_H
#define INCA_EXPERIMENT_LAYER_ROWS_H

#include "experiment/outcome.h"
#include "record/run-record.h"

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

} // namespace inca

#endif // INCA_EXPERIMENT_LAYER_ROWS_H
