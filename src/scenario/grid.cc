/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/grid.h"

#include "base/errors.h"
#include "base/printable.h"
#include "base/units.h"
#include "base/value-form.h"
#include "scenario/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace inca
{

namespace
{

using Texts = std::vector<std::string>;

constexpr std::string_view g_dots = "..";

/** A decimal number and what follows it. */
struct NumberAndUnit
{
    std::string_view number;
    std::string_view unit;

    explicit NumberAndUnit(std::string_view text)
    {
        const auto digits = std::min(text.find_first_not_of("0123456789."), text.size());
        number = text.substr(0, digits);
        unit = text.substr(digits);
    }

    /** Digits after the point. */
    unsigned Places() const
    {
        constexpr std::size_t most = 15; // as ParseScaled takes them
        const auto point = number.find('.');
        const auto places = point == std::string_view::npos ? 0 : number.size() - point - 1;
        return static_cast<unsigned>(std::min(places, most));
    }

    std::uint64_t Scaled(unsigned places) const
    {
        return static_cast<std::uint64_t>(ParseScaled(number, places));
    }
};

/** @param text "2Gbps..64Gbps:x2" or "1..9:+2" @param most the list ends soon after so many */
Texts
ValuesOfRange(std::string_view text, std::size_t most)
{
    const auto refuse = [text](const std::string& why) {
        throw UnitError(fmt::format("range '{}' {}", text, why));
    };
    const auto dots = text.find(g_dots);
    const auto colon = std::min(text.find(':', dots), text.size());
    const auto way = text.substr(colon, 2);
    if ((way != ":x" && way != ":+") || colon + 2 == text.size())
    {
        refuse(fmt::format("needs a step, such as {0}:x2 or {0}:+2", text.substr(0, colon)));
    }
    const NumberAndUnit first(text.substr(0, dots));
    const NumberAndUnit last(text.substr(dots + g_dots.size(), colon - dots - g_dots.size()));
    const NumberAndUnit step(text.substr(colon + 2));
    const bool times = way == ":x";
    if (first.unit != last.unit || (!step.unit.empty() && (times || step.unit != last.unit)))
    {
        const auto unit = first.unit.empty() ? last.unit : first.unit;
        refuse(fmt::format("needs the same unit throughout: {0}{1}..{2}{1}:{3}{4}{5}",
                           first.number,
                           unit,
                           last.number,
                           way.substr(1),
                           step.number,
                           times ? "" : unit));
    }
    if (times && step.Places() > 0)
    {
        refuse("needs a whole number behind its x");
    }
    const auto places = std::max({first.Places(), last.Places(), times ? 0 : step.Places()});
    const auto end = last.Scaled(places);
    const auto by = step.Scaled(times ? 0 : places);
    auto value = first.Scaled(places);
    if (value > end || by == 0 || (times && (by == 1 || value == 0)))
    {
        throw UnitError(fmt::format("'{}' never gets from its first to its last value", text));
    }
    Texts values;
    for (bool more = true; more && values.size() <= most; value = times ? value * by : value + by)
    {
        values.push_back(ScaledText(value, places) + std::string(last.unit));
        more = times ? value <= end / by : by <= end - value;
    }
    return values;
}

/** One key and the values that it takes. */
struct Axis
{
    std::string key;
    Texts values;
    std::string origin;
};

/** What varies by itself: its alternatives, each with every one of the others. */
struct Dimension
{
    std::vector<GridPoint> alternatives;
    std::string origin;
};

/** Keys of workers and attributes are checked where they are set. */
bool
MayVary(std::string_view key)
{
    return FindKey(key) != nullptr || TableOf(key) == "attributes" ||
           key.substr(0, key.rfind('.')).find("cluster.worker.") == 0;
}

/** The text that all texts of the same value have. @throws UnitError if it is none of that key */
std::string
CanonicalText(const std::string& name, const std::string& value)
{
    const auto* key = FindKey(name);
    if (key == nullptr)
    {
        return value;
    }
    Scenario scratch;
    SetKey(scratch, *key, value);
    return key->text(scratch);
}

/** "key" and what stands behind its "=", which may be nothing. @throws UnitError if it is no key */
std::pair<std::string, std::string>
SplitSetting(const std::string& text, const char* form)
{
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
    {
        throw UnitError(std::string("needs the form ") + form);
    }
    auto key = PlainName(text.substr(0, equals));
    if (!MayVary(key))
    {
        throw UnitError(UnknownKey(key));
    }
    return {std::move(key), text.substr(equals + 1)};
}

/** What "4-128" most likely means. */
std::string
RangeHint(const std::string& value)
{
    const auto dash = value.find('-', 1);
    const auto isNumber = [&value](std::size_t at) {
        return at < value.size() && value[at] >= '0' && value[at] <= '9';
    };
    return dash != std::string::npos && isNumber(0) && isNumber(dash + 1)
               ? fmt::format(
                     "; a range is {}..{}:x2, say", value.substr(0, dash), value.substr(dash + 1))
               : "";
}

/** Values are checked one by one, so that a sweep does not stop at its last run. */
Axis
ParseAxis(const Varied& vary)
{
    constexpr const char* form = "key=value1,value2";
    const auto [key, text] = SplitSetting(vary.text, form);
    if (text.empty())
    {
        throw UnitError(std::string("needs the form ") + form);
    }
    Axis axis{key, ParseValues(text, g_mostGridPoints), vary.origin};
    for (const auto& value : axis.values)
    {
        try
        {
            CanonicalText(key, value);
        }
        catch (const UnitError& error)
        {
            throw UnitError(error.what() + RangeHint(value));
        }
    }
    return axis;
}

void
RequireDifferentValues(const Axis& axis)
{
    std::set<std::string> known;
    for (const auto& value : axis.values)
    {
        if (!known.insert(CanonicalText(axis.key, value)).second)
        {
            throw UnitError("'" + value + "' is there twice; leave one of them out");
        }
    }
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

/** All that varies, checked as it is added. */
class GridMaker
{
  public:
    void AddSystems(const std::vector<System>& systems)
    {
        if (systems.empty())
        {
            return;
        }
        Dimension dimension{{}, systems.front().origin};
        std::set<std::string> labels;
        for (const auto& system : systems)
        {
            if (!labels.insert(system.label).second)
            {
                m_complaints.push_back(
                    Printable(system.origin + ": there are two systems '" + system.label + "'"));
            }
            dimension.alternatives.push_back(PointOf(system));
        }
        m_dimensions.push_back(std::move(dimension));
    }

    void AddZip(const std::vector<Varied>& zip)
    {
        RequireFewKeys(zip);
        std::vector<Axis> axes;
        for (const auto& varied : zip)
        {
            Try(varied, [&] {
                auto axis = ParseAxis(varied);
                RequireOnce(axis.key);
                if (!axes.empty() && axes.front().values.size() != axis.values.size())
                {
                    throw UnitError(fmt::format("has {} values, and {} has {}; zipped keys have as "
                                                "many as each other",
                                                axis.values.size(),
                                                axes.front().key,
                                                axes.front().values.size()));
                }
                axes.push_back(std::move(axis));
            });
        }
        if (!axes.empty())
        {
            m_dimensions.push_back(Together(axes));
        }
    }

    void AddVary(const std::vector<Varied>& vary)
    {
        RequireFewKeys(vary);
        for (const auto& varied : vary)
        {
            Try(varied, [&] {
                const auto axis = ParseAxis(varied);
                RequireOnce(axis.key);
                RequireDifferentValues(axis);
                m_dimensions.push_back(Together({axis}));
            });
        }
    }

    std::vector<GridPoint> Points() const
    {
        if (!m_complaints.empty())
        {
            throw InputError(m_complaints);
        }
        std::vector<GridPoint> points(CountPoints());
        auto repeats = points.size();
        for (const auto& [alternatives, origin] : m_dimensions)
        {
            repeats /= alternatives.size();
            for (std::size_t i = 0; i < points.size(); ++i)
            {
                Add(alternatives[i / repeats % alternatives.size()], points[i]);
            }
        }
        return points;
    }

  private:
    /** What @p check throws is wrong with @p varied. */
    template <class Check>
    void Try(const Varied& varied, Check check)
    {
        try
        {
            check();
        }
        catch (const UnitError& error)
        {
            m_complaints.push_back(Printable(
                fmt::format("{} {}: {}", varied.origin, VariedName(varied.text), error.what())));
        }
    }

    static void Add(const GridPoint& alternative, GridPoint& point)
    {
        const auto& [label, ofSystem, varied] = alternative;
        point.label += label;
        point.ofSystem.insert(point.ofSystem.end(), ofSystem.begin(), ofSystem.end());
        point.varied.insert(point.varied.end(), varied.begin(), varied.end());
    }

    GridPoint PointOf(const System& system)
    {
        GridPoint point{system.label, {}, {}};
        std::set<std::string> keys;
        for (const auto& setting : system.settings)
        {
            Try(setting, [&] {
                const auto [key, value] = SplitSetting(setting.text, "key=value");
                CanonicalText(key, value);
                if (!keys.insert(key).second)
                {
                    throw UnitError("is there twice; leave one of them out");
                }
                m_ofSystems.emplace(key, system.label);
                point.ofSystem.push_back({key + "=" + value, setting.origin});
            });
        }
        return point;
    }

    /** @throws UnitError if something else varies @p key */
    void RequireOnce(const std::string& key)
    {
        const auto system = m_ofSystems.find(key);
        if (system != m_ofSystems.end())
        {
            throw UnitError("is set by system '" + system->second +
                            "', too; leave one of them out");
        }
        if (!m_keys.insert(key).second)
        {
            throw UnitError("is varied twice; join its values with commas");
        }
    }

    /** @param axes of one length */
    static Dimension Together(const std::vector<Axis>& axes)
    {
        Dimension dimension{{}, axes.front().origin};
        for (std::size_t i = 0; i < axes.front().values.size(); ++i)
        {
            GridPoint point;
            for (const auto& axis : axes)
            {
                point.varied.push_back({axis.key + "=" + axis.values[i], axis.origin});
            }
            dimension.alternatives.push_back(std::move(point));
        }
        return dimension;
    }

    std::size_t CountPoints() const
    {
        std::size_t points = 1;
        for (const auto& [alternatives, origin] : m_dimensions)
        {
            points *= alternatives.size(); // both at most g_mostGridPoints + 1: no overflow
            if (points > g_mostGridPoints)
            {
                throw InputError(
                    fmt::format("{}: the grid has more than {} points", origin, g_mostGridPoints));
            }
        }
        return points;
    }

    std::vector<Dimension> m_dimensions;
    std::set<std::string> m_keys;                   ///< of zip and vary
    std::map<std::string, std::string> m_ofSystems; ///< keys that a system sets, and which
    Texts m_complaints;
};

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
        const auto more = isRange ? ValuesOfRange(item, most) : Texts{std::string(item)};
        values.insert(values.end(), more.begin(), more.end());
        if (item.size() == text.size() || values.size() > most)
        {
            return values;
        }
        text.remove_prefix(item.size() + 1);
    }
}

std::vector<GridPoint>
ExpandGrid(const SweepSpec& spec)
{
    GridMaker maker;
    maker.AddSystems(spec.systems);
    maker.AddZip(spec.zip);
    maker.AddVary(spec.vary);
    return maker.Points();
}

} // namespace inca
