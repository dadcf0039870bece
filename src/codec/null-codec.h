/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_NULL_CODEC_H
#define INCA_CODEC_NULL_CODEC_H

#include "codec/codec.h"

#include <memory>

namespace inca
{

/** Values as they are: 4 bytes each, little-endian fp32. Lossless, NaN payloads included. */
std::unique_ptr<Codec> MakeNullCodec();

} // namespace inca

#endif // INCA_CODEC_NULL_CODEC_H
