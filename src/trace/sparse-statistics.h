/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRACE_SPARSE_STATISTICS_H
#define INCA_TRACE_SPARSE_STATISTICS_H

#include "trace/gradient-trace.h"

#include <optional>

namespace inca
{

/** @return share of non-zero values: the density, else what the histogram has above exponent 0 */
std::optional<double> NonZeroShare(const LayerStatistics& statistics);

/**
 * The same layer with another share of non-zero values, whose sizes are distributed as before: of
 * the histogram and of each bound's widths, what is not zero is scaled alike, and zeros (exponent
 * 0, 2 bits) get the rest. Small values that share a zero's exponent or width are scaled too.
 * What the layer had before is its NonZeroShare, else 1. Shares add up to exactly 1 afterwards; the
 * densities of unions and blocks are cleared, because nothing says how they change.
 * @param density above 0 to 1
 * @throws InputError if @p density is outside
 */
LayerStatistics WithDensity(const LayerStatistics& statistics, double density);

/**
 * The same layer when only its largest values are kept: what is removed comes from the lowest
 * exponents and the smallest widths upward and becomes zeros (exponent 0, 2 bits). The densities
 * of unions and blocks are cleared.
 * @param density share of all values that is kept, above 0 to 1. If the layer has no more non-zero
 *        values than that, it is returned as it is, but always with a density: its NonZeroShare,
 *        else 1.
 * @throws InputError if @p density is outside
 */
LayerStatistics Sparsified(const LayerStatistics& statistics, double density);

/**
 * WithDensity of every layer. Workers' positions are independent afterwards (`a` = 1 of
 * UnionDensity), unless whoever uses the trace gives a union exponent of his own.
 */
GradientTrace WithDensity(const GradientTrace& trace, double density);

/**
 * Sparsified of every layer. Layers that lose values have independent positions afterwards, as
 * after WithDensity; others keep their union_density.
 */
GradientTrace Sparsified(const GradientTrace& trace, double density);

} // namespace inca

#endif // INCA_TRACE_SPARSE_STATISTICS_H
