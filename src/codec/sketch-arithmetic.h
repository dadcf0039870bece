/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_SKETCH_ARITHMETIC_H
#define INCA_CODEC_SKETCH_ARITHMETIC_H

#include "base/word.h"
#include "codec/little-endian.h"
#include "codec/sketch-layout.h"

#include <algorithm>
#include <cstdint>

namespace inca
{

/** What sketches of fp32 counters and of int32 counters do differently. */
template <typename Counter>
struct SketchArithmetic;

/** Counters are fp32 sums. */
template <>
struct SketchArithmetic<float>
{
    using Value = float;

    static float Load(const std::uint8_t* bytes)
    {
        return FloatOf(LoadLittle<std::uint32_t>(bytes));
    }

    static void Store(float counter, std::uint8_t* bytes)
    {
        StoreLittle(BitsOf(counter), bytes);
    }

    /** @p value with the sign of @p place. */
    static float Signed(float value, std::uint32_t place)
    {
        return FloatOf(BitsOf(value) ^ (place & g_negativePlace));
    }

    /** A decoded value; adding +0 turns the -0 of a sum that canceled into the +0 that it is. */
    static float ValueOf(float sum)
    {
        return sum + 0.0F;
    }
};

/** Counters are int32 sums modulo 2^32, kept without a sign because those may wrap. */
template <>
struct SketchArithmetic<std::uint32_t>
{
    using Value = std::int32_t;

    static std::uint32_t Load(const std::uint8_t* bytes)
    {
        return LoadLittle<std::uint32_t>(bytes);
    }

    static void Store(std::uint32_t counter, std::uint8_t* bytes)
    {
        StoreLittle(counter, bytes);
    }

    static std::uint32_t Signed(std::uint32_t value, std::uint32_t place)
    {
        const auto mask = 0U - (place >> 31U);
        return (value ^ mask) - mask;
    }

    static std::int32_t ValueOf(std::uint32_t sum)
    {
        return static_cast<std::int32_t>(sum);
    }
};

/** The middle one of three; with a NaN among them, one of the three, always the same one. */
template <typename Value>
Value
MedianOf(Value a, Value b, Value c)
{
    return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

} // namespace inca

#endif // INCA_CODEC_SKETCH_ARITHMETIC_H
