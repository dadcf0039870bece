/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_ROUND_BITS_H
#define INCA_BASE_ROUND_BITS_H

#include <cstdint>

namespace inca
{

/** All ones if @p left is below @p right, else zeros; both without a sign bit: no comparison becomes a branch. */
[[gnu::always_inline]] inline std::uint32_t
Below(std::uint32_t left, std::uint32_t right)
{
    return 0U - ((left - right) >> 31U);
}

[[gnu::always_inline]] inline std::uint32_t
Choose(std::uint32_t mask, std::uint32_t ones, std::uint32_t zeros)
{
    return (ones & mask) | (zeros & ~mask);
}

/** @p bits / 2^@p shift, rounded to nearest, ties to even; shift is 1..24 */
[[gnu::always_inline]] inline std::uint32_t
RoundShift(std::uint32_t bits, std::uint32_t shift)
{
    const auto half = 1U << (shift - 1);
    const auto odd = (bits >> shift) & 1U;
    return (bits + (half - 1) + odd) >> shift;
}

} // namespace inca

#endif // INCA_BASE_ROUND_BITS_H
