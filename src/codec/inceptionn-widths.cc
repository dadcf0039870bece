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
constexpr std::uint32_t g_magnitudeMask = 0x7FFFFFFF;

/** Adds a block; its fixed length is what lets the compiler use vector instructions at -O2. */
void
AddBlock(const float* values, const WidthLimits& limits, WidthCounts& counts)
{
    // Signed, because SSE2 compares no unsigned integers.
    const auto oneByte = static_cast<std::int32_t>(limits.oneByte << g_mantissaBits);
    const auto twoBytes = static_cast<std::int32_t>(limits.twoBytes << g_mantissaBits);
    const auto raw = static_cast<std::int32_t>(limits.raw << g_mantissaBits);
    std::int32_t some = 0;
    std::int32_t wide = 0;
    std::int32_t whole = 0;
    for (std::size_t i = 0; i < g_widthBlock; ++i)
    {
        const auto magnitude = static_cast<std::int32_t>(BitsOf(values[i]) & g_magnitudeMask);
        some += magnitude >= oneByte ? 1 : 0;
        wide += magnitude >= twoBytes ? 1 : 0;
        whole += magnitude >= raw ? 1 : 0;
    }
    counts[0] += g_widthBlock - static_cast<std::uint64_t>(some);
    counts[1] += static_cast<std::uint64_t>(some - wide);
    counts[2] += static_cast<std::uint64_t>(wide - whole);
    counts[3] += static_cast<std::uint64_t>(whole);
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
    const auto limits = LimitsAtBound(bound);
    WidthCounts counts{};
    for (; count >= g_widthBlock; count -= g_widthBlock, values += g_widthBlock)
    {
        AddBlock(values, limits, counts);
    }
    std::array<float, g_widthBlock> last{};
    std::copy_n(values, count, last.begin());
    AddBlock(last.data(), limits, counts);
    counts[0] -= g_widthBlock - count; // zeros that only fill the block
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
