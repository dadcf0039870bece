/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/keys.h"

#include "base/nearest.h"
#include "base/units.h"
#include "scenario/key-row.h"
#include "scenario/worker-settings.h"

#include <algorithm>

namespace inca
{

namespace
{

constexpr const char* g_originKey = "simulation.seed"; ///< a column of a row's origin instead
constexpr const char* g_overridesColumn = "worker_overrides";
constexpr const char* g_attributesColumn = "attributes";
constexpr std::size_t g_shownLength = 100; ///< of an unknown name

std::string_view
LeafOf(std::string_view name)
{
    const auto point = name.rfind('.');
    return point == std::string_view::npos ? name : name.substr(point + 1);
}

/** @return the only key that is called @p leaf, in whatever table, or empty */
std::string
ElsewhereNamed(std::string_view leaf)
{
    std::string found;
    for (const auto& key : ScenarioKeys())
    {
        if (LeafOf(key.name) == leaf)
        {
            if (!found.empty())
            {
                return "";
            }
            found = key.name;
        }
    }
    return found;
}

/** The names of a table's keys, or of all keys if there is no such table. */
std::vector<std::string>
NamesNear(const std::string& table)
{
    std::vector<std::string> inTable;
    std::vector<std::string> all;
    for (const auto& key : ScenarioKeys())
    {
        all.emplace_back(key.name);
        if (TableOf(key.name) == table)
        {
            inTable.emplace_back(key.name);
        }
    }
    return inTable.empty() ? all : inTable;
}

bool
IsAmong(std::string_view name, const std::vector<std::string>& names)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool
SetsSomeOf(std::string_view ofClass, const Key& key)
{
    const auto& paths = key.attributes.paths;
    return std::any_of(paths.begin(), paths.end(), [ofClass](const std::string& path) {
        return ClassOf(path) == ofClass;
    });
}

/** "1:bandwidth=1Gbps;3:compute_scale=2" */
std::string
OverridesColumn(const Scenario& scenario)
{
    std::string text;
    for (const auto& setting : WorkerSettings(scenario))
    {
        text += (text.empty() ? "" : ";") + setting.name + "=" + setting.text;
    }
    return text;
}

std::string
AttributesColumn(const Scenario& scenario)
{
    std::string text;
    for (const auto& [path, value] : scenario.attributes)
    {
        text += (text.empty() ? "" : ";") + path + "=" + value;
    }
    return text;
}

/** @param matters whether a key's value is shown */
template <class Matters>
std::vector<SettingColumn>
Columns(const Scenario& scenario, Matters matters)
{
    std::vector<SettingColumn> columns;
    for (const auto& key : ScenarioKeys())
    {
        if (key.name != std::string_view(g_originKey))
        {
            columns.push_back({key.column, matters(key) ? key.columnText(scenario) : ""});
        }
    }
    columns.push_back({g_overridesColumn, OverridesColumn(scenario)});
    columns.push_back({g_attributesColumn, AttributesColumn(scenario)});
    return columns;
}

} // namespace

const std::vector<Key>&
ScenarioKeys()
{
    static const auto keys = [] {
        auto all = WorkloadKeys();
        for (const auto& more : {AggregationKeys(AggregationSchemeCatalog()), HostKeys()})
        {
            all.insert(all.end(), more.begin(), more.end());
        }
        return all;
    }();
    return keys;
}

std::vector<std::string>
TableNames()
{
    std::vector<std::string> names;
    for (const auto& key : ScenarioKeys())
    {
        const auto table = TableOf(key.name);
        if (names.empty() || names.back() != table)
        {
            names.push_back(table);
        }
    }
    return names;
}

const Key*
FindKey(std::string_view name)
{
    for (const auto& key : ScenarioKeys())
    {
        if (name == key.name)
        {
            return &key;
        }
    }
    return nullptr;
}

void
SetKey(Scenario& scenario, std::string_view name, std::string_view text)
{
    const auto* key = FindKey(name);
    if (key == nullptr)
    {
        throw UnitError(UnknownKey(name));
    }
    key->set(scenario, text);
}

std::string
TableOf(std::string_view name)
{
    return std::string(name.substr(0, name.find('.')));
}

std::string_view
ClassOf(std::string_view path)
{
    const auto end = path.rfind("::");
    return path.substr(0, end == std::string_view::npos ? 0 : end);
}

std::string
PlainName(std::string_view name)
{
    std::string plain(name);
    plain.erase(std::remove(plain.begin(), plain.end(), '"'), plain.end());
    return plain;
}

std::string
NearestKey(std::string_view name)
{
    const auto elsewhere = ElsewhereNamed(LeafOf(name));
    return elsewhere.empty() ? Nearest(name, NamesNear(TableOf(name))) : elsewhere;
}

std::string
UnknownKey(std::string_view name)
{
    if (name == "simulation.frames_per_train")
    {
        return "gone; write simulation.mode = \"packet\" for every frame of every rank";
    }
    if (name == "simulation.max_baseline_cpu_time")
    {
        return "gone, as a run is compared with nothing by itself; inca sweep --against LABEL "
               "compares with a system that you name, and inca decide with the best uncompressed "
               "one";
    }
    const auto nearest = NearestKey(name);
    return nearest.empty() ? UnknownName(name, NamesNear(TableOf(name)))
                           : "unknown '" + std::string(name.substr(0, g_shownLength)) +
                                 "'; did you mean '" + nearest + "'?";
}

bool
IsQuoted(ValueType type, std::string_view text)
{
    const bool isNumber = !text.empty() && text.front() >= '0' && text.front() <= '9';
    return type == ValueType::TEXT || (type == ValueType::NUMBER_OR_NAME && !isNumber);
}

std::string
DefaultText(const Key& key)
{
    return key.text(Scenario{});
}

std::string
DefaultIn(const Scenario& scenario, const Key& key)
{
    Scenario standard;
    for (const auto& other : ScenarioKeys())
    {
        if (IsAmong(key.name, other.defaultsOf))
        {
            other.set(standard, other.text(scenario));
        }
    }
    return key.text(standard);
}

std::string
IdleReason(const Key& key, const Scenario& scenario)
{
    return key.idle ? key.idle(scenario) : std::string();
}

const Key*
FindKeyOfAttribute(std::string_view path)
{
    for (const auto& key : ScenarioKeys())
    {
        if (IsAmong(path, key.attributes.paths))
        {
            return &key;
        }
    }
    return nullptr;
}

std::string
IdleAttribute(std::string_view path, const Scenario& scenario)
{
    const auto ofClass = ClassOf(path);
    std::string reason;
    for (const auto& key : ScenarioKeys())
    {
        if (IsAmong(ofClass, key.classes.names))
        {
            return key.classes.missing(scenario);
        }
        if (SetsSomeOf(ofClass, key))
        {
            reason = IdleReason(key, scenario);
            if (reason.empty())
            {
                return "";
            }
        }
    }
    return reason;
}

std::vector<ResolvedSetting>
ResolvedSettings(const Scenario& scenario)
{
    std::vector<ResolvedSetting> settings;
    for (const auto& key : ScenarioKeys())
    {
        auto text = key.text(scenario);
        if (!text.empty())
        {
            const bool quoted = IsQuoted(key.type, text);
            settings.push_back(
                {TableOf(key.name), std::string(LeafOf(key.name)), std::move(text), quoted});
        }
    }
    for (const auto& setting : WorkerSettings(scenario))
    {
        settings.push_back({"cluster.worker", setting.name, setting.text, setting.quoted});
    }
    for (const auto& [path, value] : scenario.attributes)
    {
        settings.push_back({"attributes", path, value, true});
    }
    return settings;
}

std::vector<ColumnMeaning>
SettingColumnMeanings()
{
    std::vector<ColumnMeaning> columns;
    for (const auto& key : ScenarioKeys())
    {
        if (key.name != std::string_view(g_originKey))
        {
            columns.push_back({key.column, key.name + ": " + key.meaning});
        }
    }
    columns.push_back({g_overridesColumn, "[[cluster.worker]]: 2.bandwidth=10Gbps;..."});
    columns.push_back({g_attributesColumn, "[attributes]: those that no key sets"});
    return columns;
}

std::vector<SettingColumn>
SettingColumns(const Scenario& scenario)
{
    return Columns(scenario,
                   [&scenario](const Key& key) { return IdleReason(key, scenario).empty(); });
}

std::vector<SettingColumn>
GivenColumns(const Scenario& scenario)
{
    return Columns(scenario, [](const Key&) { return true; });
}

} // namespace inca
