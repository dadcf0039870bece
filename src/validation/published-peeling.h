/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_PUBLISHED_PEELING_H
#define INCA_VALIDATION_PUBLISHED_PEELING_H

#include "codec/peeling-measurement.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** How buckets decoded in another implementation of arXiv 2402.07529 (class: measured). */
struct PublishedPeeling
{
    std::uint32_t rows;                 ///< G
    std::uint32_t counterRows;          ///< R
    double load;                        ///< set values per lane / R
    std::optional<double> decodedLanes; ///< share
    double leftShare;                   ///< of the set values, printed with one or two digits
    std::optional<double> meanRounds;   ///< of a lane
    std::optional<std::uint32_t> mostRounds;
};

const std::vector<PublishedPeeling>& PublishedPeelings();

/** One published row beside what INCA forecasts and what it measures on drawn positions. */
struct PeelingComparison
{
    PublishedPeeling published;
    PeelingFigures forecast;
    PeelingFigures measured; ///< means over the buckets; of bucketRounds, the most
    double fewestLeft;       ///< leftShare of the bucket with the fewest left
    double mostLeft;         ///< and of that with the most
    std::uint32_t buckets;
};

/**
 * Draws positions, each set with the same probability, and decodes 65,536 rows of them in buckets of the
 * row's size: a bucket's number is its seed.
 * @throws Interrupted
 */
PeelingComparison ComparePeeling(const PublishedPeeling& published);

/** Whether a row is judged, and how it did. */
enum class PeelingVerdict
{
    NOT_JUDGED, ///< at the threshold, load 0.8 and more, single buckets decide
    AGREES,
    DIFFERS,
};

/**
 * Agrees: the share left is within a factor of 2 of the published one, and the mean rounds, where
 * published, are within 2. Where 0 was published, at most 3 of 256 lanes may stop: the published shares
 * are multiples of 1/256, and of 256 lanes none is seen to stop in 1 of 20 cases at that rate.
 */
PeelingVerdict JudgePeeling(const PeelingComparison& comparison);

/** The table and what it says, for people. */
std::string PeelingText(const std::vector<PeelingComparison>& comparisons);

/** All figures of all rows, with a header. */
std::string PeelingCsv(const std::vector<PeelingComparison>& comparisons);

} // namespace inca

#endif // INCA_VALIDATION_PUBLISHED_PEELING_H
