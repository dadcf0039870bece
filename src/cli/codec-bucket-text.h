/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_CODEC_BUCKET_TEXT_H
#define INCA_CLI_CODEC_BUCKET_TEXT_H

#include "codec/homomorphic-bucket.h"
#include "codec/homomorphic-shape.h"

#include <cstdint>
#include <string>

namespace inca
{

/*
 * What `inca codec` says of files that are one bucket each: what it prints is for people; what makes a
 * result uncertain is a warning on stderr. Densities are those that a decoder finds.
 */

/** What the stream is like, and how decoding it will go. */
void PrintShape(const HomomorphicSettings& settings, const HomomorphicShape& shape, double density);

/** Says beforehand that decoding will not be lossless. */
void WarnIfUnsafe(const HomomorphicSettings& settings,
                  const HomomorphicShape& shape,
                  double density);

/** Says afterwards that decoding was not lossless. */
void WarnOfEstimates(const PeelingReport& report, const HomomorphicShape& shape);

/** @return the share of the rows' values that are marked; 0 if there are no rows */
double ShareOfRows(std::uint64_t marked, const HomomorphicShape& shape);

/** @throws InputError that names the file unless it has as many bytes as a stream of @p bucket */
void CheckStream(const std::string& path, std::size_t bytes, const HomomorphicBucket& bucket);

} // namespace inca

#endif // INCA_CLI_CODEC_BUCKET_TEXT_H
