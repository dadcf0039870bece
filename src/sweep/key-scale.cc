/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/key-scale.h"

#include "base/portable-math.h"
#include "base/units.h"
#include "base/value-text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace inca
{

namespace
{

constexpr std::string_view g_boundPrefix = "2^-";
constexpr int g_digits = 4;
constexpr double g_valueBytes = 4;
constexpr double g_decades = 10; ///< from here on values are spaced by factors

/** A unit: its name, that of the base unit, and how many of these it is. */
struct UnitRow
{
    std::string_view name;
    std::string_view base;
    double factor;
};

constexpr UnitRow g_times[] = {
    {"ps", "ps", 1}, {"ns", "ps", 1e3}, {"us", "ps", 1e6}, {"ms", "ps", 1e9}, {"s", "ps", 1e12}};

constexpr std::pair<std::string_view, double> g_prefixes[] = {{"Ki", 0x1p10},
                                                              {"Mi", 0x1p20},
                                                              {"Gi", 0x1p30},
                                                              {"Ti", 0x1p40},
                                                              {"k", 1e3},
                                                              {"M", 1e6},
                                                              {"G", 1e9},
                                                              {"T", 1e12}};

/** @return the base unit of @p unit, and its factor */
std::pair<std::string, double>
BaseUnit(std::string_view unit)
{
    for (const auto& time : g_times)
    {
        if (unit == time.name)
        {
            return {std::string(time.base), time.factor};
        }
    }
    for (const auto& [prefix, factor] : g_prefixes)
    {
        if (unit.size() > prefix.size() && unit.substr(0, prefix.size()) == prefix)
        {
            return {std::string(unit.substr(prefix.size())), factor};
        }
    }
    return {std::string(unit), 1};
}

/** "2^-", 10 and nothing; or nothing, 2.5e10 and "bps". */
struct TextParts
{
    std::string prefix;
    double number;
    std::string unit;
};

/** @throws UnitError if there is no number in it */
TextParts
SplitNumber(const std::string& text)
{
    const bool isBound = text.compare(0, g_boundPrefix.size(), g_boundPrefix) == 0;
    const std::string prefix(isBound ? g_boundPrefix : "");
    const auto rest = text.substr(prefix.size());
    const auto digits = std::min(rest.find_first_not_of("0123456789."), rest.size());
    if (digits == 0)
    {
        throw UnitError("'" + text +
                        "' is no number, and has none beside it; `inca sweep --vary` "
                        "compares what has no order");
    }
    const auto unitAt = std::min(rest.find_first_not_of(' ', digits), rest.size());
    const auto [unit, factor] = BaseUnit(std::string_view(rest).substr(unitAt));
    return {prefix, std::strtod(rest.substr(0, digits).c_str(), nullptr) * factor, unit};
}

/** To as many digits as are worth reading. */
double
Rounded(double number)
{
    return std::strtod(fmt::format("{:.{}e}", number, g_digits - 1).c_str(), nullptr);
}

std::string
NumberText(double number)
{
    return number == std::floor(number) ? fmt::format("{:.0f}", number) : DecimalText(number);
}

/** The two ends of "1Gbps..400Gbps". @throws UnitError */
std::pair<std::string, std::string>
SplitRange(const std::string& range)
{
    const auto dots = range.find("..");
    if (dots == std::string::npos)
    {
        throw UnitError("needs the form LOW..HIGH, such as 1Gbps..400Gbps, got '" + range + "'");
    }
    return {range.substr(0, dots), range.substr(dots + 2)};
}

/** @return @p text as @p key says it itself. @throws UnitError if it takes no such value */
std::string
Canonical(const Key& key, const std::string& text)
{
    Scenario scratch;
    key.set(scratch, text);
    return key.text(scratch);
}

} // namespace

KeyScale::KeyScale(const Key& key, const std::string& range)
    : m_key(&key)
{
    const auto [lowText, highText] = SplitRange(range);
    m_low.text = Canonical(key, lowText);
    m_high.text = Canonical(key, highText);
    const auto low = SplitNumber(lowText);
    const auto high = SplitNumber(highText);
    if (low.prefix != high.prefix || low.unit != high.unit)
    {
        throw UnitError("needs units of one kind at both ends, got '" + range + "'");
    }
    if (m_low.text == m_high.text)
    {
        throw UnitError("needs two values that differ, got '" + range + "'");
    }
    m_prefix = low.prefix;
    m_unit = low.unit;
    m_low.number = low.number;
    m_high.number = high.number;
    if (m_low.number > m_high.number)
    {
        std::swap(m_low, m_high);
    }
    m_byFactors = m_low.number > 0 && m_high.number >= g_decades * m_low.number;
    At(1.0 / 3, m_low, m_high);
}

std::optional<ScaledValue>
KeyScale::Valued(double number) const
{
    try
    {
        return ScaledValue{number, Canonical(*m_key, m_prefix + NumberText(number) + m_unit)};
    }
    catch (const UnitError&)
    {
        return std::nullopt;
    }
}

ScaledValue
KeyScale::At(double share, const ScaledValue& low, const ScaledValue& high) const
{
    const double exact = m_byFactors ? low.number * PortablePow(high.number / low.number, share)
                                     : low.number + (high.number - low.number) * share;
    const double rounded =
        m_unit == "B" ? std::round(exact / g_valueBytes) * g_valueBytes : Rounded(exact);
    for (const auto number : {rounded, std::round(rounded)})
    {
        if (auto value = Valued(number))
        {
            return *value;
        }
    }
    throw UnitError("takes only some of the values from " + m_low.text + " to " + m_high.text +
                    "; `inca sweep --vary` compares them");
}

std::vector<ScaledValue>
KeyScale::Points(std::size_t count) const
{
    std::vector<ScaledValue> points{m_low};
    for (std::size_t i = 1; i + 1 < count; ++i)
    {
        const auto share = static_cast<double>(i) / static_cast<double>(count - 1);
        const auto value = At(share, m_low, m_high);
        if (value.number > points.back().number && value.number < m_high.number)
        {
            points.push_back(value);
        }
    }
    points.push_back(m_high);
    return points;
}

std::optional<ScaledValue>
KeyScale::Between(const ScaledValue& low, const ScaledValue& high, double tolerance) const
{
    if (high.number - low.number <= tolerance * high.number)
    {
        return std::nullopt;
    }
    auto middle = At(0.5, low, high);
    const bool isBetween = middle.number > low.number && middle.number < high.number;
    return isBetween ? std::optional(middle) : std::nullopt;
}

} // namespace inca
