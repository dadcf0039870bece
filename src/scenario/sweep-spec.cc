/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/sweep-spec.h"

#include "base/errors.h"
#include "base/nearest.h"
#include "base/printable.h"
#include "scenario/keys.h"

#include <fmt/format.h>

#include <algorithm>

namespace inca
{

namespace
{

constexpr const char* g_vary = "sweep.vary";
constexpr const char* g_zip = "sweep.zip";
constexpr const char* g_where = "sweep.where";
constexpr const char* g_system = "sweep.system";
constexpr const char* g_label = "sweep.system.label";
constexpr const char* g_set = "sweep.system.set";

void
RequireTexts(const TomlEntry& entry, const std::string& example, const SweepComplaint& complain)
{
    if (entry.kind != TomlKind::TEXTS || entry.texts.empty())
    {
        const bool isEmpty = entry.kind == TomlKind::TEXTS;
        complain(entry.valuePlace,
                 entry.name,
                 fmt::format("needs a list of texts, such as [\"{}\"], got {}",
                             example,
                             isEmpty ? "an empty list" : entry.kindName));
    }
}

void
RequireText(const TomlEntry& entry, const std::string& example, const SweepComplaint& complain)
{
    if (entry.kind != TomlKind::TEXT || entry.text.empty())
    {
        const bool isEmpty = entry.kind == TomlKind::TEXT;
        complain(entry.valuePlace,
                 entry.name,
                 fmt::format("needs a text, such as \"{}\", got {}",
                             example,
                             isEmpty ? "an empty one" : entry.kindName));
    }
}

const TomlEntry*
Find(const std::vector<TomlEntry>& table, const std::string& name)
{
    const auto found = std::find_if(
        table.begin(), table.end(), [&name](const auto& entry) { return entry.name == name; });
    return found == table.end() ? nullptr : &*found;
}

void
CheckSystem(const std::vector<TomlEntry>& table,
            const TextPlace& place,
            const SweepComplaint& complain)
{
    for (const auto& entry : table)
    {
        if (entry.name == g_label)
        {
            RequireText(entry, "ring + inceptionn", complain);
        }
        else if (entry.name == g_set)
        {
            RequireTexts(entry, "exchange.algorithm=ring", complain);
        }
        else
        {
            complain(entry.keyPlace, entry.name, UnknownName(entry.name, {g_label, g_set}));
        }
    }
    for (const auto* name : {g_label, g_set})
    {
        if (Find(table, name) == nullptr)
        {
            complain(place, name, "is missing: every [[sweep.system]] has label and set");
        }
    }
}

void
CheckSystems(const TomlEntry& entry, const SweepComplaint& complain)
{
    if (entry.kind != TomlKind::TABLES)
    {
        complain(entry.valuePlace,
                 entry.name,
                 "needs double brackets, [[sweep.system]], one for each system");
        return;
    }
    for (const auto& table : entry.tables)
    {
        CheckSystem(table, table.empty() ? entry.valuePlace : table.front().keyPlace, complain);
    }
}

std::string
OriginOf(const std::string& fileName, const TextPlace& place, const std::string& name)
{
    return InputPlace{fileName, place.line, place.column, ""}.Prefix() + name;
}

std::vector<Varied>
TextsOf(const TomlEntry& entry, const std::string& fileName, const std::string& name)
{
    std::vector<Varied> texts;
    for (const auto& [text, place] : entry.texts)
    {
        texts.push_back({text, OriginOf(fileName, place, name)});
    }
    return texts;
}

System
SystemOf(const std::vector<TomlEntry>& table, const std::string& fileName)
{
    System system;
    const auto* label = Find(table, g_label);
    const auto* set = Find(table, g_set);
    if (label != nullptr && set != nullptr)
    {
        const auto name = fmt::format("{} '{}'", g_system, label->text);
        system.label = label->text;
        system.settings = TextsOf(*set, fileName, name);
        system.origin = OriginOf(fileName, label->valuePlace, g_system);
    }
    return system;
}

void
Add(const TomlEntry& entry, const std::string& fileName, SweepSpec& spec)
{
    if (entry.name == g_vary)
    {
        spec.vary = TextsOf(entry, fileName, g_vary);
    }
    else if (entry.name == g_zip)
    {
        spec.zip = TextsOf(entry, fileName, g_zip);
    }
    else if (entry.name == g_where)
    {
        spec.where = {{entry.text, OriginOf(fileName, entry.valuePlace, g_where)}};
    }
    else if (entry.name == g_system)
    {
        for (const auto& table : entry.tables)
        {
            spec.systems.push_back(SystemOf(table, fileName));
        }
    }
}

bool
IsSet(const std::string& name, const std::vector<std::string>& settings)
{
    return std::any_of(settings.begin(), settings.end(), [&name](const std::string& setting) {
        return VariedName(setting) == name;
    });
}

std::vector<Varied>
JoinVaried(const std::vector<Varied>& ofFile,
           std::vector<Varied> rest,
           const std::vector<std::string>& settings)
{
    std::vector<Varied> joined;
    for (const auto& varied : ofFile)
    {
        const auto name = VariedName(varied.text);
        const auto same = std::find_if(rest.begin(), rest.end(), [&name](const Varied& other) {
            return VariedName(other.text) == name;
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

/** Two of the same label among @p options stay two: a grid refuses them. */
std::vector<System>
JoinSystems(const std::vector<System>& ofFile, std::vector<System> rest)
{
    std::vector<System> joined;
    for (const auto& system : ofFile)
    {
        const auto same = std::find_if(rest.begin(), rest.end(), [&system](const System& other) {
            return other.label == system.label;
        });
        joined.push_back(same == rest.end() ? system : *same);
        if (same != rest.end())
        {
            rest.erase(same);
        }
    }
    joined.insert(joined.end(), rest.begin(), rest.end());
    return joined;
}

} // namespace

System
ParseSystem(const std::string& option)
{
    const auto colon = option.find(':');
    const auto label = option.substr(0, colon);
    const auto origin = Printable("--system '" + label + "'");
    if (colon == std::string::npos || colon == 0 || label.find('=') != std::string::npos)
    {
        throw InputError(origin + ": needs the form label:key=value,key=value");
    }
    System system{label, {}, origin};
    for (auto begin = colon; begin != std::string::npos;)
    {
        const auto end = option.find(',', begin + 1);
        system.settings.push_back({option.substr(begin + 1, end - begin - 1), origin});
        begin = end;
    }
    return system;
}

void
CheckSweepEntry(const TomlEntry& entry, const SweepComplaint& complain)
{
    if (entry.name == g_vary || entry.name == g_zip)
    {
        RequireTexts(entry, "cluster.workers=2..64:x2", complain);
    }
    else if (entry.name == g_where)
    {
        RequireText(entry, "cluster.workers <= 64", complain);
    }
    else if (entry.name == g_system)
    {
        CheckSystems(entry, complain);
    }
    else
    {
        complain(entry.keyPlace,
                 entry.name,
                 UnknownName(entry.name, {g_vary, g_zip, g_where, g_system}));
    }
}

SweepSpec
ParseSweep(std::string_view text, const std::string& fileName)
{
    SweepSpec spec;
    for (const auto& entry : ReadToml(text, fileName))
    {
        Add(entry, fileName, spec);
    }
    return spec;
}

SweepSpec
JoinSweeps(const SweepSpec& ofFile,
           const SweepSpec& options,
           const std::vector<std::string>& settings)
{
    SweepSpec joined;
    joined.systems = JoinSystems(ofFile.systems, options.systems);
    joined.zip = options.zip.empty() ? ofFile.zip : options.zip;
    joined.vary = JoinVaried(ofFile.vary, options.vary, settings);
    joined.where = ofFile.where;
    joined.where.insert(joined.where.end(), options.where.begin(), options.where.end());
    return joined;
}

std::string
VariedName(const std::string& text)
{
    return PlainName(text.substr(0, text.find('=')));
}

} // namespace inca
