/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_BLOCK_LAYOUT_H
#define INCA_CODEC_BLOCK_LAYOUT_H

#include "codec/block-format.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace inca
{

/** What a message becomes, before it is a stream. */
struct BlockCodes
{
    std::vector<std::uint8_t> codes;   ///< one of each value, zeros that fill it up included
    std::vector<std::uint32_t> scales; ///< of each group, as stored
    float scale{0}; ///< of ScaleRule::TWO_LEVELS: the message's largest magnitude
};

/** Of a message of @p count values in a format whose group is a number. @{ */
std::size_t PaddedValues(const BlockFormat& format, std::size_t count);
std::size_t GroupCount(const BlockFormat& format, std::size_t count);
std::uint64_t BlockBytes(const BlockFormat& format, std::size_t count); ///< of its stream
/** @} */

/** Appends the stream of @p coded. */
void WriteBlocks(const BlockFormat& format,
                 const BlockCodes& coded,
                 std::vector<std::uint8_t>& stream);

/** @param stream of BlockBytes @throws InputError if bits that fill up a byte are set */
BlockCodes ReadBlocks(const BlockFormat& format, const std::uint8_t* stream, std::size_t count);

/** Of each 64 values (whole ones, in place): puts the 32 of even places before those of odd places, and back. @{ */
void SplitParities(float* values, std::size_t count);
void JoinParities(float* values, std::size_t count);
/** @} */

} // namespace inca

#endif // INCA_CODEC_BLOCK_LAYOUT_H
