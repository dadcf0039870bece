/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/grid.h"

#include "base/errors.h"
#include "base/printable.h"
#include "base/units.h"
#include "scenario/keys.h"
#include "scenario/value-list.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace inca
{

namespace
{

using Texts = std::vector<std::string>;

/** One key and the values that it takes. */
struct Axis
{
    std::string key;
    Texts values;
    std::string origin;
};

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
    axis.values = ParseValues(std::string_view(vary).substr(equals + 1), g_mostGridPoints);
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
