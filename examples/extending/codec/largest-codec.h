/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_LARGEST_CODEC_H
#define INCA_CODEC_LARGEST_CODEC_H

#include "inca/codec/codec.h"

#include <memory>

namespace inca
{

/** Values that are coded together: the row's CodecEntry::group. */
constexpr std::size_t LARGEST_GROUP{8};

/**
 * For every eight values (or what is left) a byte that says which two of them are the largest in magnitude, the first in its
 * lowest bit; then these two as they are. The others become zeros. 9 bits per value.
 */
std::unique_ptr<Codec> MakeLargestCodec();

} // namespace inca

#endif // INCA_CODEC_LARGEST_CODEC_H
