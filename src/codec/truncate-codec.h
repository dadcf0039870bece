/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_TRUNCATE_CODEC_H
#define INCA_CODEC_TRUNCATE_CODEC_H

#include "inca/codec/codec.h"

#include <memory>

namespace inca
{

/**
 * The top 32 - D bits of each value, packed least significant bit first, the last byte padded with
 * zeros; dropped bits come back as zeros. Ratios 2, 3.2 and 4 (INCEPTIONN, section VIII).
 *
 * D = 16 and 22 cut the mantissa to 7 and 1 bits: no value grows, and a normal one loses less than
 * 2^-7 or 2^-1 of itself. D = 24 also cuts the exponent's last bit: a value may come back as little
 * as a quarter of itself, and those below 2^-125 as zero. Nothing is special to the bits: with
 * D = 16 and 22 infinities stay, and a NaN stays one unless its payload is in the dropped bits
 * only, which leaves an infinity; with D = 24 both come back as 2^127 with their sign.
 *
 * Streams of parts of a multiple of 8 values, joined, are the stream of the whole. Decoding
 * refuses a stream of another size, and padding that is not zero.
 *
 * @param dropBits 16, 22 or 24
 * @throws InputError at any other number
 */
std::unique_ptr<Codec> MakeTruncateCodec(unsigned dropBits);

/** Values as they are: 4 bytes each, little-endian fp32. Lossless, NaN payloads included. */
std::unique_ptr<Codec> MakeNullCodec();

} // namespace inca

#endif // INCA_CODEC_TRUNCATE_CODEC_H
