/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/gpu-union.h"

#include "trace/layer-statistics.h"

#include <algorithm>

namespace inca
{

GradientTrace
OverGpus(const GradientTrace& trace, std::uint32_t gpus, std::optional<double> unionExponent)
{
    auto united = trace;
    for (auto& layer : united.layers)
    {
        auto& statistics = layer.statistics;
        if (!statistics.density)
        {
            continue;
        }
        const auto fitted = FitUnionExponent(statistics, trace.statsWorkers);
        const auto exponent = unionExponent.value_or(std::min(1.0, fitted.value_or(1.0)));
        statistics.density = UnionDensity(*statistics.density, gpus, exponent);
        if (statistics.unionDensity && trace.statsWorkers)
        {
            statistics.unionDensity =
                UnionDensity(*statistics.density, *trace.statsWorkers, exponent);
        }
        statistics.blockDensity.reset();
        statistics.unionBlockDensity.reset();
    }
    return united;
}

} // namespace inca
