/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/integer-scale.h"

#include "base/errors.h"
#include "base/row-loop.h"
#include "base/vector-clones.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
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

constexpr std::size_t g_row = 64; ///< values of a loop of fixed length
constexpr std::size_t g_lanes = 16;

/** Bits of magnitudes, of each place of a row modulo g_lanes, as integers of which none is negative. */
using Largest = std::array<std::int32_t, g_lanes>;

/**
 * All ones if @p magnitude, a float's bits without its sign, is at most @p most, which has none, either, else zeros.
 */
[[gnu::always_inline]] inline Word
AtMost(Word magnitude, Word most)
{
    return ((most - magnitude) >> 31U) - 1U; // no comparison, which may become a branch
}

INCA_VECTOR_CLONES void
SeeMagnitudes(const Word* values, Largest& largest)
{
    auto seen = largest; // which no pointer points to
    for (std::size_t i = 0; i < g_row; i += g_lanes)
    {
        for (std::size_t lane = 0; lane < g_lanes; ++lane)
        {
            const auto bits = values[i + lane] & g_magnitude;
            const auto finite = static_cast<std::int32_t>(bits & AtMost(bits, g_infinity - 1));
            seen[lane] = seen[lane] < finite ? finite : seen[lane];
        }
    }
    largest = seen;
}

Word
LargestMagnitude(const Word* values, std::size_t count)
{
    Largest largest{};
    SeeRows<g_row>(values, count, [&largest](const Word* row) { SeeMagnitudes(row, largest); });
    return static_cast<Word>(*std::max_element(largest.begin(), largest.end()));
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
RoundRow(double scale, double limit, Word* words)
{
    std::array<double, g_row> shifted;
    for (std::size_t i = 0; i < g_row; ++i)
    {
        const auto number = FloatOf(words[i] & AtMost(words[i] & g_magnitude, g_infinity));
        const auto scaled = static_cast<double>(number) * scale;
        const auto below = scaled < limit ? scaled : limit;
        shifted[i] = (below < -limit ? -limit : below) + g_roundingShift;
    }
    std::array<std::uint64_t, g_row> bits;
    std::memcpy(bits.data(), shifted.data(), sizeof bits);
    for (std::size_t i = 0; i < g_row; ++i)
    {
        words[i] = static_cast<Word>(bits[i]);
    }
}

INCA_VECTOR_CLONES void
RestoreRow(double limit, double unit, const std::int32_t* sums, float* values)
{
    for (std::size_t i = 0; i < g_row; ++i)
    {
        values[i] = static_cast<float>(sums[i] / limit * unit);
    }
}

INCA_VECTOR_CLONES void
RestoreRow(double limit, double unit, Word* words)
{
    for (std::size_t i = 0; i < g_row; ++i)
    {
        const auto sum = static_cast<std::int32_t>(words[i]);
        words[i] = BitsOf(static_cast<float>(sum / limit * unit));
    }
}

/** The bits of the largest magnitude of an fp32 value that is at most @p unit, a power of 2 or 0. */
Word
LargestWithin(double unit)
{
    using Limits = std::numeric_limits<float>;
    const auto most = std::min<double>(unit, Limits::max());
    return most < Limits::denorm_min() ? 0 : BitsOf(static_cast<float>(most));
}

/** @param most bits of the largest magnitude that is none; a NaN's are above those of all numbers */
INCA_VECTOR_CLONES void
CountRow(const Word* values, Word most, std::array<Word, g_lanes>& misfits)
{
    auto counts = misfits; // which no pointer points to
    for (std::size_t i = 0; i < g_row; i += g_lanes)
    {
        for (std::size_t lane = 0; lane < g_lanes; ++lane)
        {
            counts[lane] += 1U + AtMost(values[i + lane] & g_magnitude, most);
        }
    }
    misfits = counts;
}

} // namespace

std::int16_t
LargestExponent(const float* values, std::size_t count)
{
    Largest largest{};
    SeeRows<g_row>(values, count, [&largest](const float* row) {
        std::array<Word, g_row> words;
        CopyBits(row, g_row, words.data());
        SeeMagnitudes(words.data(), largest);
    });
    return ExponentOf(static_cast<Word>(*std::max_element(largest.begin(), largest.end())));
}

std::int16_t
LargestExponent(const Word* values, std::size_t count)
{
    return ExponentOf(LargestMagnitude(values, count));
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
    ChangeRows<g_row>(words, count, [this](Word* row) { RoundRow(m_scale, m_limit, row); });
}

std::uint64_t
IntegerScale::CountMisfits(const Word* values, std::size_t count) const
{
    std::array<Word, g_lanes> misfits{};
    SeeRows<g_row>(values, count, [&misfits, most = LargestWithin(m_unit)](const Word* row) {
        CountRow(row, most, misfits);
    });
    return std::accumulate(misfits.begin(), misfits.end(), std::uint64_t{0});
}

void
IntegerScale::Restore(const std::int32_t* sums, std::size_t count, float* values) const
{
    MapRows<g_row>(sums, count, values, [this](const std::int32_t* from, float* to) {
        RestoreRow(m_limit, m_unit, from, to);
    });
}

void
IntegerScale::Restore(Word* words, std::size_t count) const
{
    ChangeRows<g_row>(words, count, [this](Word* row) { RestoreRow(m_limit, m_unit, row); });
}

} // namespace inca
