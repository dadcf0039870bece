/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/inceptionn-prediction.h"

namespace inca
{

namespace
{

constexpr double g_psPerSecond = 1e12;
constexpr double g_bytesPerValue = 4;

/** Of one gradient: every worker has the same layers. */
double
GradientBytes(const RunRecord& record)
{
    double values = 0;
    for (const auto& row : record.layers)
    {
        values += row.worker == 0 ? static_cast<double>(row.elements) : 0;
    }
    return values * g_bytesPerValue;
}

/** How many gradients one host adds to another one. */
double
GradientsAdded(InceptionnSystem system)
{
    constexpr double others = g_inceptionnWorkers - 1;
    return IsRing(system) ? others / g_inceptionnWorkers : others;
}

/** What one host needs for its sums of one iteration. */
double
SumSeconds(const RunRecord& record, InceptionnSystem system, std::uint64_t bytesPerSecond)
{
    return bytesPerSecond == 0 ? 0
                               : GradientsAdded(system) * GradientBytes(record) /
                                     static_cast<double>(bytesPerSecond);
}

} // namespace

SystemPrediction
PredictionOf(const RunRecord& record, InceptionnSystem system, std::uint64_t sumBytesPerSecond)
{
    const auto& results = record.results;
    const auto& shares = results.shares;
    const double notComputed =
        static_cast<double>(shares.communicationPs + shares.sumPs) / g_psPerSecond;
    return {notComputed / results.measuredIterations -
                SumSeconds(record, system, sumBytesPerSecond),
            IsCompressed(system) ? results.achievedRatio : std::nullopt};
}

} // namespace inca
