/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/key-scale.h"

#include "base/portable-math.h"
#include "base/units.h"
#include "base/value-text.h"
#include "record/result-row.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>

namespace inca
{

namespace
{

const std::string g_boundPrefix = "2^-";
constexpr int g_digits = 4;
constexpr double g_valueBytes = 4;
constexpr double g_decades = 10; ///< from here on values are spaced by factors

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

} // namespace

KeyScale::KeyScale(const Key& key, const std::string& range)
    : m_key(&key)
{
    const auto [low, high] = SplitRange(range);
    m_low = ValueOf(low);
    m_high = ValueOf(high);
    if (m_low.text == m_high.text)
    {
        throw UnitError("needs two values that differ, got '" + range + "'");
    }
    m_prefix =
        m_low.text.substr(0, m_low.text.rfind(g_boundPrefix, 0) == 0 ? g_boundPrefix.size() : 0);
    const bool isPlain =
        m_low.text.find_first_not_of("0123456789.", m_prefix.size()) == std::string::npos;
    m_unit = isPlain ? "" : UnitOfColumn(key.column);
    if (m_low.number > m_high.number)
    {
        std::swap(m_low, m_high);
    }
    m_byFactors = m_low.number > 0 && m_high.number >= g_decades * m_low.number;
    At(1.0 / 3, m_low, m_high);
}

/** @throws UnitError if the key takes no such value, or it is no number */
ScaledValue
KeyScale::ValueOf(const std::string& text) const
{
    Scenario scratch;
    m_key->set(scratch, text);
    const auto column = m_key->columnText(scratch);
    char* end = nullptr;
    const double number = std::strtod(column.c_str(), &end);
    if (column.empty() || *end != '\0')
    {
        throw UnitError("'" + text +
                        "' is no number, and has none beside it; `inca sweep --vary` "
                        "compares what has no order");
    }
    return {number, m_key->text(scratch)};
}

std::optional<ScaledValue>
KeyScale::Valued(double number) const
{
    try
    {
        return ScaledValue{number, ValueOf(m_prefix + NumberText(number) + m_unit).text};
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
