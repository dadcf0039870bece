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

/** Reads attributes as keys, one after the other. */
class Reading
{
  public:
    Reading(Scenario& scenario, const KeyOrigin& originOf, const AttributeName& nameOf)
        : m_scenario(scenario),
          m_originOf(originOf),
          m_nameOf(nameOf)
    {
    }

    /**
     * Reads one that may be set apart, where it is.
     * @throws UnitError as Take does
     */
    void Check(const Key& key, const std::string& text) const
    {
        auto changed = m_scenario;
        SetByAttribute(key, text, changed);
        RequireSame(key, m_originOf(key), key.text(changed));
    }

    /** @throws UnitError if the attribute is no value of @p key, or not the one that it has */
    void Take(const Key& key, const std::string& path, const std::string& text)
    {
        auto changed = m_scenario;
        SetByAttribute(key, text, changed);
        const auto& origin = m_origins.emplace(&key, m_originOf(key)).first->second;
        RequireSame(key, origin, key.text(changed));
        m_scenario = std::move(changed);
        m_origins[&key] = m_nameOf(path);
    }

  private:
    void RequireSame(const Key& key, const std::string& origin, const std::string& value) const
    {
        const auto other = key.text(m_scenario);
        if (!origin.empty() && other != value)
        {
            throw UnitError(std::string("sets ") + key.name + " to " + value + ", but " + origin +
                            " sets it to " + other + "; leave one of them out");
        }
    }

    Scenario& m_scenario;
    const KeyOrigin& m_originOf;
    const AttributeName& m_nameOf;
    std::map<const Key*, std::string> m_origins; ///< of the keys that attributes have set so far
};

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
    Reading reading(scenario, originOf, nameOf);
    Attributes others;
    std::vector<AttributeComplaint> complaints;
    for (const auto& [path, text] : attributes)
    {
        try
        {
            const auto* key = FindKeyOfAttribute(path);
            if (key == nullptr)
            {
                others.emplace_back(path, text);
            }
            else if (key->attributes.apart && !SetsWhole(*key, scenario, attributes))
            {
                reading.Check(*key, text);
                others.emplace_back(path, text);
            }
            else
            {
                reading.Take(*key, path, text);
            }
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
