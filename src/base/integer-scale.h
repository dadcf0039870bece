/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_INTEGER_SCALE_H
#define INCA_BASE_INTEGER_SCALE_H

#include "inca/base/word.h"

#include <cstddef>
#include <cstdint>
#include <limits>

namespace inca
{

/** The exponent of values that are all 0, and of a message that tells none. */
constexpr std::int16_t NO_EXPONENT{std::numeric_limits<std::int16_t>::min()};

/**
 * The smallest e with 2^e >= |x| for all finite values, -149 .. 128; NO_EXPONENT if all are 0. Of
 * floats, or of words that are floats.
 * @{
 */
std::int16_t LargestExponent(const float* values, std::size_t count);
std::int16_t LargestExponent(const Word* values, std::size_t count);
/** @} */

/** @return how many magnitudes are above @p largest, at least 0, or are those of no numbers */
std::uint64_t CountBeyond(const Word* values, std::size_t count, float largest);

/**
 * Values as integers of which so many terms can be added that no sum wraps (SwitchML, section 3.7):
 * with e the largest exponent of the values on all workers, q = round(x * scale) to the nearest
 * integer, ties to even. SwitchML's scale, INT32_MAX / (terms * 2^e), is taken as
 * floor(INT32_MAX / terms) / 2^e, so that even 2^e itself becomes no more than INT32_MAX / terms. Integers of fewer
 * bits have a smaller maximum.
 *
 * A value beyond 2^e is clamped to it; NaN becomes 0; with NO_EXPONENT all are 0. Of finite values
 * within 2^e, the error of a sum is at most terms / (2 * scale) * (1 + 2^-21), the last factor for
 * x * scale in fp64, and that of its rounding to fp32. It is infinite where the sum is beyond fp32.
 */
class IntegerScale
{
  public:
    /**
     * @param terms of a sum, 1 .. @p largestSum: workers, times the values that one of them adds up
     * @param exponent LargestExponent over all workers, or any that holds for all values
     * @param largestSum that the integers' type holds
     */
    IntegerScale(std::uint32_t terms,
                 std::int16_t exponent,
                 std::int32_t largestSum = std::numeric_limits<std::int32_t>::max());

    void Round(const float* values, std::size_t count, Word* integers) const;

    /** In place, of words that are floats. */
    void Round(Word* words, std::size_t count) const;

    /** The largest magnitude of an fp32 value that is not beyond 2^e (CountBeyond). */
    float Largest() const;

    /** @return sum / scale as fp32 */
    float Restore(std::int32_t sum) const
    {
        return static_cast<float>(sum / m_limit * m_unit);
    }

    /** Of many. */
    void Restore(const std::int32_t* sums, std::size_t count, float* values) const;

    /** In place, of words that are sums of integers. */
    void Restore(Word* words, std::size_t count) const;

    /** Integers per unit; 0 if every value is 0. */
    double Scale() const
    {
        return m_scale;
    }

  private:
    double m_limit;   ///< the integer of 2^e
    double m_unit{0}; ///< 2^e
    double m_scale{0};
};

} // namespace inca

#endif // INCA_BASE_INTEGER_SCALE_H
