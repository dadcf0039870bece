/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_CAST_CODEC_H
#define INCA_CODEC_CAST_CODEC_H

#include "codec/codec.h"

#include <cstdint>
#include <memory>
#include <string>

namespace inca
{

/**
 * fp32 to a 16-bit float and back, as IEEE 754 rounds to nearest, ties to even. Beyond the largest
 * finite value it overflows to infinity: from 65520 on in fp16, where half a step above 65504
 * begins. fp16's subnormals are kept, down to 2^-24. A NaN stays a NaN with its sign: it becomes
 * quiet and keeps the top bits of its payload (9 in fp16, 6 in bf16), as hardware does.
 * Widening is exact.
 * @{
 */
std::uint16_t ToBf16(float value);
float FromBf16(std::uint16_t bits);
std::uint16_t ToFp16(float value);
float FromFp16(std::uint16_t bits);
/** @} */

/**
 * Each value as 2 bytes, little-endian bf16 or fp16. Streams of parts, joined, are the stream of
 * the whole; decoding refuses a stream of another size.
 *
 * @param castTo "bf16" or "fp16"
 * @param sum "fp32": sums stay as they are; "wire": RoundSum rounds them to the 16-bit type, as
 *        where a collective library adds in the type that travels
 * @throws InputError at any other word
 */
std::unique_ptr<Codec> MakeCastCodec(const std::string& castTo, const std::string& sum);

} // namespace inca

#endif // INCA_CODEC_CAST_CODEC_H
