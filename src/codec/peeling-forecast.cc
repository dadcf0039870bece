/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/peeling-forecast.h"

#include "base/errors.h"
#include "base/portable-math.h"
#include "codec/bitmap-index.h"
#include "codec/peeling-measurement.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

namespace inca
{

namespace
{

PeelingCell
Between(const PeelingCell& low, const PeelingCell& high, double share)
{
    const auto mix = [share](double a, double b) { return a + (b - a) * share; };
    return {mix(low.leftShare, high.leftShare), mix(low.bucketRounds, high.bucketRounds)};
}

PeelingCell
AtLoad(std::size_t row, double load)
{
    const auto* const above = std::upper_bound(PEELING_LOADS.begin(), PEELING_LOADS.end(), load);
    if (above == PEELING_LOADS.end())
    {
        return PeelingTableCell(row, PEELING_LOADS.size() - 1);
    }
    const auto high = static_cast<std::size_t>(above - PEELING_LOADS.begin());
    const auto share = (load - PEELING_LOADS[high - 1]) / (*above - PEELING_LOADS[high - 1]);
    return Between(PeelingTableCell(row, high - 1), PeelingTableCell(row, high), share);
}

void
CheckDensity(double density)
{
    if (!(density >= 0 && density <= 1))
    {
        throw InputError("homomorphic: the density of a union must be 0 to 1, got " +
                         std::to_string(density));
    }
}

// Bytes of memory traffic.
constexpr double g_perValue = 4;
constexpr double g_perSketched = 24;
constexpr double g_perPeeled = 28;

} // namespace

PeelingCell
ForecastPeeling(std::uint32_t counterRows, double load)
{
    std::size_t high = 0;
    while (high < PEELING_ROWS && 1U << high < counterRows)
    {
        ++high;
    }
    if (high == 0 || high == PEELING_ROWS)
    {
        return AtLoad(std::min(high, PEELING_ROWS - 1), load);
    }
    // From one row of the table to the next, R doubles.
    const auto low = high - 1;
    const auto share = PortableLog(static_cast<double>(counterRows) / (1U << low)) / PortableLog(2);
    return Between(AtLoad(low, load), AtLoad(high, load), share);
}

double
FoundDensity(const HomomorphicSettings& settings, double density)
{
    CheckDensity(density);
    if (settings.index != HomomorphicIndex::BLOOM)
    {
        return density;
    }
    return density + (1 - density) * BloomFalsePositives(settings.bloom, density);
}

PeelingForecast
ForecastFound(const HomomorphicShape& shape, double density)
{
    CheckDensity(density);
    const auto load = shape.rows == 0 ? 0 : density * shape.rows / shape.counterRows;
    return {load, ForecastPeeling(shape.counterRows, load)};
}

PeelingForecast
ForecastBucket(const HomomorphicSettings& settings, std::uint64_t count, double density)
{
    const auto shape = ShapeOf(settings, count);
    return ForecastFound(shape, FoundDensity(settings, density));
}

std::optional<double>
LargestSafeRatio(std::uint32_t rows, double density, double mostLeft)
{
    CheckDensity(density);
    const auto isSafe = [=](std::uint64_t counterRows) {
        const auto load = density * rows / static_cast<double>(counterRows);
        constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
        return ForecastPeeling(static_cast<std::uint32_t>(std::min(counterRows, most)), load)
                   .leftShare <= mostLeft;
    };
    std::uint64_t tooFew = 0;
    auto enough = std::uint64_t{rows} * 2;
    if (rows == 0 || !isSafe(enough))
    {
        return std::nullopt;
    }
    while (enough - tooFew > 1)
    {
        const auto middle = (tooFew + enough) / 2;
        (isSafe(middle) ? enough : tooFew) = middle;
    }
    return rows / static_cast<double>(enough);
}

std::optional<double>
RoundedSafeRatio(std::uint32_t rows, double density)
{
    constexpr double million = 1e6;
    const auto safe = LargestSafeRatio(rows, density);
    return safe ? std::optional(std::ceil(*safe * million) / million) : std::nullopt;
}

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
