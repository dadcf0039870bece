/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "scenario/key-row.h"
#include "scenario/specs.h"

#include <algorithm>

namespace inca
{

namespace
{

const Setting*
FindSetting(const std::vector<Setting>& settings, const std::string& key)
{
    const auto found = std::find_if(
        settings.begin(), settings.end(), [&key](const Setting& s) { return s.key == key; });
    return found == settings.end() ? nullptr : &*found;
}

/** @return the setting that the scenario's switches read, or nothing */
const Setting*
SettingOfSwitches(const std::string& key, const Scenario& s)
{
    return ReducesInNetwork(s) ? FindSetting(SchemeOf(s).settings, key) : nullptr;
}

/** @return why a setting that aggregation programs bring cannot matter, or empty if it can */
std::string
WhyIdle(const std::string& key, const Scenario& s)
{
    const auto& algorithm = s.exchange.algorithm;
    const auto* setting = SettingOfSwitches(key, s);
    if (setting == nullptr)
    {
        return ReducesInNetwork(s) ? "the switches of " + algorithm + " do not read it"
                                   : algorithm + " adds nothing in the network";
    }
    const auto idle = setting->idle ? setting->idle(s.aggregation) : std::string();
    const bool isUnseen = setting->ofValues && !g_hasValues.holds(s);
    return idle.empty() && isUnseen ? g_hasValues.otherwise : idle;
}

Key
KeyOf(const Setting& setting)
{
    const auto text = [setting](const Scenario& s) {
        const auto found = s.aggregation.find(setting.key);
        return found == s.aggregation.end() ? setting.defaultText : found->second;
    };
    Key key{setting.key,
            setting.column,
            setting.meaning,
            setting.type,
            setting.values,
            [setting](Scenario& s, std::string_view given) {
                s.aggregation[setting.key] = setting.normalised(given);
            },
            text,
            [setting, text](const Scenario& s) { return setting.columnText(text(s)); }};
    key.idle = [name = setting.key](const Scenario& s) { return WhyIdle(name, s); };
    key.attributes = AttributesOf(setting.attributes, text);
    // What the switches do not read must not change what they share with others, such as a client.
    key.attributes.text = [setting, text](const Scenario& s) {
        return setting.attributes.form(SettingOfSwitches(setting.key, s) ? text(s)
                                                                         : setting.defaultText);
    };
    return key;
}

/** @throws InputError if the two are one key, but not one setting */
void
RequireSame(const AggregationSchemeEntry& scheme, const Setting& setting, const Setting& first)
{
    if (setting.column != first.column || setting.values != first.values ||
        setting.type != first.type || setting.defaultText != first.defaultText)
    {
        throw InputError(
            "aggregation scheme: '" + scheme.name + "' describes " + setting.key +
            " otherwise than others do: a key has one column, one range and one default");
    }
}

/** Each once, as first described, with all attributes that are set by it. */
std::vector<Setting>
SettingsOf(const std::vector<AggregationSchemeEntry>& schemes)
{
    std::vector<Setting> all;
    for (const auto& scheme : schemes)
    {
        for (const auto& setting : scheme.settings)
        {
            const auto found = std::find_if(
                all.begin(), all.end(), [&](const Setting& s) { return s.key == setting.key; });
            if (found == all.end())
            {
                all.push_back(setting);
                continue;
            }
            RequireSame(scheme, setting, *found);
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
    return all;
}

} // namespace

std::vector<Key>
AggregationKeys(const std::vector<AggregationSchemeEntry>& schemes)
{
    std::vector<Key> keys;
    for (const auto& setting : SettingsOf(schemes))
    {
        keys.push_back(KeyOf(setting));
    }
    return keys;
}

} // namespace inca
