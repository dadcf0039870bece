/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_HOMOMORPHIC_CODEC_H
#define INCA_CODEC_HOMOMORPHIC_CODEC_H

#include "codec/codec.h"
#include "codec/homomorphic-shape.h"

#include <memory>

namespace inca
{

/**
 * One worker's fp32 values as a stream of homomorphic-bucket.h, and back; all values of a call are one
 * bucket. It is lossless only while the sketch decodes, and over fp32 but for rounding, so it does
 * not call itself so. MeanBits is the index's size and 32 / ratio, as of a bucket of many rows.
 *
 * @throws InputError if a setting is out of its range; Encode, if there are 2^32 values or more
 */
std::unique_ptr<Codec> MakeHomomorphicCodec(const HomomorphicSettings& settings);

} // namespace inca

#endif // INCA_CODEC_HOMOMORPHIC_CODEC_H
