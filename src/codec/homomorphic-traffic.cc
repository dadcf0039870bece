/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/homomorphic-traffic.h"

#include "base/errors.h"
#include "codec/peeling-forecast.h"

#include <string>

namespace inca
{

namespace
{

// Bytes of memory traffic.
constexpr double g_perValue = 4;
constexpr double g_perSketched = 24;
constexpr double g_perPeeled = 28;

} // namespace

HomomorphicTraffic
TrafficOf(const HomomorphicSettings& settings,
          std::uint64_t count,
          double density,
          double unionDensity)
{
    if (!(density >= 0 && density <= unionDensity))
    {
        throw InputError("homomorphic: a worker's density must be 0 to that of the union, got " +
                         std::to_string(density) + " and " + std::to_string(unionDensity));
    }
    const auto values = static_cast<double>(ShapeOf(settings, count).RowValues());
    if (values == 0)
    {
        return {};
    }
    const auto figures = ForecastBucket(settings, count, unionDensity).figures;
    const auto peeled = values * FoundDensity(settings, unionDensity) * (1 - figures.leftShare);
    return {values * g_perValue,
            values * (g_perValue + density * g_perSketched),
            values * g_perValue * figures.bucketRounds + peeled * g_perPeeled,
            figures.bucketRounds};
}

} // namespace inca
