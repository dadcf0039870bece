/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/attribute-text.h"

#include "base/units.h"
#include "base/value-text.h"

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

bool
EndsWith(std::string_view text, std::string_view end)
{
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

std::string
AsItIs(std::string_view text)
{
    return std::string(text);
}

std::string
WholeText(std::string_view text)
{
    return std::to_string(ParseWholeAttribute(text));
}

std::string
TruthText(std::string_view text)
{
    return ParseTruthAttribute(text) ? "true" : "false";
}

std::string
RealText(std::string_view text)
{
    return DecimalText(ParseRealAttribute(text));
}

std::string
BytesOf(std::string_view keyText)
{
    return std::to_string(ParseBytes(keyText));
}

/** A rate that is not given, or "none", is 0. */
bool
IsNoRate(std::string_view keyText)
{
    return keyText.empty() || keyText == "none";
}

std::string
ByteRateOf(std::string_view keyText)
{
    return IsNoRate(keyText) ? "0" : std::to_string(ParseBytesPerSecond(keyText));
}

std::string
ValueRateOf(std::string_view keyText)
{
    return IsNoRate(keyText) ? "0" : std::to_string(ParseValuesPerSecond(keyText));
}

std::uint64_t
Count(std::string_view text)
{
    const auto number = ParseWholeAttribute(text);
    if (number < 0)
    {
        throw UnitError("must be 0 or more, got '" + std::string(text) + "'");
    }
    return static_cast<std::uint64_t>(number);
}

std::string
ByteText(std::string_view text)
{
    return FormatBytes(Count(text));
}

std::string
ByteRateText(std::string_view text)
{
    return FormatBytesPerSecond(Count(text));
}

std::string
CostRateText(std::string_view text)
{
    return Count(text) == 0 ? "none" : ByteRateText(text);
}

std::string
ValueRateText(std::string_view text)
{
    return Count(text) == 0 ? "none" : FormatValuesPerSecond(Count(text));
}

std::string
BitRateOf(std::string_view keyText)
{
    return std::to_string(ParseBitsPerSecond(keyText)) + "bps";
}

std::string
BitRateText(std::string_view text)
{
    return FormatBitsPerSecond(ParseBitRateAttribute(text));
}

/** ns-3 reads the number as a double, which holds every key's time in whole picoseconds. */
std::string
TimeOf(std::string_view keyText)
{
    return std::to_string(ParsePicoseconds(keyText)) + "ps";
}

std::string
TimeText(std::string_view text)
{
    return FormatPicoseconds(ParseTimeAttribute(text));
}

} // namespace

const AttributeForm g_nameAttribute{AsItIs, AsItIs};
const AttributeForm g_wholeAttribute{AsItIs, WholeText};
const AttributeForm g_truthAttribute{AsItIs, TruthText};
const AttributeForm g_realAttribute{AsItIs, RealText};
const AttributeForm g_byteAttribute{BytesOf, ByteText};
const AttributeForm g_byteRateAttribute{ByteRateOf, ByteRateText};
const AttributeForm g_costRateAttribute{ByteRateOf, CostRateText};
const AttributeForm g_valueRateAttribute{ValueRateOf, ValueRateText};
const AttributeForm g_bitRateAttribute{BitRateOf, BitRateText};
const AttributeForm g_timeAttribute{TimeOf, TimeText};

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
    return ParseBoolean(text);
}

std::int64_t
ParseTimeAttribute(std::string_view text)
{
    return ParsePicoseconds(WithoutPlus(text));
}

std::uint64_t
ParseBitRateAttribute(std::string_view text)
{
    constexpr std::uint64_t bitsPerByte = 8;
    const std::string stem(text.substr(0, text.size() - std::min<std::size_t>(text.size(), 3)));
    if (EndsWith(text, "b/s"))
    {
        return ParseBitsPerSecond(stem + "bps");
    }
    if (EndsWith(text, "B/s") || EndsWith(text, "Bps"))
    {
        const auto bytes = ParseBytesPerSecond(stem + "Bps");
        return static_cast<std::uint64_t>(MulDivCeil(bytes, bitsPerByte, 1));
    }
    return ParseBitsPerSecond(text);
}

} // namespace inca
