/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/minifloat.h"

#include <cmath>
#include <limits>

namespace inca
{

namespace
{

float
MagnitudeOf(const MiniFloat& format, std::uint32_t magnitude)
{
    if (magnitude > format.infinity)
    {
        return std::numeric_limits<float>::quiet_NaN();
    }
    if (magnitude > format.largest)
    {
        return std::numeric_limits<float>::infinity();
    }
    const auto field = magnitude >> format.mantissaBits;
    const auto leading = field > 0 ? 1U << format.mantissaBits : 0U;
    const auto steps = leading + magnitude % (1U << format.mantissaBits);
    const auto scale = static_cast<int>(std::max(field, 1U)) - static_cast<int>(format.bias);
    return std::ldexp(static_cast<float>(steps), scale - static_cast<int>(format.mantissaBits));
}

} // namespace

float
MiniFloat::Decode(std::uint8_t code) const
{
    if (!hasMinusZero && code == SignBit())
    {
        return std::numeric_limits<float>::quiet_NaN();
    }
    const auto magnitude = MagnitudeOf(*this, code % SignBit());
    return (code & SignBit()) != 0 ? -magnitude : magnitude;
}

std::array<float, 256>
MiniFloat::Values() const
{
    std::array<float, 256> values{};
    for (std::size_t code = 0; code < values.size(); ++code)
    {
        values[code] = Decode(static_cast<std::uint8_t>(code));
    }
    return values;
}

} // namespace inca
