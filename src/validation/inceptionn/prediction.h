/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_INCEPTIONN_PREDICTION_H
#define INCA_VALIDATION_INCEPTIONN_PREDICTION_H

#include "record/run-record.h"
#include "validation/inceptionn/published.h"

#include <cstdint>
#include <optional>

namespace inca
{

/** What a run says about one system; the rest is arithmetic. */
struct SystemPrediction
{
    double communicationSeconds{0}; ///< per iteration
    std::optional<double> ratio;    ///< plain over encoded gradient payload, where compressed
};

/**
 * Predicted communication is what INCA calls so everywhere: the communication of the run's
 * breakdown, where the time in which a host adds, or waits for another host's sum or update,
 * is not communication.
 * @param results of a run of InceptionnScenario
 */
SystemPrediction PredictionOf(const RunResults& results, InceptionnSystem system);

} // namespace inca

#endif // INCA_VALIDATION_INCEPTIONN_PREDICTION_H
