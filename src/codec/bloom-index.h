/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_BLOOM_INDEX_H
#define INCA_CODEC_BLOOM_INDEX_H

#include "codec/homomorphic-shape.h"

#include <cstddef>
#include <cstdint>

namespace inca
{

/**
 * An index of the values that are not 0 as a Bloom filter of m bits, m = values * bits per value
 * rounded up to whole bytes: smaller than a bitmap where few values are set. All workers' filters
 * have the same size and are aggregated by or.
 *
 * Value i sets bits floor(g_j * m / 2^32) for j = 0 .. hashes - 1, g_j = h_3(i) + j * (h_4(i) | 1)
 * modulo 2^32, h_s = MurmurHash3 of i with seed s (the sketch has seeds 0 to 2); bit b is bit b mod 8
 * of byte b / 8. A value of which all bits are set is taken for marked. No marked value is missed; one
 * that is not may be found. That adds to the sketch's load, and so to the work of decoding and
 * to what is left, but its sum is 0 and decodes to 0 (over fp32: to what rounding left there).
 */
class BloomIndex
{
  public:
    /**
     * @param values below 2^32
     * @throws InputError if a setting is out of its range
     */
    BloomIndex(const BloomSettings& settings, std::uint64_t values);

    std::uint64_t Bytes() const
    {
        return m_bits / 8;
    }

    /** Adds the marks of all values to @p filter, of Bytes(). */
    void Mark(const float* values, std::uint8_t* filter) const;

    /** Writes a bit per value, as bitmap-index.h has them, set where @p filter finds a mark. */
    void Find(const std::uint8_t* filter, std::uint8_t* bits) const;

  private:
    bool Has(const std::uint8_t* filter, std::uint32_t value) const;

    unsigned m_hashes;
    std::uint64_t m_values;
    std::uint64_t m_bits;
};

/**
 * Expected share of the unmarked values that are found all the same: (1 - e^(-k d / b))^k.
 * @param density d: share of the values that are marked, 0..1
 * @throws InputError if a setting is out of its range
 */
double BloomFalsePositives(const BloomSettings& settings, double density);

} // namespace inca

#endif // INCA_CODEC_BLOOM_INDEX_H
