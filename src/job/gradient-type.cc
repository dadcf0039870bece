/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/gradient-type.h"

#include "base/errors.h"
#include "base/half-float.h"
#include "base/nearest.h"
#include "codec/cast-codec.h"

#include <algorithm>

namespace inca
{

namespace
{

constexpr std::uint64_t g_halfBytes = 2;
constexpr double g_bf16Roundoff = 1.0 / (1U << 8U); // 8 significant bits
constexpr double g_fp16Roundoff = 1.0 / (1U << 11U);

GradientType
HalfType(const std::string& name,
         double unitRoundoff,
         std::uint16_t largest,
         float (*widen)(std::uint16_t))
{
    constexpr std::uint16_t smallest = 1;
    return {
        g_halfBytes, unitRoundoff, widen(largest), widen(smallest), MakeCastCodec(name, "wire")};
}

} // namespace

GradientType
Coarser(const GradientType& first, const GradientType& second)
{
    return {second.bytes,
            std::max(first.unitRoundoff, second.unitRoundoff),
            std::min(first.largest, second.largest),
            std::max(first.smallest, second.smallest),
            second.narrow ? second.narrow : first.narrow};
}

GradientType
GradientTypeNamed(const std::string& name)
{
    constexpr std::uint16_t largestBf16 = 0x7F7F;
    constexpr std::uint16_t largestFp16 = 0x7BFF;
    if (name == "bf16")
    {
        return HalfType(name, g_bf16Roundoff, largestBf16, FromBf16);
    }
    if (name == "fp16")
    {
        return HalfType(name, g_fp16Roundoff, largestFp16, FromFp16);
    }
    if (name != "fp32")
    {
        throw InputError("gradient type: " + UnknownName(name, {"fp32", "fp16", "bf16"}));
    }
    return {};
}

} // namespace inca
