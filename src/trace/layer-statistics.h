/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRACE_LAYER_STATISTICS_H
#define INCA_TRACE_LAYER_STATISTICS_H

#include "inca/trace/gradient-trace.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

/** Encoded widths of the INCEPTIONN codec, tag included: the four columns of a bound. (bits) */
constexpr std::array<unsigned, 4> g_publishedWidths{2, 10, 18, 34};

/** Shares that stand in a file with few digits add up to 1 within this. */
constexpr double g_shareTolerance = 0.005;

/** @return the column of one published share: `b10_w2` for bound 10 and the first of the widths 2, 10, 18, 34 */
std::string WidthColumnName(unsigned bound, std::size_t widthIndex);

/**
 * Share of positions where at least one of several workers has a non-zero value: 1 - (1 - d)^(W^a).
 * @param density d, 0..1, of one worker
 * @param workers W, at least 1
 * @param unionExponent a: 1 = independent positions, 0 = the same positions
 */
double UnionDensity(double density, std::uint32_t workers, double unionExponent);

/**
 * The `a` with which UnionDensity(d, stats_workers, a) is the layer's published union density.
 * @return empty where the statistics do not determine it: a value is missing, or d or the union is
 * 0 or 1. Above 1 where workers avoid each other's positions.
 */
std::optional<double> FitUnionExponent(const LayerStatistics& statistics,
                                       std::optional<std::uint32_t> statsWorkers);

/** @return what contradicts itself in a layer's statistics, as column and text; {} = nothing */
std::vector<std::pair<std::string, std::string>> StatisticsComplaints(
    const LayerStatistics& statistics, std::optional<std::uint32_t> statsWorkers);

/** @return share of non-zero values: the density, else what the histogram has above exponent 0 */
std::optional<double> NonZeroShare(const LayerStatistics& statistics);

/**
 * The same layer with another share of non-zero values, whose sizes are distributed as before: of
 * the histogram and of each bound's widths, what is not zero is scaled by one factor, and zeros (exponent
 * 0, 2 bits) get the rest. Small values that share a zero's exponent or width are scaled too.
 * What the layer had before is its NonZeroShare, else 1. Shares add up to exactly 1 afterwards; the
 * union's density is cleared, because nothing says how it changes.
 * @param density above 0 to 1
 * @throws InputError if @p density is outside
 */
LayerStatistics WithDensity(const LayerStatistics& statistics, double density);

/**
 * The same layer when only its largest values are kept: what is removed comes from the lowest
 * exponents and the smallest widths upward and becomes zeros (exponent 0, 2 bits). The union's
 * density is cleared.
 * @param density share of all values that is kept, above 0 to 1. If the layer has no more non-zero
 *        values than that, it is returned as it is, but always with a density: its NonZeroShare,
 *        else 1.
 * @throws InputError if @p density is outside
 */
LayerStatistics Sparsified(const LayerStatistics& statistics, double density);

/**
 * WithDensity of every layer. Workers' positions are independent afterwards (`a` = 1 of
 * UnionDensity), unless the user of the trace gives a union exponent.
 */
GradientTrace WithDensity(GradientTrace trace, double density);

/**
 * Sparsified of every layer. Layers that lose values have independent positions afterwards, as
 * after WithDensity; others keep their union_density.
 */
GradientTrace Sparsified(GradientTrace trace, double density);

/**
 * The trace of a worker that adds up the gradients of several GPUs, from the trace of one: each
 * layer's NonZeroShare d becomes a density of 1 - (1 - d)^(g^a), and its union density keeps the
 * same `a`, so that W such workers have the density of W g GPUs. What is not zero is distributed as
 * one GPU's values are (WithDensity). Layers of which d is unknown are left alone.
 * @param gpus g, at least 1
 * @param unionExponent `a`, 0..1; else each layer's by its union_density, at most 1; else 1
 */
GradientTrace OverGpus(GradientTrace trace,
                       std::uint32_t gpus,
                       std::optional<double> unionExponent);

/**
 * How many positions of the model are non-zero, by the trace's statistics: 1 - (1 - d)^(W^a) of
 * each layer, with the same `a` as random values (trace/value-source.h).
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

#endif // INCA_TRACE_LAYER_STATISTICS_H
