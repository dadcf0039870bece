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
#include <set>

namespace inca
{

namespace
{

constexpr const char* g_system = "sweep.system";
constexpr const char* g_label = "sweep.system.label";
constexpr const char* g_set = "sweep.system.set";

/** @return the texts of a list, and where they stand; none if it is another thing, which is wrong */
std::vector<Varied>
TextsOf(const TomlEntry& entry, const std::string& example, const SweepComplaint& complain)
{
    std::vector<Varied> texts;
    for (const auto& [text, place] : entry.texts)
    {
        texts.push_back({text, PlaceName(place)});
    }
    if (texts.empty())
    {
        const bool isEmpty = entry.kind == TomlKind::TEXTS;
        complain(entry.valuePlace,
                 fmt::format("needs a list of texts, such as [\"{}\"], got {}",
                             example,
                             isEmpty ? "an empty list" : entry.kindName));
    }
    return texts;
}

/** @return the text; empty if it is another thing, which is wrong */
std::string
TextOf(const TomlEntry& entry, const std::string& example, const SweepComplaint& complain)
{
    const bool isText = entry.kind == TomlKind::TEXT;
    if (!isText || entry.text.empty())
    {
        complain(entry.valuePlace,
                 fmt::format("needs a text, such as \"{}\", got {}",
                             example,
                             isText ? "an empty one" : entry.kindName));
    }
    return isText ? entry.text : "";
}

System
SystemOf(const std::vector<TomlEntry>& table,
         const InputPlace& place,
         const SweepComplaint& complain)
{
    System system;
    std::set<std::string> given;
    for (const auto& entry : table)
    {
        given.insert(entry.name);
        if (entry.name == g_label)
        {
            system.label = TextOf(entry, "ring + inceptionn", complain);
            auto origin = entry.valuePlace;
            origin.key = g_system;
            system.origin = PlaceName(origin);
        }
        else if (entry.name == g_set)
        {
            system.settings = TextsOf(entry, "exchange.algorithm=ring", complain);
        }
        else
        {
            complain(entry.keyPlace, UnknownName(entry.name, {g_label, g_set}));
        }
    }
    for (const auto* name : {g_label, g_set})
    {
        if (given.count(name) == 0)
        {
            complain({place.file, place.line, place.column, name},
                     "is missing: every [[sweep.system]] has label and set");
        }
    }
    for (auto& setting : system.settings) // is called after its system, not after its key
    {
        setting.origin.replace(setting.origin.rfind(g_set),
                               std::string::npos,
                               fmt::format("{} '{}'", g_system, system.label));
    }
    return system;
}

bool
IsSet(const std::string& name, const std::vector<std::string>& settings)
{
    return std::any_of(settings.begin(), settings.end(), [&name](const std::string& setting) {
        return VariedName(setting) == name;
    });
}

/**
 * @return each of @p ofFile, or that of @p rest of the same name instead; then what is left of @p rest,
 *         where two of one name stay two
 */
template <class Item, class Name>
std::vector<Item>
Joined(const std::vector<Item>& ofFile, std::vector<Item> rest, Name nameOf)
{
    std::vector<Item> joined;
    for (const auto& item : ofFile)
    {
        const auto same = std::find_if(rest.begin(), rest.end(), [&](const Item& other) {
            return nameOf(other) == nameOf(item);
        });
        joined.push_back(same == rest.end() ? item : *same);
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
ReadSweepEntry(const TomlEntry& entry, SweepSpec& spec, const SweepComplaint& complain)
{
    const auto& name = entry.name;
    if (name == "sweep.vary" || name == "sweep.zip")
    {
        auto& list = name == "sweep.vary" ? spec.vary : spec.zip;
        list = TextsOf(entry, "cluster.workers=2..64:x2", complain);
    }
    else if (name == "sweep.where")
    {
        complain(entry.keyPlace,
                 "is gone; leave points out by sweep.zip, which moves keys together");
    }
    else if (name == g_system)
    {
        if (entry.kind != TomlKind::TABLES)
        {
            complain(entry.valuePlace,
                     "needs double brackets, [[sweep.system]], one for each system");
        }
        for (const auto& table : entry.tables)
        {
            const auto& place = table.empty() ? entry.valuePlace : table.front().keyPlace;
            spec.systems.push_back(SystemOf(table, place, complain));
        }
    }
    else
    {
        complain(entry.keyPlace, UnknownName(name, {"sweep.vary", "sweep.zip", g_system}));
    }
}

SweepSpec
ParseSweep(std::string_view text, const std::string& fileName)
{
    SweepSpec spec;
    for (const auto& entry : ReadToml(text, fileName))
    {
        if (entry.name.rfind("sweep.", 0) == 0)
        {
            ReadSweepEntry(entry, spec, [](const auto&, const auto&) {});
        }
    }
    return spec;
}

SweepSpec
JoinSweeps(const SweepSpec& ofFile,
           const SweepSpec& options,
           const std::vector<std::string>& settings)
{
    const auto nameOf = [](const Varied& varied) { return VariedName(varied.text); };
    auto vary = ofFile.vary;
    const auto isSet = [&](const Varied& varied) { return IsSet(nameOf(varied), settings); };
    vary.erase(std::remove_if(vary.begin(), vary.end(), isSet), vary.end());
    SweepSpec joined;
    joined.systems =
        Joined(ofFile.systems, options.systems, [](const System& system) { return system.label; });
    joined.zip = options.zip.empty() ? ofFile.zip : options.zip;
    joined.vary = Joined(vary, options.vary, nameOf);
    return joined;
}

std::string
VariedName(const std::string& text)
{
    return PlainName(text.substr(0, text.find('=')));
}

} // namespace inca
