/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_INCEPTIONN_WIDTHS_H
#define INCA_CODEC_INCEPTIONN_WIDTHS_H

#include "inca/codec/codec.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace inca
{

/** The bounds 2^-B that the INCEPTIONN format can carry; its evaluation uses 10, 8 and 6. */
constexpr unsigned g_smallestBound = 1;
constexpr unsigned g_largestBound = 15;

/**
 * A value's width class is its 2-bit tag in the stream: 0 = nothing travels, 1 = one byte,
 * 2 = two bytes, 3 = the raw four. These are the classes' widths with the tag. (bits)
 */
constexpr std::array<unsigned, 4> g_widthBits{2, 10, 18, 34};

constexpr unsigned g_mantissaBits = 23; ///< of a float

/**
 * Values handled at once: loops of this fixed length without branches are what the compiler turns
 * into vector instructions at -O2.
 */
constexpr std::size_t g_widthBlock = 64;

/** Values per width class. */
using WidthCounts = std::array<std::uint64_t, 4>;

/**
 * The biased exponents from which on a value is in class 1, 2 and 3 (Algorithm 2): 127 - B,
 * 127 - B + ceil(B / 2) and 127. B = 1 leaves class 2 empty.
 */
struct WidthLimits
{
    unsigned oneByte;
    unsigned twoBytes;
    unsigned raw;
};

/** @throws InputError unless @p bound is 1..15 */
WidthLimits LimitsAtBound(unsigned bound);

/**
 * Counts the values of each class without writing a stream.
 * @throws InputError unless @p bound is 1..15
 */
WidthCounts CountWidths(const float* values, std::size_t count, unsigned bound);

/** @return each class's share of all values; zeros if there are none */
WidthShares SharesOf(const WidthCounts& counts);

/**
 * The classes' shares by statistics: those published for exactly this bound, else those that the
 * exponent histogram gives, summed as they stand (not scaled to add up to 1).
 * @return empty if @p statistics have neither
 * @throws InputError unless @p bound is 1..15
 */
std::optional<WidthShares> SharesAtBound(const ValueStatistics& statistics, unsigned bound);

/**
 * Sum of share times width, tags included. (bits) Shares are not scaled to add up to 1: so 32
 * divided by it is the ratio that INCEPTIONN's Table III gives.
 */
double MeanWidthBits(const WidthShares& shares);

} // namespace inca

#endif // INCA_CODEC_INCEPTIONN_WIDTHS_H
