/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_PEELING_MEASUREMENT_H
#define INCA_CODEC_PEELING_MEASUREMENT_H

#include <array>
#include <cstddef>
#include <cstdint>

namespace inca
{

/** How buckets decode on average; what a bucket holds but for the places of its marks does not matter. */
struct PeelingFigures
{
    double leftShare;    ///< of the marked values, those that cannot be peeled; 0 if none is marked
    double decodedLanes; ///< share of the lanes that are peeled completely
    double laneRounds;   ///< of a lane, with the last, which finds nothing
    double bucketRounds; ///< the most of a bucket's 1024 lanes
};

/** Buckets whose values are marked independently of each other. */
struct PeelingExperiment
{
    std::uint32_t rows;        ///< G, at least 1
    std::uint32_t counterRows; ///< R, at least 1
    double density;            ///< of the union over the workers, 0..1
    std::uint32_t buckets;     ///< so many are decoded, at least 1
    std::uint64_t seed;
};

/**
 * Draws the marks and peels, without values. Load = rows * density / counterRows is that of a lane on
 * average; single lanes differ, as they do in gradients.
 * @throws InputError if the experiment is out of its range; Interrupted
 */
PeelingFigures MeasurePeeling(const PeelingExperiment& experiment);

/** The loads (marked values per lane / R) of the table, ascending from 0. */
inline constexpr std::array PEELING_LOADS{0.,   0.1,  0.2,  0.3,  0.4,  0.5,  0.6,
                                          0.65, 0.7,  0.72, 0.74, 0.76, 0.78, 0.8,
                                          0.82, 0.85, 0.9,  1.,   1.5,  2.,   4.};

/** Rows of the table: R = 1, 2, 4 .. 8192. */
constexpr std::size_t PEELING_ROWS{14};

/** What is kept of PeelingFigures. */
struct PeelingCell
{
    double leftShare;
    double bucketRounds;
};

/**
 * Measured with MeasurePeeling, once, and kept: shares to 6 digits, rounds to 2. The test
 * `inca-test-codec --gtest_filter=*PeelingTable*` measures again (every load up to R = 128, every
 * fifth above) and prints what differs.
 * @param row of R = 2^row @param load its place in PEELING_LOADS
 */
PeelingCell PeelingTableCell(std::size_t row, std::size_t load);

/** What was measured for the cell of @p counterRows and @p load: rows = 10 R, at least 2^18 values. */
PeelingExperiment PeelingTableExperiment(std::uint32_t counterRows, double load);

} // namespace inca

#endif // INCA_CODEC_PEELING_MEASUREMENT_H
