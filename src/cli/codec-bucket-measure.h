/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_CODEC_BUCKET_MEASURE_H
#define INCA_CLI_CODEC_BUCKET_MEASURE_H

#include "cli/codec-options.h"
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
};

/** Encodes, decodes and compares; takes the values' size and the stream's in memory. */
BucketMeasurement MeasureBucket(const HomomorphicSettings& settings,
                                const float* values,
                                std::size_t count);

/**
 * Prints a table of options.in with the settings asked for, or with each index if none was asked for,
 * and writes it to options.csv if that is named.
 */
void MeasureBucketFile(const CodecOptions& options);

} // namespace inca

#endif // INCA_CLI_CODEC_BUCKET_MEASURE_H
