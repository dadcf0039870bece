/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/inceptionn-widths.h"

#include "base/errors.h"
#include "base/word.h"

#include <algorithm>
#include <string>

namespace inca
{

namespace
{

constexpr unsigned g_exponentOfOne = 127; ///< biased
constexpr unsigned g_mantissaBits = 23;
constexpr std::uint32_t g_magnitudeMask = 0x7FFFFFFF;

constexpr std::size_t g_longBlock = 256;
constexpr std::size_t g_shortBlock = 8;

/** As WidthLimits, for whole magnitudes; signed, because SSE2 compares no unsigned integers. */
struct MagnitudeLimits
{
    std::int32_t oneByte;
    std::int32_t twoBytes;
    std::int32_t raw;
};

MagnitudeLimits
MagnitudesOf(const WidthLimits& limits)
{
    return {static_cast<std::int32_t>(limits.oneByte << g_mantissaBits),
            static_cast<std::int32_t>(limits.twoBytes << g_mantissaBits),
            static_cast<std::int32_t>(limits.raw << g_mantissaBits)};
}

/** Values at or above each limit. */
struct Reached
{
    std::int32_t oneByte{0};
    std::int32_t twoBytes{0};
    std::int32_t raw{0};
};

/** The fixed block length is what lets the compiler use vector instructions at -O2. */
template <std::size_t Length>
Reached
CountBlock(const float* values, const MagnitudeLimits& limits)
{
    Reached reached;
    for (std::size_t i = 0; i < Length; ++i)
    {
        const auto magnitude = static_cast<std::int32_t>(BitsOf(values[i]) & g_magnitudeMask);
        reached.oneByte += magnitude >= limits.oneByte ? 1 : 0;
        reached.twoBytes += magnitude >= limits.twoBytes ? 1 : 0;
        reached.raw += magnitude >= limits.raw ? 1 : 0;
    }
    return reached;
}

/** Adds a block of @p length values; zeros that only fill it up have reached no limit. */
void
AddBlock(const Reached& reached, std::size_t length, WidthCounts& counts)
{
    counts[0] += length - static_cast<std::uint64_t>(reached.oneByte);
    counts[1] += static_cast<std::uint64_t>(reached.oneByte - reached.twoBytes);
    counts[2] += static_cast<std::uint64_t>(reached.twoBytes - reached.raw);
    counts[3] += static_cast<std::uint64_t>(reached.raw);
}

/** Counts whole blocks; moves @p values and @p count behind them. */
template <std::size_t Length>
void
CountBlocks(const float*& values,
            std::size_t& count,
            const MagnitudeLimits& limits,
            WidthCounts& counts)
{
    for (; count >= Length; count -= Length, values += Length)
    {
        AddBlock(CountBlock<Length>(values, limits), Length, counts);
    }
}

/** The class of a value with this biased exponent. */
std::size_t
ClassOf(unsigned exponent, const WidthLimits& limits)
{
    return (exponent >= limits.oneByte ? 1U : 0U) + (exponent >= limits.twoBytes ? 1U : 0U) +
           (exponent >= limits.raw ? 1U : 0U);
}

} // namespace

WidthLimits
LimitsAtBound(unsigned bound)
{
    if (bound < g_smallestBound || bound > g_largestBound)
    {
        throw InputError("inceptionn's bound is 2^-B with B from " +
                         std::to_string(g_smallestBound) + " to " + std::to_string(g_largestBound) +
                         ", not " + std::to_string(bound));
    }
    const auto lowest = g_exponentOfOne - bound;
    return {lowest, lowest + (bound + 1) / 2, g_exponentOfOne};
}

WidthCounts
CountWidths(const float* values, std::size_t count, unsigned bound)
{
    const auto limits = MagnitudesOf(LimitsAtBound(bound));
    WidthCounts counts{};
    CountBlocks<g_longBlock>(values, count, limits, counts);
    CountBlocks<g_shortBlock>(values, count, limits, counts);
    std::array<float, g_shortBlock> last{};
    std::copy_n(values, count, last.begin());
    AddBlock(CountBlock<g_shortBlock>(last.data(), limits), count, counts);
    return counts;
}

WidthShares
SharesOf(const WidthCounts& counts)
{
    const auto total = counts[0] + counts[1] + counts[2] + counts[3];
    WidthShares shares{};
    for (std::size_t i = 0; i < shares.size() && total > 0; ++i)
    {
        shares[i] = static_cast<double>(counts[i]) / static_cast<double>(total);
    }
    return shares;
}

std::optional<WidthShares>
SharesAtBound(const ValueStatistics& statistics, unsigned bound)
{
    const auto limits = LimitsAtBound(bound);
    const auto published = statistics.widths.find(bound);
    if (published != statistics.widths.end())
    {
        return published->second;
    }
    if (statistics.exponents.empty())
    {
        return std::nullopt;
    }
    WidthShares shares{};
    for (const auto& [exponent, share] : statistics.exponents)
    {
        shares[ClassOf(exponent, limits)] += share;
    }
    return shares;
}

double
MeanWidthBits(const WidthShares& shares)
{
    double bits = 0;
    for (std::size_t i = 0; i < shares.size(); ++i)
    {
        bits += shares[i] * g_widthBits[i];
    }
    return bits;
}

} // namespace inca
