/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_PEELING_TABLE_H
#define INCA_CODEC_PEELING_TABLE_H

#include "codec/peeling-measurement.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace inca
{

/** How buckets decode at one number of counter rows, from no load to far too much. */
struct PeelingTableRow
{
    std::uint32_t counterRows;
    std::vector<PeelingFigures> figures; ///< one per load
};

/** The loads (marked values per lane / R) of the table, ascending from 0. */
const std::vector<double>& PeelingTableLoads();

/**
 * Measured with MeasurePeeling, once, and kept: shares to 6 digits, rounds to 2. The test
 * `inca-test-codec --gtest_filter=*PeelingTable*` measures again (every load up to R = 128, every
 * fifth above) and prints what differs.
 * @return rows by ascending R: 1, 2, 4 .. 8192
 */
const std::vector<PeelingTableRow>& PeelingTable();

/** What was measured for the cell of @p counterRows and @p load: rows = 10 R, at least 2^18 values. */
PeelingExperiment PeelingTableExperiment(std::uint32_t counterRows, double load);

} // namespace inca

#endif // INCA_CODEC_PEELING_TABLE_H
