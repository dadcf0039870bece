/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/integer-scale.h"

#include "base/errors.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace inca
{

namespace
{

constexpr Word g_magnitude = 0x7FFFFFFF;
constexpr Word g_infinity = 0x7F800000;
constexpr std::int32_t g_largestSum = std::numeric_limits<std::int32_t>::max();

/**
 * Exponents beyond this change nothing, as 2^e stays a normal number of fp64: below, every fp32
 * value but 0 is clamped, and restored as 0; above, every one becomes 0.
 */
constexpr int g_farExponent = 200;

/**
 * 1.5 * 2^52: added to a double below 2^31 in magnitude, the sum's low 32 bits are that double
 * rounded to the nearest integer, ties to even, in two's complement.
 */
constexpr double g_roundingShift = 6755399441055744.0;

std::int32_t
Limit(std::uint32_t terms)
{
    if (terms == 0 || terms > static_cast<std::uint32_t>(g_largestSum))
    {
        throw InvariantError("no scale for sums of " + std::to_string(terms) + " integers");
    }
    return g_largestSum / static_cast<std::int32_t>(terms); // rounded down
}

Word
Rounded(double scaled)
{
    const auto shifted = scaled + g_roundingShift;
    std::uint64_t bits;
    std::memcpy(&bits, &shifted, sizeof bits);
    return static_cast<Word>(bits);
}

/** Of the values whose bits @p bitsAt(i) gives. */
template <typename BitsAt>
Word
LargestMagnitude(std::size_t count, const BitsAt& bitsAt)
{
    Word largest = 0;
    for (std::size_t i = 0; i < count; ++i)
    {
        const auto magnitude = bitsAt(i) & g_magnitude;
        largest = std::max(largest, magnitude < g_infinity ? magnitude : 0U);
    }
    return largest;
}

/** @param magnitude bits of a finite float without its sign */
std::int16_t
ExponentOf(Word magnitude)
{
    if (magnitude == 0)
    {
        return NO_EXPONENT;
    }
    int exponent = 0;
    const auto fraction = std::frexp(FloatOf(magnitude), &exponent); // 0.5 <= fraction < 1
    const bool isPower = fraction == 0.5F;
    return static_cast<std::int16_t>(isPower ? exponent - 1 : exponent);
}

/** Rounds what @p valueAt(i) gives. @param scale not 0, as an infinity times 0 would be a NaN */
template <typename ValueAt>
void
RoundAll(double scale, double limit, std::size_t count, const ValueAt& valueAt, Word* integers)
{
    for (std::size_t i = 0; i < count; ++i)
    {
        const float value = valueAt(i);
        const auto number = value == value ? value : 0.0F;
        const auto scaled = static_cast<double>(number) * scale;
        integers[i] = Rounded(std::max(-limit, std::min(scaled, limit)));
    }
}

} // namespace

std::int16_t
LargestExponent(const float* values, std::size_t count)
{
    return ExponentOf(
        LargestMagnitude(count, [values](std::size_t i) { return BitsOf(values[i]); }));
}

std::int16_t
LargestExponent(const Word* values, std::size_t count)
{
    return ExponentOf(LargestMagnitude(count, [values](std::size_t i) { return values[i]; }));
}

IntegerScale::IntegerScale(std::uint32_t terms, std::int16_t exponent)
    : m_limit(Limit(terms))
{
    if (exponent != NO_EXPONENT)
    {
        m_unit = std::ldexp(1.0, std::clamp<int>(exponent, -g_farExponent, g_farExponent));
        m_scale = m_limit / m_unit;
    }
}

void
IntegerScale::Round(const float* values, std::size_t count, Word* integers) const
{
    if (m_scale == 0)
    {
        std::fill_n(integers, count, 0U);
        return;
    }
    RoundAll(
        m_scale, m_limit, count, [values](std::size_t i) { return values[i]; }, integers);
}

void
IntegerScale::Round(Word* words, std::size_t count) const
{
    if (m_scale == 0)
    {
        std::fill_n(words, count, 0U);
        return;
    }
    RoundAll(
        m_scale, m_limit, count, [words](std::size_t i) { return FloatOf(words[i]); }, words);
}

std::uint64_t
IntegerScale::CountMisfits(const Word* values, std::size_t count) const
{
    std::uint64_t misfits = 0;
    for (std::size_t i = 0; i < count; ++i)
    {
        const auto magnitude = std::fabs(static_cast<double>(FloatOf(values[i])));
        misfits += magnitude <= m_unit ? 0 : 1; // NaN is not, either
    }
    return misfits;
}

void
IntegerScale::Restore(Word* words, std::size_t count) const
{
    for (std::size_t i = 0; i < count; ++i)
    {
        words[i] = BitsOf(Restore(static_cast<std::int32_t>(words[i])));
    }
}

} // namespace inca
