/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot.h"

#include "record/result-row.h"
#include "report/csv-table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string_view>

namespace inca
{

namespace
{

constexpr std::string_view g_large = " kMGT"; // for powers of 1000
constexpr std::string_view g_small = "pnum "; // of seconds

/** "iteration time" of iteration_time_s */
std::string
WordsOf(const std::string& column)
{
    const auto* const unit = FindColumnUnit(column);
    auto words = column.substr(0, column.size() - (unit == nullptr ? 0 : unit->ending.size()));
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
}

/** @return the one system of which all gains are 1, over which all are, therefore; empty: there is none, or there are several */
std::string
BaseOfGains(const CsvTable& table, std::size_t gains)
{
    std::map<std::string, bool> areOne;
    const auto labels = table.Find("label");
    for (const auto& row : table.rows)
    {
        if (const auto& gain = row.fields[gains]; labels && !gain.empty())
        {
            auto& isOne = areOne.emplace(row.fields[*labels], true).first->second;
            isOne = isOne && NumberOf(gain) == 1;
        }
    }
    const auto isBase = [](const auto& system) { return system.second; };
    const auto base = std::find_if(areOne.begin(), areOne.end(), isBase);
    return std::count_if(areOne.begin(), areOne.end(), isBase) == 1 ? base->first : "";
}

/** @return 1, 2, 5, 10, ... between two; over more than three decades 1, 10, 100, ... */
std::vector<double>
LogTicks(double least, double most)
{
    std::vector<double> ticks;
    for (auto decade = std::pow(10, std::floor(std::log10(least))); decade <= most; decade *= 10)
    {
        for (const double step : {1, 2, 5})
        {
            const bool isIn = step * decade >= least && step * decade <= most;
            if (isIn && (step == 1 || most < 1000 * least))
            {
                ticks.push_back(step * decade);
            }
        }
    }
    return ticks;
}

/** Beyond both ends there is so much of the length. */
AxisScale
Widened(AxisScale scale, double margin)
{
    const auto from = scale.At(-margin);
    scale.most = scale.At(1 + margin);
    scale.least = from;
    if (scale.isLog)
    {
        scale.ticks = LogTicks(scale.least, scale.most);
    }
    return scale;
}

/** @param places in their order @return whether ticks at all of them can be read */
bool
HaveRoom(const AxisScale& scale, const std::vector<double>& places, double length)
{
    const double smallest = 0.075 / length; // four digits
    const auto areNear = [&](double a, double b) {
        return scale.ShareOf(b) - scale.ShareOf(a) < smallest;
    };
    return std::adjacent_find(places.begin(), places.end(), areNear) == places.end();
}

} // namespace

std::string
ColumnWords(const CsvTable& table, std::size_t column)
{
    const auto& name = table.columns[column];
    const auto base = name == GAIN_COLUMN ? BaseOfGains(table, column) : "";
    return WordsOf(name) + (base.empty() ? "" : " over " + base);
}

AxisUnit
UnitFor(const std::string& column, const std::vector<double>& values, std::string words)
{
    words = words.empty() ? WordsOf(column) : words;
    const auto* const unit = FindColumnUnit(column);
    const std::string base(unit == nullptr ? "" : unit->base);
    if (base.empty())
    {
        const std::string fixed(unit == nullptr ? "" : unit->unit);
        return {fixed.empty() ? words : words + " (" + fixed + ")", fixed, 1};
    }
    const auto size = [unit](double most, double value) {
        return std::max(most, std::abs(value) * unit->factor);
    };
    const auto largest = std::accumulate(values.begin(), values.end(), 0.0, size);
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
    return {words + " (" + text + ")", text, unit->factor / std::pow(thousand, power)};
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
    constexpr double far = 0.6;
    constexpr double margin = 0.08;
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    if (*least > 0 && *most >= (ofBars ? 100 : 10) * *least)
    {
        return Widened({true, *least, *most, {}}, margin / 2);
    }
    const bool fromZero = ofBars || *least <= far * *most || *least == *most;
    const auto from = fromZero ? std::min(*least, 0.0) : *least;
    const auto to = fromZero ? std::max(*most, 0.0) : *most;
    const auto beyond = from == to ? 1 : margin * (to - from);
    return {false,
            from < 0 || !fromZero ? from - beyond : from,
            to > 0 || from == to ? to + beyond : to,
            {}};
}

AxisScale
PlaceScale(const std::vector<double>& places, double length)
{
    constexpr double margin = 0.04;
    const auto [least, most] = std::minmax_element(places.begin(), places.end());
    if (*least == *most)
    {
        return {false, *least - 1, *most + 1, {*least}};
    }
    auto scale = Widened({*least > 0 && *most >= 10 * *least, *least, *most, {}}, margin);
    if (HaveRoom(scale, places, length))
    {
        scale.ticks = places;
    }
    return scale;
}

} // namespace inca
