/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot-axis.h"

#include "report/csv-table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

namespace inca
{

namespace
{

constexpr double g_thousand = 1000;
constexpr double g_binary = 1024;

/** How a column's name ends, and what that means. */
struct ColumnUnit
{
    std::string_view ending;
    std::string_view unit;
    double factor;             ///< of the column's figures, to be in that unit
    std::string_view prefixes; ///< for powers of 1000 from 1000^first on; empty: takes none
    int first;
};

constexpr std::string_view g_large = " kMGT";
constexpr std::string_view g_small = "pnum ";

constexpr ColumnUnit g_units[] = {
    {"_mvalues_per_s", "values/s", 1e6, g_large, 0},
    {"_values_per_s", "values/s", 1, g_large, 0},
    {"_bytes_per_s", "B/s", 1, g_large, 0},
    {"_per_s", "1/s", 1, "", 0},
    {"_gbps", "bit/s", 1e9, g_large, 0},
    {"_bytes", "B", 1, g_large, 0},
    {"_bits", "bits", 1, "", 0},
    {"_frames", "frames", 1, "", 0},
    {"_percent", "%", 1, "", 0},
    {"_times", "times", 1, "", 0},
    {"_us", "s", 1e-6, g_small, -4},
    {"_ns", "s", 1e-9, g_small, -4},
    {"_ps", "s", 1e-12, g_small, -4},
    {"_ms", "s", 1e-3, g_small, -4},
    {"_s", "s", 1, g_small, -4},
};

bool
EndsWith(std::string_view text, std::string_view ending)
{
    return text.size() > ending.size() && text.substr(text.size() - ending.size()) == ending;
}

const ColumnUnit*
Find(std::string_view column)
{
    const auto* const found =
        std::find_if(std::begin(g_units), std::end(g_units), [column](const ColumnUnit& unit) {
            return EndsWith(column, unit.ending);
        });
    return found == std::end(g_units) ? nullptr : found;
}

/** @return whether they are of those bytes that are counted in KiB */
bool
AreBinary(const ColumnUnit& unit, const std::vector<double>& values)
{
    return unit.unit == "B" && std::all_of(values.begin(), values.end(), [](double value) {
               return std::fmod(value, g_binary) == 0;
           });
}

/** @return the power that leaves @p largest with digits before the point */
int
PowerFor(const ColumnUnit& unit, double largest, double base)
{
    const int last = unit.first + static_cast<int>(unit.prefixes.size()) - 1;
    int power = unit.first;
    while (power < last && largest >= std::pow(base, power + 1))
    {
        ++power;
    }
    return largest > 0 ? power : 0;
}

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

/** @return the number of that place among 1, 2, 5, 10, ...; before 1 come 0.5, 0.2, 0.1 */
double
RoundNumber(int place)
{
    constexpr double steps[] = {1, 2, 5};
    const int decade = static_cast<int>(std::floor(place / 3.0));
    return steps[place - 3 * decade] * std::pow(10, decade);
}

/** @return 1, 2, 5, 10, ... from at most @p least to at least @p most */
std::vector<double>
RoundNumbers(double least, double most)
{
    constexpr double nearly = 1 + 1e-9;
    int place = 3 * static_cast<int>(std::floor(std::log10(least)));
    while (RoundNumber(place + 1) <= least * nearly)
    {
        ++place;
    }
    std::vector<double> numbers{RoundNumber(place)};
    while (numbers.back() * nearly < most)
    {
        numbers.push_back(RoundNumber(++place));
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
HaveRoom(const AxisScale& scale, const std::vector<double>& places)
{
    constexpr double smallest = 0.075; // of the axis' length: four digits
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
    const auto* const unit = Find(column);
    if (unit == nullptr)
    {
        return {WordsOf(column), "", 1};
    }
    const auto name = std::string_view(column).substr(0, column.size() - unit->ending.size());
    if (unit->prefixes.empty())
    {
        return {TitleOf(name, std::string(unit->unit)), std::string(unit->unit), unit->factor};
    }
    double largest = 0;
    for (const auto value : values)
    {
        largest = std::max(largest, std::abs(value) * unit->factor);
    }
    const bool isBinary = AreBinary(*unit, values);
    const auto base = isBinary ? g_binary : g_thousand;
    const auto power = PowerFor(*unit, largest, base);
    const auto prefix = unit->prefixes[static_cast<std::size_t>(power - unit->first)];
    const auto text = prefix == ' ' ? std::string(unit->unit)
                      : isBinary    ? fmt::format("{}i{}", prefix == 'k' ? 'K' : prefix, unit->unit)
                                    : fmt::format("{}{}", prefix, unit->unit);
    return {TitleOf(name, text), text, unit->factor / std::pow(base, power)};
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
PlaceScale(const std::vector<double>& places)
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
    scale.ticks = HaveRoom(scale, places) ? places
                  : scale.isLog           ? LogTicks(RoundNumbers(from, to))
                                          : std::vector<double>();
    return scale;
}

} // namespace inca
