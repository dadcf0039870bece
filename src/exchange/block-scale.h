/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_BLOCK_SCALE_H
#define INCA_EXCHANGE_BLOCK_SCALE_H

#include "exchange/slot-packet.h"
#include "exchange/step-plan.h"

#include <cstdint>
#include <vector>

namespace inca
{

/**
 * The smallest e with 2^e >= |x| for all finite values of a block, -149 .. 128, or NO_EXPONENT if
 * they are all 0.
 */
std::int16_t ExponentOf(const float* values, std::uint64_t count);

/**
 * Values as int32 such that the sum over all workers fits (SwitchML, section 3.7): with e the
 * largest exponent of a block over the workers, q = round(x * scale) to the nearest integer (ties
 * to even). SwitchML's scale, INT32_MAX / (workers * 2^e), is taken as floor(INT32_MAX / workers) /
 * 2^e, so that even 2^e itself rounds to no more than INT32_MAX / workers, and no sum can wrap.
 *
 * A value beyond 2^e is clamped to it; NaN becomes 0; with NO_EXPONENT all are 0. Of finite values
 * within 2^e, the error of a sum is at most workers / (2 * scale) * (1 + 2^-21), the last factor
 * for x * scale in fp64, and that of its rounding to fp32. It is infinite where the sum is beyond
 * fp32.
 */
class BlockScale
{
  public:
    /** @param workers 1 .. INT32_MAX */
    explicit BlockScale(Rank workers);

    /** Appends count x 4 little-endian bytes. @return values that were clamped or no numbers */
    std::uint64_t Quantise(const float* values,
                           std::uint64_t count,
                           std::int16_t exponent,
                           std::vector<std::uint8_t>& out) const;

    /** @param sums count x 4 little-endian bytes of int32 */
    void Restore(const std::uint8_t* sums,
                 std::uint64_t count,
                 std::int16_t exponent,
                 float* out) const;

  private:
    double m_limit; ///< the largest magnitude of one worker's integer
};

} // namespace inca

#endif // INCA_EXCHANGE_BLOCK_SCALE_H
