/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_PEELING_MEASUREMENT_H
#define INCA_CODEC_PEELING_MEASUREMENT_H

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

} // namespace inca

#endif // INCA_CODEC_PEELING_MEASUREMENT_H
