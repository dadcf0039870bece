/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/gpu-union.h"

#include "trace/layer-statistics.h"
#include "trace/sparse-statistics.h"

#include <algorithm>

namespace inca
{

namespace
{

/** Of one layer; @p workers whose union its statistics may know. */
LayerStatistics
United(const LayerStatistics& one,
       std::optional<std::uint32_t> workers,
       std::uint32_t gpus,
       std::optional<double> unionExponent)
{
    const auto density = NonZeroShare(one);
    if (!density || *density <= 0)
    {
        return one;
    }
    const auto fitted = FitUnionExponent(one, workers);
    const auto exponent = unionExponent.value_or(std::min(1.0, fitted.value_or(1.0)));
    // The union of densities near 0 rounds down to 0.
    const auto share = std::max(*density, UnionDensity(*density, gpus, exponent));
    auto united = WithDensity(one, share);
    if (one.unionDensity && workers)
    {
        united.unionDensity = UnionDensity(share, *workers, exponent);
    }
    return united;
}

} // namespace

GradientTrace
OverGpus(const GradientTrace& trace, std::uint32_t gpus, std::optional<double> unionExponent)
{
    auto united = trace;
    for (auto& layer : united.layers)
    {
        layer.statistics = United(layer.statistics, trace.statsWorkers, gpus, unionExponent);
    }
    return united;
}

} // namespace inca
