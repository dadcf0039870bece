/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/block-scale.h"

#include "base/errors.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <string>

namespace inca
{

namespace
{

constexpr std::int32_t g_largestSum = std::numeric_limits<std::int32_t>::max();

/**
 * Exponents beyond this change nothing: below, every fp32 value but 0 is clamped and restored as 0;
 * above, every one becomes 0.
 */
constexpr int g_farExponent = 200;

/** 2^@p exponent or 2^-@p exponent stays a normal number of fp64. */
int
Near(std::int16_t exponent)
{
    return std::clamp<int>(exponent, -g_farExponent, g_farExponent);
}

double
Limit(Rank workers)
{
    if (workers == 0 || workers > static_cast<Rank>(g_largestSum))
    {
        throw InvariantError("no block scale for " + std::to_string(workers) + " workers");
    }
    return g_largestSum / static_cast<std::int32_t>(workers); // rounded down
}

/** @return @p value within +-@p limit, 0 for NaN; counts in @p misfits if it is another */
double
Fit(double value, double limit, std::uint64_t& misfits)
{
    if (std::isnan(value))
    {
        ++misfits;
        return 0;
    }
    misfits += std::fabs(value) > limit ? 1 : 0;
    return std::clamp(value, -limit, limit);
}

} // namespace

std::int16_t
ExponentOf(const float* values, std::uint64_t count)
{
    float largest = 0;
    for (std::uint64_t i = 0; i < count; ++i)
    {
        const auto magnitude = std::fabs(values[i]);
        largest = std::isfinite(magnitude) ? std::max(largest, magnitude) : largest;
    }
    if (largest == 0)
    {
        return NO_EXPONENT;
    }
    int exponent = 0;
    const auto fraction = std::frexp(largest, &exponent); // 0.5 <= fraction < 1
    const bool isPower = fraction == 0.5F;
    return static_cast<std::int16_t>(isPower ? exponent - 1 : exponent);
}

BlockScale::BlockScale(Rank workers)
    : m_limit(Limit(workers))
{
}

std::uint64_t
BlockScale::Quantise(const float* values,
                     std::uint64_t count,
                     std::int16_t exponent,
                     std::vector<std::uint8_t>& out) const
{
    const auto scale = std::ldexp(m_limit, -Near(exponent));
    const auto limit = exponent == NO_EXPONENT ? 0.0 : m_limit;
    auto at = out.size();
    out.resize(at + count * sizeof(std::int32_t));
    std::uint64_t misfits = 0;
    for (std::uint64_t i = 0; i < count; ++i)
    {
        const auto scaled = Fit(static_cast<double>(values[i]) * scale, limit, misfits);
        const auto integer = static_cast<std::int32_t>(std::nearbyint(scaled));
        std::memcpy(out.data() + at, &integer, sizeof(integer));
        at += sizeof(integer);
    }
    return misfits;
}

void
BlockScale::Restore(const std::uint8_t* sums,
                    std::uint64_t count,
                    std::int16_t exponent,
                    float* out) const
{
    const auto unit = std::ldexp(1.0, Near(exponent));
    for (std::uint64_t i = 0; i < count; ++i)
    {
        std::int32_t sum = 0;
        std::memcpy(&sum, sums + i * sizeof(sum), sizeof(sum));
        out[i] = static_cast<float>(sum / m_limit * unit);
    }
}

} // namespace inca
