/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/homomorphic-scale.h"

#include "base/errors.h"
#include "codec/little-endian.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

namespace inca
{

namespace
{

constexpr std::uint32_t g_magnitude = 0x7FFFFFFF;
constexpr std::uint32_t g_infinity = 0x7F800000;
constexpr std::int32_t g_largestInt = std::numeric_limits<std::int32_t>::max();
constexpr int g_smallestExponent = -149; ///< of the smallest denormal
constexpr int g_largestExponent = 128;   ///< above the largest fp32

/**
 * 1.5 * 2^52: added to a double below 2^31 in magnitude, the sum's low 32 bits are that double
 * rounded to the nearest integer, ties to even, in two's complement.
 */
constexpr double g_roundingShift = 6755399441055744.0;

std::uint32_t
Rounded(double scaled)
{
    const auto shifted = scaled + g_roundingShift;
    std::uint64_t bits;
    std::memcpy(&bits, &shifted, sizeof bits);
    return static_cast<std::uint32_t>(bits);
}

} // namespace

std::optional<int>
LargestExponent(const float* values, std::size_t count)
{
    std::uint32_t largest = 0;
    for (std::size_t i = 0; i < count; ++i)
    {
        const auto magnitude = BitsOf(values[i]) & g_magnitude;
        largest = std::max(largest, magnitude < g_infinity ? magnitude : 0U);
    }
    if (largest == 0)
    {
        return std::nullopt;
    }
    int exponent = 0;
    const auto fraction = std::frexp(FloatOf(largest), &exponent);
    return fraction == 0.5F ? exponent - 1 : exponent;
}

HomomorphicScale::HomomorphicScale(std::uint32_t workers, std::optional<int> exponent)
{
    if (workers < 1 || workers > static_cast<std::uint32_t>(g_largestInt))
    {
        throw InputError("homomorphic: workers must be 1 to " + std::to_string(g_largestInt) +
                         ", not " + std::to_string(workers));
    }
    const auto limit = g_largestInt / static_cast<std::int32_t>(workers); // rounded down
    m_limit = limit;
    if (!exponent)
    {
        return;
    }
    if (*exponent < g_smallestExponent || *exponent > g_largestExponent)
    {
        throw InputError("homomorphic: the exponent of a bucket must be -149 to 128, got " +
                         std::to_string(*exponent));
    }
    m_unit = std::ldexp(1.0, *exponent);
    m_scale = m_limit / m_unit;
}

void
HomomorphicScale::Round(const float* values, std::size_t count, std::uint32_t* rounded) const
{
    if (m_scale == 0) // an infinity times 0 would be a NaN
    {
        std::fill_n(rounded, count, 0U);
        return;
    }
    for (std::size_t i = 0; i < count; ++i)
    {
        const auto number = values[i] == values[i] ? values[i] : 0.0F;
        const auto scaled = static_cast<double>(number) * m_scale;
        rounded[i] = Rounded(std::max(-m_limit, std::min(scaled, m_limit)));
    }
}

float
HomomorphicScale::Restore(std::int32_t sum) const
{
    return static_cast<float>(sum / m_limit * m_unit);
}

} // namespace inca
