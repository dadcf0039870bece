/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_SPARSE_CODEC_H
#define INCA_CODEC_SPARSE_CODEC_H

#include "inca/codec/codec.h"

#include <memory>

namespace inca
{

/**
 * For every eight values (or what is left) a byte that says which of them have any bit set, the first
 * in its lowest bit; then those values as they are. Lossless. MeanBits needs the density.
 */
std::unique_ptr<Codec> MakeSparseCodec();

} // namespace inca

#endif // INCA_CODEC_SPARSE_CODEC_H
