/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/densities.h"

#include "base/errors.h"
#include "trace/layer-statistics.h"

#include <algorithm>

namespace inca
{

Densities::Densities(const GradientTrace& trace, std::optional<double> unionExponent)
    : m_offsets(trace)
{
    for (const auto& layer : trace.layers)
    {
        const auto density = NonZeroShare(layer.statistics);
        if (!density)
        {
            throw InputError("trace '" + trace.name + "': layer '" + layer.name +
                             "' has no density; give training.density");
        }
        const auto fitted = FitUnionExponent(layer.statistics, trace.statsWorkers);
        m_layers.push_back({*density, unionExponent.value_or(std::min(1.0, fitted.value_or(1)))});
    }
}

double
Densities::Of(std::uint64_t begin, std::uint64_t count, std::uint32_t workers) const
{
    double mean = 0;
    m_offsets.ForEach(begin, count, [&](auto index, auto, auto length, auto) {
        const auto& [density, unionExponent] = m_layers[index];
        const double share = workers == 1 ? density : UnionDensity(density, workers, unionExponent);
        // A range within one layer has the layer's share to the last bit: its weight is 1.
        mean += share * (static_cast<double>(length) / static_cast<double>(count));
    });
    return mean;
}

} // namespace inca
