/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_HOMOMORPHIC_SCALE_H
#define INCA_CODEC_HOMOMORPHIC_SCALE_H

#include <cstddef>
#include <cstdint>
#include <optional>

namespace inca
{

/** @return the smallest e with 2^e >= |x| for all finite values, empty if they are all 0 */
std::optional<int> LargestExponent(const float* values, std::size_t count);

/**
 * A bucket's values as int32 such that the sum over all workers fits: with e the largest exponent
 * over the workers, q = round(x * scale) to the nearest integer (ties to even). The scale INT32_MAX /
 * (workers * 2^e) is taken as floor(INT32_MAX / workers) / 2^e, so that not even 2^e itself can make
 * a sum wrap. What is beyond 2^e is clamped to it, NaN becomes 0.
 *
 * Values are rounded before they are sketched, as rounded counters would not peel; so whatever a
 * switch adds, modulo 2^32, the decoded sum is the sum of the q to the bit. Of finite values within
 * 2^e, its distance from the sum of the x is at most workers / (2 * scale) * (1 + 2^-21), the last
 * factor for x * scale in fp64.
 */
class HomomorphicScale
{
  public:
    /**
     * @param exponent LargestExponent over all workers; empty: every value is 0
     * @throws InputError unless 1 <= workers <= INT32_MAX and -149 <= exponent <= 128
     */
    HomomorphicScale(std::uint32_t workers, std::optional<int> exponent);

    /** Rounds @p count values. */
    void Round(const float* values, std::size_t count, std::uint32_t* rounded) const;

    /** @return @p sum / scale as fp32 */
    float Restore(std::int32_t sum) const;

    /** Integers per unit; 0 if every value is 0. */
    double Scale() const
    {
        return m_scale;
    }

  private:
    double m_limit;   ///< magnitude of the integer of 2^e
    double m_unit{0}; ///< 2^e
    double m_scale{0};
};

} // namespace inca

#endif // INCA_CODEC_HOMOMORPHIC_SCALE_H
