/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_STREAM_PATTERN_H
#define INCA_BASE_STREAM_PATTERN_H

#include "base/wire-format.h"

#include <cmath>
#include <cstdint>

namespace inca
{

/** Full frames of a message whose coded payloads, by statistics, take a whole number of bytes. */
constexpr std::uint64_t PATTERN_FRAMES{64};

/**
 * The mean size of a value that is reckoned with where only sizes travel: @p meanBits, rounded up such
 * that the sizes of a message's coded frames repeat every PATTERN_FRAMES. (bits)
 * @param payloadBytes of a full frame, plain
 */
inline double
PatternBits(double meanBits, std::uint64_t payloadBytes)
{
    const auto bitsPerPatternByte =
        8.0 / static_cast<double>(PATTERN_FRAMES * (payloadBytes / VALUE_BYTES));
    constexpr double slack = 1e-6; // what is whole but for its rounding stays as it is
    return std::ceil(meanBits / bitsPerPatternByte - slack) * bitsPerPatternByte;
}

} // namespace inca

#endif // INCA_BASE_STREAM_PATTERN_H
