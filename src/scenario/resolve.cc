/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/resolve.h"

#include "base/errors.h"
#include "base/units.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

using Attributes = std::vector<std::pair<std::string, std::string>>;

/** @throws UnitError if @p text is no value of the attribute, or none that @p key takes */
void
SetByAttribute(const Key& key, const std::string& text, Scenario& scenario)
{
    try
    {
        key.set(scenario, key.attributes.keyText(scenario, text));
    }
    catch (const UnitError& error)
    {
        throw UnitError(std::string("sets ") + key.name + ": " + error.what());
    }
}

std::string
QuotedName(const std::string& path)
{
    return "attributes.\"" + path + "\"";
}

/** @return whether they set all attributes of @p key, and to what the key can say for all of them */
bool
SetsWhole(const Key& key, const Scenario& scenario, const Attributes& attributes)
{
    std::set<std::string> paths;
    std::set<std::string> values;
    for (const auto& [path, text] : attributes)
    {
        if (FindKeyOfAttribute(path) == &key)
        {
            auto changed = scenario;
            SetByAttribute(key, text, changed);
            paths.insert(path);
            values.insert(key.text(changed));
        }
    }
    return paths.size() == key.attributes.paths.size() && values.size() == 1;
}

} // namespace

std::vector<AttributeComplaint>
ReadAttributesAsKeys(Scenario& scenario, const KeyOrigin& originOf, const AttributeName& nameOf)
{
    const auto attributes = std::exchange(scenario.attributes, {});
    std::map<const Key*, std::string> origins; // of the keys that attributes have set so far
    Attributes others;
    std::vector<AttributeComplaint> complaints;
    for (const auto& [path, text] : attributes)
    {
        const auto* key = FindKeyOfAttribute(path);
        if (key == nullptr)
        {
            others.emplace_back(path, text);
            continue;
        }
        try
        {
            auto changed = scenario;
            SetByAttribute(*key, text, changed);
            const auto& origin = origins.emplace(key, originOf(*key)).first->second;
            const auto value = key->text(changed);
            const auto before = key->text(scenario);
            if (!origin.empty() && before != value)
            {
                throw UnitError("sets " + key->name + " to " + value + ", but " + origin +
                                " sets it to " + before + "; leave one of them out");
            }
            if (key->attributes.apart && !SetsWhole(*key, scenario, attributes))
            {
                others.emplace_back(path, text);
                continue;
            }
            scenario = std::move(changed);
            origins[key] = nameOf(path);
        }
        catch (const UnitError& error)
        {
            complaints.push_back({path, error.what()});
        }
    }
    scenario.attributes = std::move(others);
    return complaints;
}

EngineSettings
EngineOf(const Scenario& scenario, std::string_view ofClass)
{
    auto own = scenario;
    for (const auto& [path, text] : scenario.attributes)
    {
        const auto* key = FindKeyOfAttribute(path);
        if (key != nullptr && ClassOf(path) == ofClass)
        {
            SetByAttribute(*key, text, own);
        }
    }
    return own.engine;
}

Scenario
Resolved(Scenario scenario)
{
    const auto given = scenario;
    const auto originOf = [&given](const Key& key) {
        return std::string(key.text(given) == DefaultIn(given, key) ? "" : key.name);
    };
    std::vector<std::string> texts;
    for (const auto& [path, text] : ReadAttributesAsKeys(scenario, originOf, QuotedName))
    {
        texts.push_back(QuotedName(path) + ": " + text);
    }
    if (!texts.empty())
    {
        throw InputError(std::move(texts));
    }
    return scenario;
}

} // namespace inca
