/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/grid.h"

#include "base/errors.h"
#include "base/units.h"
#include "scenario/key-text.h"
#include "scenario/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string_view>

namespace inca
{

namespace
{

using Texts = std::vector<std::string>;

constexpr unsigned g_mostPlaces = 15; ///< after the point, as ParseScaled takes them
constexpr std::string_view g_dots = "..";

/** One key and the values that it takes. */
struct Axis
{
    std::string key;
    Texts values;
    std::string origin;
};

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
ValuesOf(const Range& range)
{
    Texts values;
    for (auto value = range.first; values.size() <= g_mostGridPoints;)
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

/** What stands between commas; a range stands for several. */
Texts
ParseValues(std::string_view text)
{
    Texts values;
    while (true)
    {
        const auto item = text.substr(0, text.find(','));
        const bool isRange = !item.empty() && item.front() >= '0' && item.front() <= '9' &&
                             item.find(g_dots) != std::string_view::npos;
        const auto more = isRange ? ValuesOf(ParseRange(item)) : Texts{std::string(item)};
        values.insert(values.end(), more.begin(), more.end());
        if (item.size() == text.size() || values.size() > g_mostGridPoints)
        {
            return values;
        }
        text.remove_prefix(item.size() + 1);
    }
}

/** Keys of workers and attributes are checked where they are set. */
bool
MayVary(std::string_view key)
{
    return FindKey(key) != nullptr || TableOf(key) == "attributes" ||
           key.substr(0, key.rfind('.')).find("cluster.worker.") == 0;
}

/** The text that all texts of the same value have. */
std::string
CanonicalText(const Key* key, const std::string& value)
{
    if (key == nullptr)
    {
        return value;
    }
    Scenario scratch;
    key->set(scratch, value);
    return key->text(scratch);
}

/** Values are checked one by one, so that a sweep does not stop at its last run. */
void
CheckValues(const Axis& axis)
{
    const auto* key = FindKey(axis.key);
    std::set<std::string> known;
    for (const auto& value : axis.values)
    {
        if (!known.insert(CanonicalText(key, value)).second)
        {
            throw UnitError("'" + value + "' is there twice; leave one of them out");
        }
    }
}

Axis
ParseAxis(const std::string& vary)
{
    const auto equals = vary.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == vary.size())
    {
        throw UnitError("needs the form key=value1,value2");
    }
    Axis axis{PlainName(vary.substr(0, equals)), {}, {}};
    if (!MayVary(axis.key))
    {
        throw UnitError(UnknownKey(axis.key));
    }
    axis.values = ParseValues(std::string_view(vary).substr(equals + 1));
    CheckValues(axis);
    return axis;
}

void
RequireOnce(const std::vector<Axis>& axes, const Axis& axis)
{
    const bool again = std::any_of(
        axes.begin(), axes.end(), [&axis](const Axis& other) { return other.key == axis.key; });
    if (again)
    {
        throw UnitError("is varied twice; join its values with commas");
    }
}

/** What stands before the values. */
std::string
NameIn(const std::string& text)
{
    return text.substr(0, text.find('='));
}

void
RequireFewKeys(const std::vector<Varied>& vary)
{
    if (vary.size() > g_mostVariedKeys)
    {
        throw InputError(
            fmt::format("{}: more than {} keys", vary[g_mostVariedKeys].origin, g_mostVariedKeys));
    }
}

std::vector<Axis>
ParseAxes(const std::vector<Varied>& vary)
{
    RequireFewKeys(vary);
    std::vector<Axis> axes;
    Texts complaints;
    for (const auto& [text, origin] : vary)
    {
        try
        {
            auto axis = ParseAxis(text);
            RequireOnce(axes, axis);
            axis.origin = origin;
            axes.push_back(std::move(axis));
        }
        catch (const UnitError& error)
        {
            complaints.push_back(
                Printable(fmt::format("{} {}: {}", origin, NameIn(text), error.what())));
        }
    }
    if (!complaints.empty())
    {
        throw InputError(complaints);
    }
    return axes;
}

bool
IsSet(const std::string& name, const Texts& settings)
{
    return std::any_of(settings.begin(), settings.end(), [&name](const std::string& setting) {
        return PlainName(NameIn(setting)) == name;
    });
}

std::size_t
CountPoints(const std::vector<Axis>& axes)
{
    std::size_t points = 1;
    for (const auto& axis : axes)
    {
        points *= axis.values.size(); // both at most g_mostGridPoints + 1: no overflow
        if (points > g_mostGridPoints)
        {
            throw InputError(
                fmt::format("{}: the grid has more than {} points", axis.origin, g_mostGridPoints));
        }
    }
    return points;
}

} // namespace

std::vector<std::vector<Varied>>
ExpandGrid(const std::vector<Varied>& vary)
{
    const auto axes = ParseAxes(vary);
    std::vector<std::vector<Varied>> points(CountPoints(axes));
    std::size_t repeats = points.size();
    for (const auto& axis : axes)
    {
        repeats /= axis.values.size();
        for (std::size_t i = 0; i < points.size(); ++i)
        {
            const auto& value = axis.values[i / repeats % axis.values.size()];
            points[i].push_back({axis.key + "=" + value, axis.origin});
        }
    }
    return points;
}

std::vector<Varied>
JoinSweeps(const std::vector<Varied>& ofFile,
           const std::vector<Varied>& vary,
           const std::vector<std::string>& settings)
{
    auto rest = vary;
    std::vector<Varied> joined;
    for (const auto& varied : ofFile)
    {
        const auto name = PlainName(NameIn(varied.text));
        const auto same = std::find_if(rest.begin(), rest.end(), [&name](const Varied& other) {
            return PlainName(NameIn(other.text)) == name;
        });
        if (same != rest.end())
        {
            joined.push_back(*same);
            rest.erase(same);
        }
        else if (!IsSet(name, settings))
        {
            joined.push_back(varied);
        }
    }
    joined.insert(joined.end(), rest.begin(), rest.end());
    return joined;
}

} // namespace inca
