/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/attribute-text.h"

#include "base/value-form.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace inca
{

namespace
{

std::string_view
WithoutPlus(std::string_view text)
{
    return !text.empty() && text.front() == '+' ? text.substr(1) : text;
}

/** The plain number of base units; a rate that is not given, or "none", is 0. */
std::string
NumberOf(const Quantity& quantity, std::string_view keyText)
{
    const bool isNone = keyText.empty() || keyText == "none";
    return std::to_string(isNone ? 0 : quantity.Parse(keyText));
}

} // namespace

std::string
PlainAttribute(std::string_view keyText)
{
    return std::string(keyText);
}

std::string
ByteAttribute(std::string_view keyText)
{
    return NumberOf(g_byteCount, keyText);
}

std::string
ByteRateAttribute(std::string_view keyText)
{
    constexpr std::uint64_t mostBytes = 1ULL << 60U;
    const auto bytes = ParseWholeAttribute(NumberOf(g_byteRate, keyText));
    const bool hasLimit = bytes > 0 && static_cast<std::uint64_t>(bytes) < mostBytes;
    return std::to_string(8 * (hasLimit ? static_cast<std::uint64_t>(bytes) : mostBytes)) + "bps";
}

std::string
ValueRateAttribute(std::string_view keyText)
{
    return NumberOf(g_valueRate, keyText);
}

std::string
BitRateAttribute(std::string_view keyText)
{
    return NumberOf(g_bitRate, keyText) + "bps";
}

/** ns-3 reads the number as a double, which holds every key's time in whole picoseconds. */
std::string
TimeAttribute(std::string_view keyText)
{
    return NumberOf(g_wholeTime, keyText) + "ps";
}

std::int64_t
ParseWholeAttribute(std::string_view text)
{
    const bool negative = !text.empty() && text.front() == '-';
    const auto size = ParseScaled(negative ? text.substr(1) : WithoutPlus(text), 0);
    return negative ? -size : size;
}

double
ParseRealAttribute(std::string_view text)
{
    const std::string whole(text);
    char* end = nullptr;
    const double value = std::strtod(whole.c_str(), &end);
    if (whole.empty() || *end != '\0' || !std::isfinite(value))
    {
        throw UnitError("must be a number, got '" + whole + "'");
    }
    return value;
}

bool
ParseTruthAttribute(std::string_view text)
{
    return BooleanForm().parse(text);
}

std::int64_t
ParseTimeAttribute(std::string_view text)
{
    return static_cast<std::int64_t>(g_wholeTime.Parse(WithoutPlus(text)));
}

std::uint64_t
ParseBitRateAttribute(std::string_view text)
{
    constexpr std::uint64_t bitsPerByte = 8;
    const auto end = text.substr(text.size() - std::min<std::size_t>(text.size(), 3));
    return end == "B/s" || end == "Bps"
               ? static_cast<std::uint64_t>(MulDivCeil(g_byteRate.Parse(text), bitsPerByte, 1))
               : g_bitRate.Parse(text);
}

} // namespace inca
