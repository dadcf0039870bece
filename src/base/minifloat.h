/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_MINIFLOAT_H
#define INCA_BASE_MINIFLOAT_H

#include "inca/base/round-bits.h"
#include "inca/base/word.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

namespace inca
{

/**
 * A float of at most 8 bits: sign, exponent and mantissa from the top bit down, in the low bits of a code. With an
 * exponent field of 0 it is subnormal: mantissa / 2^mantissaBits * 2^(1 - bias), zero included. Codes grow with the
 * magnitude.
 */
struct MiniFloat
{
    const char* name; ///< as scenarios and papers have it
    std::uint32_t exponentBits;
    std::uint32_t mantissaBits;
    std::uint32_t bias;
    std::uint32_t largest;  ///< the code of the largest finite value
    std::uint32_t infinity; ///< positive infinity's code, or largest where there is none
    std::uint32_t nan;      ///< what a NaN becomes, beside its sign; largest where there is none
    bool hasMinusZero;      ///< else -0 becomes +0, and its code is the only NaN

    constexpr std::uint32_t SignBit() const
    {
        return 1U << (exponentBits + mantissaBits);
    }

    /**
     * @return @p value's code, rounded to nearest, ties to even. Finite values beyond the largest become the largest,
     * and so does an infinity where there is none. No branch: a loop over it becomes one of vectors.
     */
    [[gnu::always_inline]] std::uint8_t Encode(float value) const
    {
        const auto bits = BitsOf(value);
        const auto magnitude = bits & 0x7FFFFFFFU;
        const auto rebias = (127U - bias) << 23U;
        const auto isSmall = Below(magnitude, rebias + (1U << 23U));
        // Added to a subnormal, this rounds it to steps: one is the last place of what it adds to.
        const auto shift = rebias + ((24U - mantissaBits) << 23U);
        const auto small = BitsOf(FloatOf(magnitude & isSmall) + FloatOf(shift)) - shift;
        const auto normal = RoundShift(magnitude - rebias, 23U - mantissaBits);
        const auto finite = std::min(Choose(isSmall, small, normal), largest);
        const auto number = Choose(Below(magnitude, g_infinity), finite, infinity);
        const auto code = Choose(Below(g_infinity, magnitude), nan, number);
        const auto keepsSign = (0U - std::uint32_t{hasMinusZero}) | Below(0, code);
        const auto sign = (bits >> 31U) << (exponentBits + mantissaBits);
        return static_cast<std::uint8_t>(code | (sign & keepsSign));
    }

    /** @return exactly what @p code stands for */
    float Decode(std::uint8_t code) const
    {
        const auto magnitude = code & (SignBit() - 1);
        // The same fields, as fp32's, are this number but for the bias.
        const auto finite =
            FloatOf(magnitude << (23U - mantissaBits)) * FloatOf((254U - bias) << 23U);
        const auto number = magnitude > largest ? FloatOf(g_infinity) : finite;
        const bool isNan = magnitude > infinity || (!hasMinusZero && code == SignBit());
        const auto value = isNan ? std::numeric_limits<float>::quiet_NaN() : number;
        return (code & SignBit()) != 0 ? -value : value;
    }

    /** Decode() of every code, for loops; those of fewer than 8 bits come again and again. */
    std::array<float, 256> Values() const
    {
        std::array<float, 256> values{};
        for (std::size_t code = 0; code < values.size(); ++code)
        {
            values[code] = Decode(static_cast<std::uint8_t>(code));
        }
        return values;
    }

  private:
    static constexpr std::uint32_t g_infinity = 0x7F800000; ///< fp32's
};

/** OCP's 8-bit formats, and that of MI300 ("FNUZ"). @{ */
inline constexpr MiniFloat E4M3{"e4m3", 4, 3, 7, 0x7E, 0x7E, 0x7F, true};
inline constexpr MiniFloat E4M3_FNUZ{"e4m3fnuz", 4, 3, 8, 0x7F, 0x7F, 0x80, false};
inline constexpr MiniFloat E5M2{"e5m2", 5, 2, 15, 0x7B, 0x7C, 0x7F, true};
/** @} */
/** OCP's formats of 6 and 4 bits, which have neither infinities nor NaN. @{ */
inline constexpr MiniFloat E3M2{"e3m2", 3, 2, 3, 0x1F, 0x1F, 0x1F, true};
inline constexpr MiniFloat E2M3{"e2m3", 2, 3, 1, 0x1F, 0x1F, 0x1F, true};
inline constexpr MiniFloat E2M1{"e2m1", 2, 1, 1, 0x7, 0x7, 0x7, true};
/** @} */

} // namespace inca

#endif // INCA_BASE_MINIFLOAT_H
