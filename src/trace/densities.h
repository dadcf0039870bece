/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRACE_DENSITIES_H
#define INCA_TRACE_DENSITIES_H

#include "trace/gradient-trace.h"
#include "trace/layer-offsets.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace inca
{

/**
 * How many positions of the model are non-zero, by the trace's statistics: 1 - (1 - d)^(W^a) of
 * each layer, with the same `a` as drawn values (trace/value-source.h).
 */
class Densities
{
  public:
    /**
     * @param unionExponent `a`, 0..1; else each layer's by its union_density, at most 1; else 1
     * @throws InputError naming the first layer that has neither a density nor a histogram
     */
    Densities(const GradientTrace& trace, std::optional<double> unionExponent);

    /**
     * Share of positions where at least one of @p workers has a non-zero value; the layers that
     * the range touches count by their elements in it.
     * @param begin first element, numbered over the whole model
     * @param count elements, all of which must exist; 0 gives 0
     * @param workers at least 1; 1 = a worker's own density
     */
    double Of(std::uint64_t begin, std::uint64_t count, std::uint32_t workers) const;

  private:
    struct Layer
    {
        double density;
        double unionExponent;
    };

    LayerOffsets m_offsets;
    std::vector<Layer> m_layers;
};

} // namespace inca

#endif // INCA_TRACE_DENSITIES_H
