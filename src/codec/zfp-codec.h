/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_ZFP_CODEC_H
#define INCA_CODEC_ZFP_CODEC_H

#include "inca/codec/codec.h"

#include <memory>

namespace inca
{

/**
 * zfp, a lossy compressor of floating-point numbers, through libzfp in its mode of fixed accuracy: each value that is less than
 * 2^(24 - B) differs by at most 2^-B from what comes back. (A block has one exponent and 32 bits, so beside larger values
 * less is kept.) It stands for SZ, the other compressor with a bound that INCEPTIONN's authors ran on hosts (Fig. 7).
 *
 * Stream: a little-endian 32-bit number of values that zfp does not take, infinities and NaNs; each such value's index and its
 * bits, 32 bits each, indexes ascending; then zfp's blocks of 4 values in one dimension, without a header, where those are
 * zeros, and so are values behind the last. zfp fills the last of its words. An empty input is an empty stream. Decoding
 * again what was encoded again may lose more.
 *
 * No statistics tell a value's size.
 *
 * @param bound the B of 2^-B, 1..15
 * @throws InputError at any other bound
 */
std::unique_ptr<Codec> MakeZfpCodec(unsigned bound);

} // namespace inca

#endif // INCA_CODEC_ZFP_CODEC_H
