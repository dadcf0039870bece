/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_BITMAP_INDEX_H
#define INCA_CODEC_BITMAP_INDEX_H

#include "inca/codec/sketch.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

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

/** The size of a Bloom filter; its best number of hashes is 0.69 * bitsPerValue / union density. */
struct BloomSettings
{
    double bitsPerValue{0.5}; ///< of whole rows, set or not; above 0 and at most 1, a bitmap's size
    unsigned hashes{7};       ///< bits that a value sets; 1 to 16
};

/**
 * An index of the values that are not 0 as Bloom filters, smaller than a bitmap where few values are
 * set. Each row of 1024 values has a filter of its own, of m = 1024 * bits per value rounded up to
 * whole bytes; all workers' filters have the same size and are aggregated by or.
 *
 * The value in lane i of a row sets bits floor(h_s(i) * m / 2^32) of the row's filter, h_s = MurmurHash3
 * of i with seed s, for as many s as there are hashes, from 3 on (the sketch has 0 to 2); bit b is bit
 * b mod 8 of byte b / 8. A value of which all bits are set is taken for marked. No marked
 * value is missed; one that is not may be found. That adds to the sketch's load, and so to the
 * work of decoding and to what is left, but its sum is 0 and decodes to 0 (over fp32: to what rounding
 * left there).
 */
class BloomIndex
{
  public:
    /** @throws InputError if a setting is out of its range */
    explicit BloomIndex(const BloomSettings& settings);

    /** Adds the marks of @p rows rows of values to their filters. */
    void Mark(const float* values, std::uint32_t rows, std::uint8_t* filters) const;

    /**
     * Writes a bit per value of @p rows rows, as bitmap-index.h has them, set where a filter finds it.
     * @throws Interrupted
     */
    void Find(const std::uint8_t* filters, std::uint32_t rows, std::uint8_t* bits) const;

  private:
    using Probes = std::vector<std::array<std::uint16_t, g_sketchLanes>>;

    void FindRow(const std::uint8_t* filter, std::uint8_t* bits) const;

    std::size_t m_rowBytes;
    Probes m_probes; ///< per hash, of each lane
};

/**
 * The size of one row's filter. (bytes)
 * @throws InputError if a setting is out of its range
 */
std::uint32_t BloomRowBytes(const BloomSettings& settings);

/**
 * Expected share of the unmarked values that are found all the same: (1 - e^(-k n / m))^k for n
 * marked values of a row, averaged over the n of positions that are marked independently (in three
 * points: the mean, and sqrt(3) standard deviations to either side).
 * @param density share of the values that are marked, 0..1
 * @throws InputError if a setting is out of its range
 */
double BloomFalsePositives(const BloomSettings& settings, double density);

} // namespace inca

#endif // INCA_CODEC_BITMAP_INDEX_H
