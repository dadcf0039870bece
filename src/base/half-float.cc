/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/half-float.h"

#include "base/word.h"

namespace inca
{

namespace
{

constexpr std::uint32_t g_signBit = 0x80000000;
constexpr std::uint32_t g_infinity = 0x7F800000;
constexpr std::uint32_t g_hiddenBit = 0x00800000;
constexpr std::uint32_t g_mantissaMask = g_hiddenBit - 1;

constexpr std::uint32_t g_bf16Shift = 16; ///< mantissa bits that bf16 lacks
constexpr std::uint32_t g_bf16QuietBit = 0x0040;

constexpr std::uint32_t g_fp16Shift = 13; ///< mantissa bits that fp16 lacks
constexpr std::uint32_t g_fp16SignBit = 0x8000;
constexpr std::uint32_t g_fp16Infinity = 0x7C00;
constexpr std::uint32_t g_fp16QuietBit = 0x0200;
constexpr std::uint32_t g_fp16MantissaMask = 0x03FF;
/** The two biases, 127 and 15, differ by 112. */
constexpr std::uint32_t g_rebias = 112U << 23U;
constexpr std::uint32_t g_fp16Overflow = 0x477FF000;  ///< 65520 as fp32
constexpr std::uint32_t g_fp16Smallest = 0x38800000;  ///< 2^-14, its smallest normal value
constexpr std::uint32_t g_fp16Vanishing = 0x33000000; ///< 2^-25: at most half of 2^-24
/** An fp32 mantissa of exponent e counts 2^(e - 150), fp16's subnormals count 2^-24. */
constexpr std::uint32_t g_fp16SubnormalShift = 126;
/** 2^-24, what the last place of an fp16 subnormal weighs. */
constexpr float g_fp16Step = 1.0F / 16777216.0F;

/** @p bits / 2^@p shift, rounded to nearest, ties to even; shift is 1..24 */
std::uint32_t
RoundShift(std::uint32_t bits, std::uint32_t shift)
{
    const auto half = 1U << (shift - 1);
    const auto odd = (bits >> shift) & 1U;
    return (bits + (half - 1) + odd) >> shift;
}

std::uint32_t
RoundToFp16(std::uint32_t magnitude)
{
    if (magnitude > g_infinity)
    {
        return g_fp16Infinity | g_fp16QuietBit | ((magnitude >> g_fp16Shift) & g_fp16MantissaMask);
    }
    if (magnitude >= g_fp16Overflow)
    {
        return g_fp16Infinity;
    }
    if (magnitude >= g_fp16Smallest)
    {
        return RoundShift(magnitude - g_rebias, g_fp16Shift);
    }
    if (magnitude <= g_fp16Vanishing)
    {
        return 0;
    }
    const auto mantissa = (magnitude & g_mantissaMask) | g_hiddenBit;
    return RoundShift(mantissa, g_fp16SubnormalShift - (magnitude >> 23U));
}

} // namespace

std::uint16_t
ToBf16(float value)
{
    const auto bits = BitsOf(value);
    if ((bits & ~g_signBit) > g_infinity)
    {
        return static_cast<std::uint16_t>((bits >> g_bf16Shift) | g_bf16QuietBit);
    }
    // A carry out of the mantissa raises the exponent, and out of the largest value gives infinity.
    return static_cast<std::uint16_t>(RoundShift(bits, g_bf16Shift));
}

float
FromBf16(std::uint16_t bits)
{
    return FloatOf(std::uint32_t{bits} << g_bf16Shift);
}

std::uint16_t
ToFp16(float value)
{
    const auto bits = BitsOf(value);
    const auto sign = (bits & g_signBit) >> 16U;
    return static_cast<std::uint16_t>(sign | RoundToFp16(bits & ~g_signBit));
}

float
FromFp16(std::uint16_t bits)
{
    const auto sign = (bits & g_fp16SignBit) << 16U;
    const auto magnitude = bits & ~g_fp16SignBit;
    if (magnitude >= g_fp16Infinity)
    {
        return FloatOf(sign | g_infinity | ((magnitude & g_fp16MantissaMask) << g_fp16Shift));
    }
    if (magnitude <= g_fp16MantissaMask)
    {
        return FloatOf(sign | BitsOf(static_cast<float>(magnitude) * g_fp16Step));
    }
    return FloatOf(sign | ((magnitude << g_fp16Shift) + g_rebias));
}

} // namespace inca
