/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/value-list.h"

#include "base/units.h"
#include "base/value-text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace inca
{

namespace
{

using Texts = std::vector<std::string>;

constexpr unsigned g_mostPlaces = 15; ///< after the point, as ParseScaled takes them
constexpr std::string_view g_dots = "..";

/** Numbers that count 10^-places each, with the unit that they have, and how to get on. */
struct Range
{
    std::uint64_t first;
    std::uint64_t last;
    std::string unit;
    bool times;
    std::uint64_t step; ///< a plain number if it times, else one as the others
    unsigned places;
};

/** A decimal number and what follows it. */
struct NumberAndUnit
{
    std::string_view number;
    std::string unit;
};

NumberAndUnit
SplitUnit(std::string_view text)
{
    const auto digits = std::min(text.find_first_not_of("0123456789."), text.size());
    return {text.substr(0, digits), std::string(text.substr(digits))};
}

/** Digits after the point. */
unsigned
PlacesOf(std::string_view number)
{
    const auto point = number.find('.');
    const auto places = point == std::string_view::npos ? 0 : number.size() - point - 1;
    return static_cast<unsigned>(std::min<std::size_t>(places, g_mostPlaces));
}

std::uint64_t
Scaled(const NumberAndUnit& part, unsigned places)
{
    return static_cast<std::uint64_t>(ParseScaled(part.number, places));
}

/** A step that never reaches the end would go on forever. */
void
RequireStep(const Range& range, std::string_view text)
{
    const bool stands = range.times ? range.step < 2 || range.first == 0 : range.step == 0;
    if (stands || range.first > range.last)
    {
        throw UnitError(fmt::format("'{}' never gets from its first to its last value", text));
    }
}

Range
ParseRange(std::string_view text)
{
    const auto dots = text.find(g_dots);
    const auto colon = text.find(':', dots);
    const bool formed = colon != std::string_view::npos && colon + 2 < text.size() &&
                        (text[colon + 1] == 'x' || text[colon + 1] == '+');
    if (!formed)
    {
        throw UnitError(fmt::format("range '{}' needs a step, such as 2..64:x2 or 1..9:+2", text));
    }
    const auto first = SplitUnit(text.substr(0, dots));
    const auto last = SplitUnit(text.substr(dots + g_dots.size(), colon - dots - g_dots.size()));
    const auto step = SplitUnit(text.substr(colon + 2));
    const bool times = text[colon + 1] == 'x';
    if (first.unit != last.unit || (!step.unit.empty() && (times || step.unit != last.unit)))
    {
        throw UnitError(fmt::format("range '{}' needs the same unit throughout", text));
    }
    if (times && PlacesOf(step.number) > 0)
    {
        throw UnitError(fmt::format("range '{}' needs a whole number behind its x", text));
    }
    const auto places = std::max(
        {PlacesOf(first.number), PlacesOf(last.number), times ? 0 : PlacesOf(step.number)});
    const Range range{Scaled(first, places),
                      Scaled(last, places),
                      last.unit,
                      times,
                      Scaled(step, times ? 0 : places),
                      places};
    RequireStep(range, text);
    return range;
}

Texts
ValuesOf(const Range& range, std::size_t most)
{
    Texts values;
    for (auto value = range.first; values.size() <= most;)
    {
        values.push_back(ScaledText(value, range.places) + range.unit);
        const bool done =
            range.times ? value > range.last / range.step : range.step > range.last - value;
        if (done)
        {
            break;
        }
        value = range.times ? value * range.step : value + range.step;
    }
    return values;
}

} // namespace

std::vector<std::string>
ParseValues(std::string_view text, std::size_t most)
{
    Texts values;
    while (true)
    {
        const auto item = text.substr(0, text.find(','));
        const bool isRange = !item.empty() && item.front() >= '0' && item.front() <= '9' &&
                             item.find(g_dots) != std::string_view::npos;
        const auto more = isRange ? ValuesOf(ParseRange(item), most) : Texts{std::string(item)};
        values.insert(values.end(), more.begin(), more.end());
        if (item.size() == text.size() || values.size() > most)
        {
            return values;
        }
        text.remove_prefix(item.size() + 1);
    }
}

} // namespace inca
