/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot.h"

#include "record/result-row.h"
#include "report/csv-table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace inca
{

namespace
{

constexpr std::string_view g_large = " kMGT"; // for powers of 1000
constexpr std::string_view g_small = "pnum "; // of seconds

std::string
WordsOf(std::string_view column)
{
    std::string words(column);
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
}

std::string
TitleOf(std::string_view name, const std::string& unit)
{
    return WordsOf(name) + (unit.empty() ? "" : " (" + unit + ")");
}

/** @return 1, 2, 5, 10, ... from at most @p least to at least @p most */
std::vector<double>
RoundNumbers(double least, double most)
{
    constexpr double nearly = 1 + 1e-9;
    std::vector<double> numbers;
    for (auto decade = std::floor(std::log10(least));
         numbers.empty() || numbers.back() * nearly < most;
         ++decade)
    {
        for (const double step : {1, 2, 5})
        {
            const auto number = step * std::pow(10, decade);
            if (!numbers.empty() && number <= least * nearly)
            {
                numbers.clear();
            }
            if (numbers.empty() || numbers.back() * nearly < most)
            {
                numbers.push_back(number);
            }
        }
    }
    return numbers;
}

/** Over more than three decades gnuplot's own ticks are better than those. */
std::vector<double>
LogTicks(const std::vector<double>& numbers)
{
    constexpr std::size_t most = 10;
    return numbers.size() > most ? std::vector<double>() : numbers;
}

/** @param places in their order @return whether ticks at all of them can be read */
bool
HaveRoom(const AxisScale& scale, const std::vector<double>& places, double length)
{
    const double smallest = 0.075 / length; // four digits
    for (std::size_t i = 1; i < places.size(); ++i)
    {
        if (scale.ShareOf(places[i]) - scale.ShareOf(places[i - 1]) < smallest)
        {
            return false;
        }
    }
    return true;
}

} // namespace

AxisUnit
UnitFor(const std::string& column, const std::vector<double>& values)
{
    const auto* const unit = FindColumnUnit(column);
    if (unit == nullptr)
    {
        return {WordsOf(column), "", 1};
    }
    const auto name = std::string_view(column).substr(0, column.size() - unit->ending.size());
    const std::string base(unit->base);
    if (base.empty())
    {
        return {TitleOf(name, std::string(unit->unit)), std::string(unit->unit), 1};
    }
    double largest = 0;
    for (const auto value : values)
    {
        largest = std::max(largest, std::abs(value) * unit->factor);
    }
    const bool isBinary =
        base == "B" && std::all_of(values.begin(), values.end(), [](double value) {
            return std::fmod(value, 1024) == 0;
        });
    const auto thousand = isBinary ? 1024.0 : 1000.0;
    const auto prefixes = base == "s" ? g_small : g_large;
    const int first = base == "s" ? -4 : 0; // the power of the first prefix
    const int last = first + static_cast<int>(prefixes.size()) - 1;
    int power = largest > 0 ? first : 0;
    while (power < last && largest >= std::pow(thousand, power + 1))
    {
        ++power;
    }
    const auto prefix = prefixes[static_cast<std::size_t>(power - first)];
    const auto text = prefix == ' ' ? base
                      : isBinary    ? fmt::format("{}i{}", prefix == 'k' ? 'K' : prefix, base)
                                    : fmt::format("{}{}", prefix, base);
    return {TitleOf(name, text), text, unit->factor / std::pow(thousand, power)};
}

std::string
ValueName(const std::string& column, const std::string& text)
{
    const auto number = NumberOf(text);
    if (column == "label")
    {
        return text;
    }
    if (!number)
    {
        return text == "true" || text == "false" ? WordsOf(column) + ": " + text : text;
    }
    const auto unit = UnitFor(column, {*number});
    return unit.unit.empty() ? text + " " + unit.title
                             : fmt::format("{:.6g} {}", *number * unit.factor, unit.unit);
}

double
AxisScale::At(double share) const
{
    return isLog ? least * std::pow(most / least, share) : least + share * (most - least);
}

double
AxisScale::ShareOf(double value) const
{
    return isLog ? std::log(value / least) / std::log(most / least)
                 : (value - least) / (most - least);
}

AxisScale
ValueScale(const std::vector<double>& values, bool ofBars)
{
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    if (*least > 0 && *most >= (ofBars ? 100 : 10) * *least)
    {
        const auto numbers = RoundNumbers(*least, *most);
        return {true, numbers.front(), numbers.back(), LogTicks(numbers)};
    }
    constexpr double far = 0.6;
    constexpr double beyond = 0.08;
    const bool fromZero = ofBars || *least <= far * *most || *least == *most;
    const auto from = fromZero ? std::min(*least, 0.0) : *least;
    const auto to = fromZero ? std::max(*most, 0.0) : *most;
    const auto margin = from == to ? 1 : beyond * (to - from);
    return {false,
            from < 0 || !fromZero ? from - margin : from,
            to > 0 || from == to ? to + margin : to,
            {}};
}

AxisScale
PlaceScale(const std::vector<double>& places, double length)
{
    constexpr double decade = 10;
    constexpr double margin = 0.04;
    const auto [least, most] = std::minmax_element(places.begin(), places.end());
    AxisScale scale{*least > 0 && *most >= decade * *least, *least, *most, {}};
    if (*least == *most)
    {
        return {false, *least - 1, *most + 1, {*least}};
    }
    const auto from = scale.At(-margin);
    const auto to = scale.At(1 + margin);
    scale.least = from;
    scale.most = to;
    scale.ticks = HaveRoom(scale, places, length) ? places
                  : scale.isLog                   ? LogTicks(RoundNumbers(from, to))
                                                  : std::vector<double>();
    return scale;
}

} // namespace inca
