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

/** The plain number of base units; a rate that is not given, or "none", is 0. */
template <const Quantity& QUANTITY>
std::string
NumberOf(std::string_view keyText)
{
    const bool isNone = keyText.empty() || keyText == "none";
    return isNone ? "0" : std::to_string(QUANTITY.Parse(keyText));
}

/** The plain number with its unit again; 0 is "none" if @p ZERO_IS_NONE. */
template <const Quantity& QUANTITY, bool ZERO_IS_NONE>
std::string
QuantityOf(std::string_view text)
{
    const auto number = ParseWholeAttribute(text);
    if (number < 0)
    {
        throw UnitError("must be 0 or more, got '" + std::string(text) + "'");
    }
    return number == 0 && ZERO_IS_NONE ? "none"
                                       : QUANTITY.Format(static_cast<std::uint64_t>(number));
}

std::string
BitRateOf(std::string_view keyText)
{
    return std::to_string(g_bitRate.Parse(keyText)) + "bps";
}

std::string
BitRateText(std::string_view text)
{
    return g_bitRate.Format(ParseBitRateAttribute(text));
}

/** ns-3 reads the number as a double, which holds every key's time in whole picoseconds. */
std::string
TimeOf(std::string_view keyText)
{
    return std::to_string(g_wholeTime.Parse(keyText)) + "ps";
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
const AttributeForm g_byteAttribute{NumberOf<g_byteCount>, QuantityOf<g_byteCount, false>};
const AttributeForm g_byteRateAttribute{NumberOf<g_byteRate>, QuantityOf<g_byteRate, false>};
const AttributeForm g_costRateAttribute{NumberOf<g_byteRate>, QuantityOf<g_byteRate, true>};
const AttributeForm g_valueRateAttribute{NumberOf<g_valueRate>, QuantityOf<g_valueRate, true>};
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
