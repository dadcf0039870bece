/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/integer-scale.h"

#include "base/errors.h"
#include "base/vector-clones.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

namespace inca
{

namespace
{

constexpr Word g_magnitude = 0x7FFFFFFF;
constexpr Word g_infinity = 0x7F800000;

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
Limit(std::uint32_t terms, std::int32_t largestSum)
{
    if (terms == 0 || terms > static_cast<std::uint32_t>(largestSum))
    {
        throw InvariantError("no scale for sums of " + std::to_string(terms) + " integers");
    }
    return largestSum / static_cast<std::int32_t>(terms); // rounded down
}

/**
 * All ones if @p magnitude, a float's bits without its sign, is at most @p most, which has none, either, else zeros.
 */
[[gnu::always_inline]] inline Word
AtMost(Word magnitude, Word most)
{
    return ((most - magnitude) >> 31U) - 1U; // no comparison, which may become a branch
}

/** The largest finite magnitude's bits. @param bitsOf of a value */
template <class Value, class BitsOfValue>
[[gnu::always_inline]] inline std::int32_t
LargestMagnitude(const Value* values, std::size_t count, BitsOfValue bitsOf)
{
    std::int32_t largest = 0; // no magnitude's bits are negative
    for (std::size_t i = 0; i < count; ++i)
    {
        const Word bits = bitsOf(values[i]) & g_magnitude;
        const auto finite = static_cast<std::int32_t>(bits & AtMost(bits, g_infinity - 1));
        largest = largest < finite ? finite : largest;
    }
    return largest;
}

INCA_VECTOR_CLONES std::int32_t
LargestMagnitude(const float* values, std::size_t count)
{
    return LargestMagnitude(values, count, [](float value) { return BitsOf(value); });
}

INCA_VECTOR_CLONES std::int32_t
LargestMagnitude(const Word* values, std::size_t count)
{
    return LargestMagnitude(values, count, [](Word value) { return value; });
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

/** @param scale not 0, as an infinity times 0 would be a NaN */
INCA_VECTOR_CLONES void
RoundAll(double scale, double limit, Word* words, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
    {
        const auto number = FloatOf(words[i] & AtMost(words[i] & g_magnitude, g_infinity));
        const auto scaled = static_cast<double>(number) * scale;
        const auto below = scaled < limit ? scaled : limit;
        const auto shifted = (below < -limit ? -limit : below) + g_roundingShift;
        std::uint64_t bits = 0;
        std::memcpy(&bits, &shifted, sizeof bits);
        words[i] = static_cast<Word>(bits);
    }
}

INCA_VECTOR_CLONES void
RestoreAll(double limit, double unit, const std::int32_t* sums, std::size_t count, float* values)
{
    for (std::size_t i = 0; i < count; ++i)
    {
        values[i] = static_cast<float>(sums[i] / limit * unit);
    }
}

INCA_VECTOR_CLONES void
RestoreAll(double limit, double unit, Word* words, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
    {
        const auto sum = static_cast<std::int32_t>(words[i]);
        words[i] = BitsOf(static_cast<float>(sum / limit * unit));
    }
}

} // namespace

std::int16_t
LargestExponent(const float* values, std::size_t count)
{
    return ExponentOf(static_cast<Word>(LargestMagnitude(values, count)));
}

std::int16_t
LargestExponent(const Word* values, std::size_t count)
{
    return ExponentOf(static_cast<Word>(LargestMagnitude(values, count)));
}

INCA_VECTOR_CLONES std::uint64_t
CountBeyond(const Word* values, std::size_t count, float largest)
{
    const auto most = BitsOf(largest); // a NaN's magnitude is above those of all numbers
    std::uint64_t beyond = 0;
    for (std::size_t i = 0; i < count; ++i)
    {
        beyond += 1U + AtMost(values[i] & g_magnitude, most);
    }
    return beyond;
}

IntegerScale::IntegerScale(std::uint32_t terms, std::int16_t exponent, std::int32_t largestSum)
    : m_limit(Limit(terms, largestSum))
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
    CopyBits(values, count, integers);
    Round(integers, count);
}

void
IntegerScale::Round(Word* words, std::size_t count) const
{
    if (m_scale == 0)
    {
        std::fill_n(words, count, 0U);
        return;
    }
    RoundAll(m_scale, m_limit, words, count);
}

float
IntegerScale::Largest() const
{
    using Limits = std::numeric_limits<float>;
    const auto most = std::min<double>(m_unit, Limits::max());
    return most < Limits::denorm_min() ? 0 : static_cast<float>(most);
}

void
IntegerScale::Restore(const std::int32_t* sums, std::size_t count, float* values) const
{
    RestoreAll(m_limit, m_unit, sums, count, values);
}

void
IntegerScale::Restore(Word* words, std::size_t count) const
{
    RestoreAll(m_limit, m_unit, words, count);
}

} // namespace inca
