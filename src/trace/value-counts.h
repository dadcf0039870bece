/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRACE_VALUE_COUNTS_H
#define INCA_TRACE_VALUE_COUNTS_H

#include "inca/trace/gradient-trace.h"
#include "inca/trace/value-source.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace inca
{

/** What is counted in the gradients of several workers, of a layer or of several together. */
struct ValueCounts
{
    std::uint32_t workers{0};
    std::uint64_t elements{0};                  ///< of one worker
    std::uint64_t nonZero{0};                   ///< of all workers
    std::uint64_t unionNonZero{0};              ///< positions where at least one worker is not zero
    std::array<std::uint64_t, 256> exponents{}; ///< values by biased fp32 exponent, of all workers

    /** Adds another layer of as many workers. */
    void Add(const ValueCounts& other);

    /** @return the share of @p count in the values of all workers */
    double ShareOfValues(std::uint64_t count) const;
};

/**
 * Counts every layer of @p trace, of which only names and elements matter.
 * @param paths of each worker's file, which stand in complaints
 * @throws InputError if a value is infinite or NaN; Interrupted
 */
std::vector<ValueCounts> CountValues(const ValueSource& values,
                                     const GradientTrace& trace,
                                     const std::vector<std::string>& paths);

/**
 * The statistics that a trace holds, shares with six significant digits: densities, those of the union
 * if there are several workers, and the histogram of exponents, from which encoded widths follow.
 */
LayerStatistics StatisticsOf(const ValueCounts& counts);

/** A file's tensors as layers without times. @throws InputError if it cannot be read, or one has no values */
GradientTrace LayersOfFile(const std::string& path);

} // namespace inca

#endif // INCA_TRACE_VALUE_COUNTS_H
