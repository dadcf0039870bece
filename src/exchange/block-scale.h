/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_BLOCK_SCALE_H
#define INCA_EXCHANGE_BLOCK_SCALE_H

#include "exchange/program.h"
#include "exchange/slot-packet.h"

#include <cstdint>
#include <vector>

namespace inca
{

/**
 * The smallest e with 2^e >= |x| for all finite values of a block, or NO_EXPONENT if they are all 0.
 */
std::int16_t ExponentOf(const float* values, std::uint64_t count);

/**
 * Values as int32 such that the sum over all workers fits (SwitchML, section 3.7): with e the
 * largest exponent of a block over the workers, q = round(x * scale), scale = INT32_MAX / (workers *
 * 2^e), to the nearest integer (ties to even), and no larger than floor(INT32_MAX / workers) in
 * magnitude, so that no sum can wrap. Beyond that it is clamped; NaN becomes 0. With NO_EXPONENT
 * all are 0. The error of a sum is at most workers / (2 * scale), and that of its rounding to fp32.
 */
class BlockScale
{
  public:
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
    Rank m_workers;
};

} // namespace inca

#endif // INCA_EXCHANGE_BLOCK_SCALE_H
