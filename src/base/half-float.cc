/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/half-float.h"

#include "base/round-bits.h"
#include "base/vector-clones.h"
#include "base/word.h"

namespace inca
{

namespace
{

constexpr std::uint32_t g_signBit = 0x80000000;
constexpr std::uint32_t g_floatInfinity = 0x7F800000;

constexpr std::uint32_t g_bf16Shift = 16; ///< mantissa bits that bf16 lacks
constexpr std::uint32_t g_bf16QuietBit = 0x0040;

constexpr std::uint32_t g_fp16Shift = 13; ///< mantissa bits that fp16 lacks
constexpr std::uint32_t g_fp16SignBit = 0x8000;
constexpr std::uint32_t g_fp16Infinity = 0x7C00;
constexpr std::uint32_t g_fp16QuietBit = 0x0200;
constexpr std::uint32_t g_fp16MantissaMask = 0x03FF;
/** The two biases, 127 and 15, differ by 112. */
constexpr std::uint32_t g_rebias = 112U << 23U;
constexpr std::uint32_t g_fp16Overflow = 0x477FF000; ///< 65520 as fp32
constexpr std::uint32_t g_fp16Smallest = 0x38800000; ///< 2^-14, its smallest normal value
/** 2^-24, what the last place of an fp16 subnormal weighs. */
constexpr float g_fp16Step = 1.0F / 16777216.0F;
/** Added to an fp16 subnormal, rounds it to such steps: one is the last place of values from 0.5 on. */
constexpr float g_stepShift = 0.5F;

[[gnu::always_inline]] inline std::uint16_t
Bf16Of(std::uint32_t bits)
{
    const auto isNan = Below(g_floatInfinity, bits & ~g_signBit);
    // A carry out of the mantissa raises the exponent, and out of the largest value gives infinity.
    const auto rounded = RoundShift(bits & ~isNan, g_bf16Shift);
    return static_cast<std::uint16_t>(
        Choose(isNan, (bits >> g_bf16Shift) | g_bf16QuietBit, rounded));
}

[[gnu::always_inline]] inline std::uint32_t
BitsOfBf16(std::uint16_t bits)
{
    return std::uint32_t{bits} << g_bf16Shift;
}

[[gnu::always_inline]] inline std::uint16_t
Fp16Of(std::uint32_t bits)
{
    const auto magnitude = bits & ~g_signBit;
    const auto isSmall = Below(magnitude, g_fp16Smallest);
    const auto small =
        BitsOf(FloatOf(magnitude & isSmall) + g_stepShift) - BitsOf(g_stepShift); // in steps
    const auto normal = RoundShift(magnitude - g_rebias, g_fp16Shift);
    const auto finite = Choose(isSmall, small, normal);
    const auto number = Choose(Below(magnitude, g_fp16Overflow), finite, g_fp16Infinity);
    const auto nan =
        g_fp16Infinity | g_fp16QuietBit | ((magnitude >> g_fp16Shift) & g_fp16MantissaMask);
    const auto sign = (bits & g_signBit) >> 16U;
    return static_cast<std::uint16_t>(sign |
                                      Choose(Below(g_floatInfinity, magnitude), nan, number));
}

[[gnu::always_inline]] inline std::uint32_t
BitsOfFp16(std::uint16_t bits)
{
    const auto sign = (bits & g_fp16SignBit) << 16U;
    const auto magnitude = bits & ~g_fp16SignBit;
    const auto isSmall = Below(magnitude, g_fp16MantissaMask + 1);
    const auto small =
        BitsOf(static_cast<float>(static_cast<std::int32_t>(magnitude)) * g_fp16Step);
    const auto isNotFinite = Below(g_fp16Infinity - 1, magnitude);
    const auto normal = (magnitude << g_fp16Shift) + g_rebias + (g_rebias & isNotFinite);
    return sign | Choose(isSmall, small, normal);
}

/** What BitsOfFp16 makes of Fp16Of, in one go. */
[[gnu::always_inline]] inline std::uint32_t
RoundedToFp16(std::uint32_t bits)
{
    const auto magnitude = bits & ~g_signBit;
    const auto isSmall = Below(magnitude, g_fp16Smallest);
    const auto small = BitsOf(FloatOf(magnitude & isSmall) + g_stepShift - g_stepShift);
    const auto normal = RoundShift(magnitude, g_fp16Shift) << g_fp16Shift;
    const auto finite = Choose(isSmall, small, normal);
    const auto number = Choose(Below(magnitude, g_fp16Overflow), finite, g_floatInfinity);
    const auto nan = g_floatInfinity | (g_fp16QuietBit << g_fp16Shift) |
                     (magnitude & (g_fp16MantissaMask << g_fp16Shift));
    return (bits & g_signBit) | Choose(Below(g_floatInfinity, magnitude), nan, number);
}

} // namespace

std::uint16_t
ToBf16(float value)
{
    return Bf16Of(BitsOf(value));
}

float
FromBf16(std::uint16_t bits)
{
    return FloatOf(BitsOfBf16(bits));
}

std::uint16_t
ToFp16(float value)
{
    return Fp16Of(BitsOf(value));
}

float
FromFp16(std::uint16_t bits)
{
    return FloatOf(BitsOfFp16(bits));
}

INCA_VECTOR_CLONES void
ToBf16(const float* values, std::size_t count, std::uint16_t* bits)
{
    for (std::size_t i = 0; i < count; ++i)
    {
        bits[i] = Bf16Of(BitsOf(values[i]));
    }
}

INCA_VECTOR_CLONES void
FromBf16(const std::uint16_t* bits, std::size_t count, float* values)
{
    for (std::size_t i = 0; i < count; ++i)
    {
        values[i] = FloatOf(BitsOfBf16(bits[i]));
    }
}

INCA_VECTOR_CLONES void
ToFp16(const float* values, std::size_t count, std::uint16_t* bits)
{
    for (std::size_t i = 0; i < count; ++i)
    {
        bits[i] = Fp16Of(BitsOf(values[i]));
    }
}

INCA_VECTOR_CLONES void
FromFp16(const std::uint16_t* bits, std::size_t count, float* values)
{
    for (std::size_t i = 0; i < count; ++i)
    {
        values[i] = FloatOf(BitsOfFp16(bits[i]));
    }
}

INCA_VECTOR_CLONES void
RoundToBf16(float* values, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
    {
        values[i] = FloatOf(BitsOfBf16(Bf16Of(BitsOf(values[i]))));
    }
}

INCA_VECTOR_CLONES void
RoundToFp16(float* values, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
    {
        values[i] = FloatOf(RoundedToFp16(BitsOf(values[i])));
    }
}

} // namespace inca
