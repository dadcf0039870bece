/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_BLOCK_CODEC_H
#define INCA_CODEC_BLOCK_CODEC_H

#include "inca/codec/block-format.h"
#include "inca/codec/codec.h"

#include <cstdint>
#include <memory>

namespace inca
{

/** What a block codec is told beside its format. */
struct BlockSettings
{
    std::uint64_t rowValues{4096}; ///< of formats whose groups are rows; at least 1
    bool isStochastic{
        false};            ///< up or down by chance, such that the mean is right; else to nearest
    std::uint64_t seed{1}; ///< of that chance
};

/**
 * Values in groups that share a scale (BlockFormat); a message's last group may be shorter, and a rotation applies to
 * each R values in turn: fast Walsh-Hadamard butterflies in fp32, of neighbours first, with entries of +-1 to encode, and
 * once more, divided by R, to decode. Scaled values are rounded to nearest, ties to even, and clamped to the element's range.
 * All divisions are rounded correctly, where a GPU's own reciprocal may be off by one unit, and a code with it.
 *
 * A group with an infinity or a NaN has NaN as its scale, which it decodes to; its codes are NaN, or 0 where the
 * element has none. In rule TWO_LEVELS, a NaN so spoils a message, whose own scale becomes NaN.
 *
 * Chance is a function of the seed and of the values: each 1,024 of them, scaled, are hashed, and the hash is the key of a
 * sequence of uniform numbers (base/random.h). A value goes up if its number is below the share that is cut off.
 *
 * QuickReduce's stream is made of atoms of 2,048 values. Of each 64 neighbours even ones share a scale, and odd ones. An
 * atom has its codes, then 64 scales by neighbourhood, even ones first. int8: of 8 values bytes 0 2 1 3 4 6 5 7. int4: of
 * 8 values a 32-bit word, value 2i in bits 4i, value 2i + 1 in bits 16 + 4i. int6: the low 4 bits of all like that, then the
 * high 2 bits of all in order. Values become fp16 first; what overflows fp16 becomes its largest. An infinity or a NaN
 * decodes to NaN, with its group.
 *
 * Sources: OCP Microscaling Formats 1.0; NVIDIA's NVFP4 recipe; QuickReduce, torchft, LoongForge, DeepSpeed (ZeRO++) and
 * SDP4Bit as released (docs/formats.md).
 */
std::unique_ptr<Codec> MakeBlockCodec(const BlockFormat& format, const BlockSettings& settings);

} // namespace inca

#endif // INCA_CODEC_BLOCK_CODEC_H
