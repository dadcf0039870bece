/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/keys.h"

#include "base/nearest.h"
#include "base/units.h"
#include "exchange/exchange-catalog.h"
#include "scenario/key-row.h"
#include "scenario/repeated-tables.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace inca
{

namespace
{

constexpr const char* g_originKey = "simulation.seed"; ///< a column of a row's origin instead
constexpr const char* g_attributesColumn = "attributes";
constexpr std::size_t g_shownLength = 100; ///< of an unknown name

/** The names of all keys that @p isMeant says so of. */
template <class IsMeant>
std::vector<std::string>
NamesOfKeys(IsMeant isMeant)
{
    std::vector<std::string> names;
    for (const auto& key : ScenarioKeys())
    {
        if (isMeant(key.name))
        {
            names.push_back(key.name);
        }
    }
    return names;
}

/** The names of a table's keys, or of all keys if there is no such table. */
std::vector<std::string>
NamesNear(const std::string& table)
{
    const auto inTable = NamesOfKeys([&](const auto& name) { return TableOf(name) == table; });
    return inTable.empty() ? NamesOfKeys([](const auto&) { return true; }) : inTable;
}

/** @return what @p key says against @p text; empty: it takes it */
std::string
WhyNot(const Key& key, std::string_view text)
{
    try
    {
        Scenario scratch;
        key.set(scratch, text);
        return "";
    }
    catch (const UnitError& error)
    {
        return error.what();
    }
}

bool
SetsSomeOf(std::string_view ofClass, const Key& key)
{
    const auto& paths = key.attributes.paths;
    return std::any_of(paths.begin(), paths.end(), [ofClass](const std::string& path) {
        return ClassOf(path) == ofClass;
    });
}

/** [attributes] */
std::vector<ResolvedSetting>
AttributeSettings(const Scenario& scenario)
{
    std::vector<ResolvedSetting> settings;
    for (const auto& [path, value] : scenario.attributes)
    {
        settings.push_back({"attributes", path, value, true});
    }
    return settings;
}

/** Whether it has a column for itself. */
bool
HasOwnColumn(const Key& key)
{
    return key.name != g_originKey && key.column != GROUP_CODECS_COLUMN;
}

/** What groups say of their codecs but names: "replica.bound" of group.replica.codec.bound. */
std::vector<ResolvedSetting>
GroupCodecSettings(const Scenario& scenario, bool withIdle)
{
    std::vector<ResolvedSetting> settings;
    for (const auto& key : ScenarioKeys())
    {
        if (key.column == GROUP_CODECS_COLUMN && !key.text(scenario).empty() &&
            (withIdle || IdleReason(key, scenario).empty()))
        {
            const auto group = LeafOf(key.name.substr(0, key.name.find(".codec")));
            settings.push_back({"", group + "." + LeafOf(key.name), key.text(scenario), false});
        }
    }
    return settings;
}

/** "2.bandwidth=1Gbps;3.compute_scale=2" */
std::string
JoinedSettings(const std::vector<ResolvedSetting>& settings)
{
    std::string joined;
    for (const auto& setting : settings)
    {
        joined += (joined.empty() ? "" : ";") + setting.key + "=" + setting.text;
    }
    return joined;
}

std::vector<SettingColumn>
Columns(const Scenario& scenario, bool withIdle)
{
    std::vector<SettingColumn> columns;
    for (const auto& key : ScenarioKeys())
    {
        if (HasOwnColumn(key))
        {
            const bool isShown = withIdle || IdleReason(key, scenario).empty();
            columns.push_back({key.column, isShown ? key.columnText(scenario) : ""});
        }
    }
    columns.push_back(
        {GROUP_CODECS_COLUMN, JoinedSettings(GroupCodecSettings(scenario, withIdle))});
    for (const auto& table : RepeatedTables())
    {
        columns.push_back({table.column, JoinedSettings(table.settings(scenario))});
    }
    columns.push_back({g_attributesColumn, JoinedSettings(AttributeSettings(scenario))});
    return columns;
}

} // namespace

const std::vector<Key>&
ScenarioKeys()
{
    static const auto keys = [] {
        auto all = WorkloadKeys();
        for (const auto& more : {AggregationKeys(AggregationSchemeCatalog().Rows()), HostKeys()})
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

std::vector<std::string>
FileTables()
{
    auto names = TableNames();
    names.insert(names.end(), {"group.data", "group.data.codec", "attributes", "sweep"});
    return names;
}

const Key*
FindKey(std::string_view name)
{
    const auto& keys = ScenarioKeys();
    const auto found =
        std::find_if(keys.begin(), keys.end(), [name](const Key& key) { return key.name == name; });
    return found == keys.end() ? nullptr : &*found;
}

void
SetKey(Scenario& scenario, std::string_view name, std::string_view text)
{
    if (const auto* table = FindRepeatedTable(name); table != nullptr && table->name != name)
    {
        table->Set(scenario, name.substr(table->name.size() + 1), text);
        return;
    }
    const auto* key = FindKey(name);
    if (key == nullptr)
    {
        throw UnitError(UnknownKey(name));
    }
    SetKey(scenario, *key, text);
}

void
SetKey(Scenario& scenario, const Key& key, std::string_view text)
{
    const auto why = WhyNot(key, text);
    const bool isName = !text.empty() && text.front() >= 'a' && text.front() <= 'z';
    for (const auto& other : ScenarioKeys())
    {
        if (!why.empty() && isName && TableOf(other.name) == TableOf(key.name) &&
            WhyNot(other, text).empty() && !WhyNot(other, "?").empty())
        {
            throw UnitError(fmt::format("{}; it is a value of {} ({})",
                                        why,
                                        other.name,
                                        other.meaning.substr(0, other.meaning.find(';'))));
        }
    }
    key.set(scenario, text);
}

std::string
TableOf(std::string_view name)
{
    constexpr auto none = std::string_view::npos;
    auto end = name.find('.');
    if (name.substr(0, end) == "group" && end != none)
    {
        end = name.find('.', end + 1);
        const bool isOfCodec = end != none && name.substr(end, 6) == ".codec";
        end = isOfCodec ? name.find('.', end + 1) : end;
    }
    return std::string(name.substr(0, end));
}

std::string
LeafOf(std::string_view name)
{
    return std::string(name.substr(name.rfind('.') + 1)); // npos + 1 is 0
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
    constexpr std::string_view ofCodec = "group.data.codec.";
    return plain == "group.data.algorithm" ? "exchange.algorithm"
           : plain.rfind(ofCodec, 0) == 0  ? "codec." + plain.substr(ofCodec.size())
                                           : plain;
}

std::string
NearestKey(std::string_view name)
{
    const auto leaf = LeafOf(name);
    const auto elsewhere = NamesOfKeys([&](const auto& other) { return LeafOf(other) == leaf; });
    return elsewhere.size() == 1 ? elsewhere.front() : Nearest(name, NamesNear(TableOf(name)));
}

std::string
UnknownKey(std::string_view name)
{
    static const std::map<std::string_view, const char*> removed{
        {"simulation.frames_per_train",
         "gone; write simulation.mode = \"packet\" for every frame of every rank"},
        {"simulation.max_baseline_cpu_time",
         "gone, as a run is compared with nothing by itself; inca sweep --against LABEL compares "
         "with a system that you name, and inca decide with the best uncompressed one"},
        {"exchange.segment_bytes", "gone; exchange.broadcast is binomial or flat"},
    };
    if (const auto found = removed.find(name); found != removed.end())
    {
        return found->second;
    }
    const auto nearest = NearestKey(name);
    const auto table = TableOf(name);
    const bool isTable = table == name && !Nearest(name, FileTables()).empty();
    if (isTable || (nearest.empty() && !IsAmong(table, FileTables())))
    {
        return UnknownName(table, FileTables(), "table ");
    }
    return nearest.empty() ? UnknownName(name, NamesNear(table))
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

bool
ChoosesDefault(const Key& chooser, const Key& key)
{
    return chooser.isPreset && TableOf(chooser.name) == TableOf(key.name) && !key.isPreset;
}

std::string
DefaultIn(const Scenario& scenario, const Key& key)
{
    Scenario standard;
    for (const auto& other : ScenarioKeys())
    {
        if (ChoosesDefault(other, key))
        {
            other.set(standard, other.text(scenario));
        }
    }
    return key.text(standard);
}

std::string
IdleReason(const Key& key, const Scenario& scenario)
{
    for (const auto& condition : key.conditions)
    {
        if (!condition.holds(scenario))
        {
            return Filled(condition.otherwise, scenario);
        }
    }
    return key.idle ? key.idle(scenario) : std::string();
}

KeyCondition
Is(const std::string& key, const std::vector<std::string>& values)
{
    return {[=](const Scenario& s) { return IsAmong(Filled("{" + key + "}", s), values); },
            key + " is {" + key + "}"};
}

KeyCondition
IsNot(const std::string& key, const std::string& value)
{
    return {[=](const Scenario& s) { return Filled("{" + key + "}", s) != value; },
            key + " is " + value};
}

std::string
Filled(const std::string& text, const Scenario& scenario)
{
    std::string filled;
    std::size_t at = 0;
    for (auto open = text.find('{'); open != std::string::npos; open = text.find('{', at))
    {
        const auto close = text.find('}', open);
        const auto* key = FindKey(text.substr(open + 1, close - open - 1));
        const auto value = key->text(scenario);
        filled += text.substr(at, open - at) + (value.empty() ? key->columnText(scenario) : value);
        at = close + 1;
    }
    return filled + text.substr(at);
}

const Key*
FindKeyOfAttribute(std::string_view path)
{
    const auto& keys = ScenarioKeys();
    const auto found = std::find_if(keys.begin(), keys.end(), [path](const Key& key) {
        return IsAmong(path, key.attributes.paths);
    });
    return found == keys.end() ? nullptr : &*found;
}

std::string
AttributeComplaint(std::string_view path, const std::string& text)
{
    const auto* key = FindKeyOfAttribute(path);
    if (key == nullptr)
    {
        return "";
    }
    if (!key->attributes.apart)
    {
        return "write " + key->name + ", which sets it";
    }
    const auto why = WhyNot(*key, text);
    return why.empty() ? why : "sets " + key->name + ": " + why;
}

std::string
IdleAttribute(std::string_view path, const Scenario& scenario)
{
    std::string reason;
    for (const auto& key : ScenarioKeys())
    {
        if (SetsSomeOf(ClassOf(path), key))
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
            settings.push_back({TableOf(key.name), LeafOf(key.name), std::move(text), quoted});
        }
    }
    const auto add = [&settings](const std::vector<ResolvedSetting>& more) {
        settings.insert(settings.end(), more.begin(), more.end());
    };
    for (const auto& table : RepeatedTables())
    {
        add(table.settings(scenario));
    }
    add(AttributeSettings(scenario));
    return settings;
}

std::vector<ColumnMeaning>
SettingColumnMeanings()
{
    std::vector<ColumnMeaning> columns;
    for (const auto& key : ScenarioKeys())
    {
        if (HasOwnColumn(key))
        {
            columns.push_back({key.column, key.name + ": " + key.meaning});
        }
    }
    columns.push_back(
        {GROUP_CODECS_COLUMN, "[group.shard.codec] and its like: replica.bound=2^-6;..."});
    for (const auto& table : RepeatedTables())
    {
        columns.push_back(
            {table.column,
             fmt::format("[[{}]], with {}: {}", table.name, table.id.name, table.example)});
    }
    columns.push_back({g_attributesColumn, "[attributes]: those that no key sets"});
    return columns;
}

std::vector<SettingColumn>
SettingColumns(const Scenario& scenario)
{
    return Columns(scenario, false);
}

std::vector<SettingColumn>
GivenColumns(const Scenario& scenario)
{
    return Columns(scenario, true);
}

} // namespace inca
