/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_PEELING_FORECAST_H
#define INCA_CODEC_PEELING_FORECAST_H

#include "inca/codec/homomorphic-shape.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

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

/**
 * A ratio is safe if at most this share of a bucket's marked values is expected to be estimated. At
 * large R that is a load of about 0.78 (peeling ends at 0.818, where a random 3-uniform hypergraph
 * gets a 2-core); small R has pairs of rows with the same three counters, about
 * 6 load / R^2 of the marked values at any load, and is not safe below some 60 counter rows.
 */
constexpr double g_safeLeftShare = 0.001;

/** What decoding a bucket will be like, without its values. */
struct PeelingForecast
{
    double load; ///< values found marked per lane / R; 0 where there are no rows
    PeelingCell figures;
};

/**
 * Interpolates the measured table (peeling-table.h; independent positions, R up to 8192, and a load up
 * to 4: beyond, the last stands for all): straight between loads and between the logarithms of R.
 */
PeelingCell ForecastPeeling(std::uint32_t counterRows, double load);

/** @return the density that a decoder finds: that of the union, and a Bloom filter's false positives */
double FoundDensity(const HomomorphicSettings& settings, double density);

/**
 * @param density as a decoder finds it, 0..1
 * @throws InputError if it is out of its range
 */
PeelingForecast ForecastFound(const HomomorphicShape& shape, double density);

/**
 * @param count values of the bucket
 * @param density of the union over the workers, 0..1
 * @throws InputError as ShapeOf does, or if the density is out of its range
 */
PeelingForecast ForecastBucket(const HomomorphicSettings& settings,
                               std::uint64_t count,
                               double density);

/**
 * The largest ratio at which at most @p mostLeft of the marked values is expected to be left.
 * @param rows G, whole rows of the bucket
 * @param density as a decoder finds it, 0..1
 * @return G / R; at most G (R = 1), and empty if not even R = 2 G is enough, or there are no rows
 */
std::optional<double> LargestSafeRatio(std::uint32_t rows,
                                       double density,
                                       double mostLeft = g_safeLeftShare);

/** The same rounded up to six digits after the point: as a text it means the same number of counter rows. */
std::optional<double> RoundedSafeRatio(std::uint32_t rows, double density);

/**
 * What coding a bucket moves through the memory of the device that does it, and how often its host has
 * to look whether decoding goes on: a time follows with the memory's bandwidth and the host's
 * answer. Derived from what each kernel must read and write at the least, not measured (class:
 * assumed): 4 bytes per value to mark; 4 per value and 24 per marked value to sketch (three counters
 * read and written); in each round of peeling 4 per value, and 28 per value peeled (the same counters
 * and the value). The tail costs nothing.
 */
struct HomomorphicTraffic
{
    double indexBytes{0};
    double sketchBytes{0};
    double peelBytes{0}; ///< of all rounds
    double rounds{0};    ///< expected, with the last, which finds nothing
};

/**
 * @param density of one worker's values, 0..1
 * @param unionDensity of the union over the workers, no less
 * @throws InputError as ShapeOf does, or if a density is out of its range
 */
HomomorphicTraffic TrafficOf(const HomomorphicSettings& settings,
                             std::uint64_t count,
                             double density,
                             double unionDensity);

} // namespace inca

#endif // INCA_CODEC_PEELING_FORECAST_H
