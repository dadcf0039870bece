/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_BUCKET_MEASUREMENT_H
#define INCA_CODEC_BUCKET_MEASUREMENT_H

#include "codec/homomorphic-shape.h"
#include "codec/peeling-decoder.h"
#include "codec/peeling-forecast.h"

#include <cstddef>
#include <cstdint>

namespace inca
{

/** What homomorphic compression makes of values that are one bucket. */
struct BucketMeasurement
{
    double density; ///< share of the rows' values that are not 0
    double load;    ///< as the decoder found it
    PeelingForecast forecast;
    PeelingReport report;
    std::uint64_t bytes; ///< of the stream
    std::uint64_t nonFinite;
    double largestError; ///< over the finite values; infinite if one came back as no number
    double rmsError;     ///< in units of the finite values' root mean square; 0 if they are all 0

    /** Of the marked values, those that were estimated; 0 if none is marked. */
    double LeftShare() const;

    double DecodedLanesShare() const;

    /** Of a lane, with the last, which finds nothing. */
    double MeanRounds() const;
};

/** Share of the values of whole rows that are not 0; 0 if there is no whole row. */
double DensityOf(const float* values, std::size_t count);

/** Encodes, decodes and compares; takes the values' size and the stream's in memory. */
BucketMeasurement MeasureBucket(const HomomorphicSettings& settings,
                                const float* values,
                                std::size_t count);

} // namespace inca

#endif // INCA_CODEC_BUCKET_MEASUREMENT_H
