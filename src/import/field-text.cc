/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/field-text.h"

#include "base/nearest.h"
#include "base/printable.h"
#include "base/units.h"

#include <charconv>
#include <cmath>
#include <map>

namespace inca
{

namespace
{

constexpr std::uint64_t MOST_COUNT = 1'000'000'000'000'000;
constexpr double MOST_TIME_PS = 1e18;
constexpr std::size_t MOST_SHOWN = 40;

std::string
Shown(std::string_view text)
{
    return "'" + Printable(text.substr(0, MOST_SHOWN)) + "'";
}

} // namespace

std::vector<std::string>
SplitBlanks(std::string_view line)
{
    constexpr std::string_view BLANKS = " \t\r";
    std::vector<std::string> fields;
    for (auto begin = line.find_first_not_of(BLANKS); begin != std::string_view::npos;)
    {
        const auto end = line.find_first_of(BLANKS, begin);
        fields.emplace_back(line.substr(begin, end - begin));
        begin = line.find_first_not_of(BLANKS, end);
    }
    return fields;
}

InputPlace
AtKey(InputPlace place, const std::string& key)
{
    place.key = key;
    return place;
}

std::uint64_t
ParseCount(const InputPlace& place, std::string_view text)
{
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value > MOST_COUNT)
    {
        throw InputError(place, "must be a whole number from 0 to 10^15, got " + Shown(text));
    }
    return value;
}

std::int64_t
PsOfUnit(const std::string& unit)
{
    static const std::map<std::string, std::int64_t> units{
        {"ns", 1'000}, {"us", 1'000'000}, {"ms", 1'000'000'000}, {"s", 1'000'000'000'000}};
    const auto found = units.find(unit);
    if (found == units.end())
    {
        throw InputError("--time-unit: " + UnknownName(unit, {"ns", "us", "ms", "s"}));
    }
    return found->second;
}

std::int64_t
ParseTime(const InputPlace& place, std::string_view text, const std::string& unit)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const auto ps = value * static_cast<double>(PsOfUnit(unit));
    if (error != std::errc() || end != text.data() + text.size() ||
        !(ps >= 0 && ps <= MOST_TIME_PS))
    {
        throw InputError(place,
                         "must be a time from 0 to 10^6 s, in " + unit + ", got " + Shown(text));
    }
    return std::llround(ps);
}

} // namespace inca
