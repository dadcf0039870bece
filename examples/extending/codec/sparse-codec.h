/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_SPARSE_CODEC_H
#define INCA_CODEC_SPARSE_CODEC_H

#include "codec/codec.h"

#include <memory>

namespace inca
{

/** One bit per value, least significant first, says whether any of its bits is set; then those
 * values as they are. Lossless. MeanBits needs the density. */
std::unique_ptr<Codec> MakeSparseCodec();

} // namespace inca

#endif // INCA_CODEC_SPARSE_CODEC_H
