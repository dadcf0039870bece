/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_BITMAP_INDEX_H
#define INCA_CODEC_BITMAP_INDEX_H

#include <cstddef>
#include <cstdint>

namespace inca
{

/** Workers whose 4-bit marks can be added before one wraps. */
constexpr std::uint32_t g_mostNibbleWorkers = 15;

/**
 * Marks of the values that are not 0: -0.0 is not marked, a NaN is. One bit per value, the first
 * value in the least significant bit, aggregated by or; or four bits per value, value 2i in the
 * low nibble of byte i, aggregated by addition, where an aggregator cannot do else.
 * @param count values, a multiple of 32
 * @{
 */
void MarkBits(const float* values, std::size_t count, std::uint8_t* bits);
void MarkNibbles(const float* values, std::size_t count, std::uint8_t* nibbles);
/** @} */

/** Combines @p bytes of another worker's bits into @p sum. */
void OrBits(const std::uint8_t* bits, std::size_t bytes, std::uint8_t* sum);

/**
 * Adds @p bytes of other workers' nibbles to @p sum.
 * @throws InputError if a nibble gets above 15; @p sum is then of no use
 */
void AddNibbles(const std::uint8_t* nibbles, std::size_t bytes, std::uint8_t* sum);

/** @return how many of @p count bits, a multiple of 64, are set */
std::uint64_t CountBits(const std::uint8_t* bits, std::size_t count);

/** Bits of @p count values, a multiple of 8, set where their nibble is not 0. */
void BitsOfNibbles(const std::uint8_t* nibbles, std::size_t count, std::uint8_t* bits);

} // namespace inca

#endif // INCA_CODEC_BITMAP_INDEX_H
