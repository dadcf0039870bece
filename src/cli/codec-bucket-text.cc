/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/codec-bucket-text.h"

#include "base/errors.h"
#include "base/value-text.h"
#include "cli/scenario-options.h"
#include "codec/peeling-forecast.h"
#include "codec/sketch-layout.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

namespace inca
{

namespace
{

constexpr double g_percent = 100;

/** With three digits after the point, and so no more than it is. */
double
CutOff(double ratio)
{
    constexpr double thousand = 1000;
    return std::floor(ratio * thousand) / thousand;
}

/** "; at this density a ratio is safe ... up to 7.81 ..." */
std::string
SafeRatioText(std::uint32_t rows, double density)
{
    const auto safe = LargestSafeRatio(rows, density);
    return safe ? fmt::format(
                      "; at this density a ratio is safe ({:g} % at most) up to {:g} for {} rows",
                      g_safeLeftShare * g_percent,
                      CutOff(*safe),
                      rows)
                : fmt::format("; at this density no ratio is safe for {} rows", rows);
}

} // namespace

void
PrintShape(const HomomorphicSettings& settings, const HomomorphicShape& shape, double density)
{
    const auto forecast = ForecastFound(shape, density);
    fmt::print(
        "ratio {}, index {}: {} rows of {}, {} counter rows, {} values behind the rows\n"
        "density as a decoder finds it {:.4g} %, load {:.3f}: {:.3g} % of the set values are "
        "expected to be estimated\n",
        DecimalText(settings.ratio),
        HomomorphicIndexName(settings.index),
        shape.rows,
        g_sketchLanes,
        shape.counterRows,
        shape.tail,
        density * g_percent,
        forecast.load,
        forecast.figures.leftShare * g_percent);
}

void
WarnIfUnsafe(const HomomorphicSettings& settings, const HomomorphicShape& shape, double density)
{
    const auto forecast = ForecastFound(shape, density);
    const auto left = forecast.figures.leftShare;
    if (left > g_safeLeftShare)
    {
        Warn({fmt::format("ratio {} is not safe: at a load (set values per lane / counter rows) of "
                          "{:.3f}, decoding is expected to estimate {:.3g} % of the set values{}",
                          DecimalText(settings.ratio),
                          forecast.load,
                          left * g_percent,
                          SafeRatioText(shape.rows, density))});
    }
}

void
WarnOfEstimates(const PeelingReport& report, const HomomorphicShape& shape)
{
    if (report.estimated == 0)
    {
        return;
    }
    const auto marked = report.peeled + report.estimated;
    const auto density = ShareOfRows(marked, shape);
    Warn({fmt::format("{} of {} set values ({:.3g} %) could not be decoded and were estimated: the "
                      "load (set values per lane / counter rows) is {:.3f}{}",
                      report.estimated,
                      marked,
                      static_cast<double>(report.estimated) / static_cast<double>(marked) *
                          g_percent,
                      ForecastFound(shape, density).load,
                      SafeRatioText(shape.rows, density))});
}

double
ShareOfRows(std::uint64_t marked, const HomomorphicShape& shape)
{
    return shape.rows == 0 ? 0
                           : static_cast<double>(marked) / static_cast<double>(shape.RowValues());
}

void
CheckStream(const std::string& path, std::size_t bytes, const HomomorphicBucket& bucket)
{
    const auto right = bucket.Shape().Bytes();
    if (bytes != right)
    {
        throw InputError(fmt::format("{}: has {} bytes, but a stream of --elements, --ratio and "
                                     "--index as given has {}",
                                     path,
                                     bytes,
                                     right));
    }
}

} // namespace inca
