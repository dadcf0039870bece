/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_CAST_CODEC_H
#define INCA_CODEC_CAST_CODEC_H

#include "inca/codec/codec.h"

#include <memory>
#include <string>

namespace inca
{

/**
 * Each value as 2 bytes, little-endian bf16 or fp16 (base/half-float.h). Streams of parts, joined, are the stream of
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
