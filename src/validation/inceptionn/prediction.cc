/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/inceptionn/prediction.h"

namespace inca
{

SystemPrediction
PredictionOf(const RunResults& results, InceptionnSystem system)
{
    constexpr double psPerSecond = 1e12;
    const auto seconds = static_cast<double>(results.shares.communicationPs) / psPerSecond;
    return {seconds / results.measuredIterations,
            IsCompressed(system) ? results.achievedRatio : std::nullopt};
}

} // namespace inca
