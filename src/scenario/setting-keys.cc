/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "scenario/key-row.h"
#include "scenario/specs.h"

#include <algorithm>
#include <functional>

namespace inca
{

namespace
{

/** Rows of one catalogue that bring settings, as a scenario sees them. */
struct SettingReader
{
    std::string place; ///< stands before complaints: "aggregation scheme"
    /** @return the settings that the scenario's row reads; null: it names none */
    std::function<const std::vector<Setting>*(const Scenario&)> settings;
    /** @return why a setting that it does not read cannot matter */
    std::function<std::string(const Scenario&)> whyNot;
};

bool
IsRead(const SettingReader& reader, const std::string& key, const Scenario& s)
{
    const auto* settings = reader.settings(s);
    return settings != nullptr &&
           std::any_of(settings->begin(), settings->end(), [&key](const Setting& setting) {
               return setting.key == key;
           });
}

/** @return why a setting cannot matter, or empty if it can */
std::string
WhyIdle(const SettingReader& reader, const Setting& setting, const Scenario& s)
{
    if (!IsRead(reader, setting.key, s))
    {
        return reader.whyNot(s);
    }
    const auto idle = setting.idle ? setting.idle(s.rowSettings) : std::string();
    if (!idle.empty())
    {
        return idle;
    }
    const bool isOfNone = setting.ofFrames && !g_hasFrameLevel.holds(s);
    return isOfNone ? g_hasFrameLevel.otherwise : "";
}

Key
KeyOf(const Setting& setting, const SettingReader& reader)
{
    const auto text = [setting](const Scenario& s) {
        const auto found = s.rowSettings.find(setting.key);
        return found == s.rowSettings.end() ? setting.defaultText : found->second;
    };
    Key key{setting.key,
            setting.column,
            setting.meaning,
            setting.type,
            setting.values,
            [setting](Scenario& s, std::string_view given) {
                s.rowSettings[setting.key] = setting.normalised(given);
            },
            text,
            [setting, text](const Scenario& s) { return setting.columnText(text(s)); }};
    key.idle = [setting, reader](const Scenario& s) { return WhyIdle(reader, setting, s); };
    key.attributes = AttributesOf(setting.attributes, text);
    // What the row does not read must not change what it shares with others, such as a client.
    key.attributes.text = [setting, text, reader](const Scenario& s) {
        return setting.attributes.form(IsRead(reader, setting.key, s) ? text(s)
                                                                      : setting.defaultText);
    };
    return key;
}

/** @throws InputError if the two are one key, but not one setting */
void
RequireSame(const SettingReader& reader,
            const std::string& row,
            const Setting& setting,
            const Setting& first)
{
    if (setting.column != first.column || setting.values != first.values ||
        setting.type != first.type || setting.defaultText != first.defaultText)
    {
        throw InputError(
            reader.place + ": '" + row + "' describes " + setting.key +
            " otherwise than others do: a key has one column, one range and one default");
    }
}

/** Each once, as first described, with all attributes that are set by it. @param rows of a catalogue */
template <class Entry>
std::vector<Key>
KeysOfRows(const std::vector<Entry>& rows, const SettingReader& reader)
{
    std::vector<Setting> all;
    for (const auto& row : rows)
    {
        for (const auto& setting : row.settings)
        {
            const auto found = std::find_if(
                all.begin(), all.end(), [&](const Setting& s) { return s.key == setting.key; });
            if (found == all.end())
            {
                all.push_back(setting);
                continue;
            }
            RequireSame(reader, row.name, setting, *found);
            auto& paths = found->attributes.paths;
            for (const auto& path : setting.attributes.paths)
            {
                if (std::find(paths.begin(), paths.end(), path) == paths.end())
                {
                    paths.push_back(path);
                }
            }
        }
    }
    std::vector<Key> keys;
    for (const auto& setting : all)
    {
        keys.push_back(KeyOf(setting, reader));
    }
    return keys;
}

} // namespace

std::vector<Key>
AggregationKeys(const std::vector<AggregationSchemeEntry>& schemes)
{
    return KeysOfRows(schemes,
                      {"aggregation scheme",
                       [](const Scenario& s) {
                           return SchemeOf(s) != nullptr ? &SchemeOf(s)->settings : nullptr;
                       },
                       [](const Scenario& s) {
                           return AddingExchange(s) != nullptr
                                      ? "the switches of " + AddingExchange(s)->name +
                                            " do not read it"
                                      : s.exchange.algorithm + " adds nothing in the network";
                       }});
}

std::vector<Key>
TrainingProgramKeys(const std::vector<TrainingEntry>& trainings)
{
    return KeysOfRows(
        trainings,
        {"training",
         [](const Scenario& s) { return &TrainingCatalog().Find(s.training.program).settings; },
         [](const Scenario& s) { return "training.program is " + s.training.program; }});
}

} // namespace inca
