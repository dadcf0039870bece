/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_INCEPTIONN_PREDICTION_H
#define INCA_VALIDATION_INCEPTIONN_PREDICTION_H

#include "record/run-record.h"
#include "validation/inceptionn-published.h"

#include <cstdint>
#include <optional>

namespace inca
{

/** What a run says about one system; the rest is arithmetic. */
struct SystemPrediction
{
    double communicationSeconds{0}; ///< per iteration, as the paper counts it
    std::optional<double> ratio;    ///< plain over encoded gradient payload, where compressed
};

/**
 * The paper's two parts of an iteration are what one host computes, its sums included, and the
 * rest. So predicted communication is
 *     iteration time - (forward + backward + copy + update + the sums of one host),
 * where the aggregator adds 3 gradients and a worker of a ring of 4 adds 3/4 of one. For WA this is
 * the communication of the run's breakdown. For INC the breakdown also counts as sum what a worker
 * waits for another one's sum; to the paper's timers that was communication.
 * @param record a run of InceptionnScenario, with its layers
 * @param sumBytesPerSecond the scenario's; 0: sums cost nothing
 */
SystemPrediction PredictionOf(const RunRecord& record,
                              InceptionnSystem system,
                              std::uint64_t sumBytesPerSecond);

} // namespace inca

#endif // INCA_VALIDATION_INCEPTIONN_PREDICTION_H
