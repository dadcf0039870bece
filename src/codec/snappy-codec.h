/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_SNAPPY_CODEC_H
#define INCA_CODEC_SNAPPY_CODEC_H

#include "inca/codec/codec.h"

#include <memory>

namespace inca
{

/**
 * Snappy, a fast lossless compressor of bytes, through libsnappy: what INCEPTIONN's authors ran on hosts (Fig. 7). It finds
 * bytes that were there before; of gradients that is hardly anything but zeros.
 *
 * Stream: one Snappy block of the values' bytes, little-endian. An empty input is an empty stream. Another version of the
 * library may find other repetitions, and so have other sizes.
 *
 * No statistics tell a value's size. A message of 2^30 values (4 GiB) or more is refused: its length would not fit the format.
 */
std::unique_ptr<Codec> MakeSnappyCodec();

} // namespace inca

#endif // INCA_CODEC_SNAPPY_CODEC_H
