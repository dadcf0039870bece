/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_CODEC_BUCKET_H
#define INCA_CLI_CODEC_BUCKET_H

#include "cli/codec-options.h"
#include "codec/homomorphic-shape.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace inca
{

/*
 * Homomorphic compression of whole files: each is one bucket. What they print is for people; what makes
 * a result uncertain is a warning on stderr.
 */

/** Share of the values of whole rows that are not 0; 0 if there is no whole row. */
double DensityOf(const float* values, std::size_t count);

/**
 * The settings that were asked for; a safe ratio is the largest for @p density, with six digits after
 * the point, so that its text, which a decoder is given, means the same number of counter rows.
 * @throws InputError if no ratio is safe
 */
HomomorphicSettings ChosenSettings(const CodecOptions& options, std::size_t count, double density);

/** "; at this density a ratio is safe ... up to 7.81 ..."; @p density as a decoder finds it */
std::string SafeRatioText(std::uint32_t rows, double density);

/** Encodes options.in; warns if the values, or the given union, are too dense for the ratio. */
void EncodeBucketFile(const CodecOptions& options);

/** Decodes options.in; warns if values had to be estimated. */
void DecodeBucketFile(const CodecOptions& options);

/**
 * Adds streams of the same shape without decoding them.
 * @throws InputError if their sizes differ from the settings', or an index of 4 bits overflows
 */
void AddBucketFiles(const CodecOptions& options);

} // namespace inca

#endif // INCA_CLI_CODEC_BUCKET_H
