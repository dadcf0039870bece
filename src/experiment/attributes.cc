/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/attributes.h"

#include "base/errors.h"
#include "base/nearest.h"
#include "experiment/attribute-values.h"
#include "scenario/keys.h"
#include "scenario/specs.h"

#include "ns3/config.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace inca
{

namespace
{

/** What the keys set, which the reader has checked. */
void
SetKeys(const Scenario& scenario)
{
    for (const auto& key : ScenarioKeys())
    {
        for (const auto& path : key.attributes.paths)
        {
            const auto text = key.attributes.text(scenario);
            if (!ns3::Config::SetDefaultFailSafe(path, ns3::StringValue(text)))
            {
                throw InvariantError(key.name + ": " + path + " does not take '" + text + "'");
            }
        }
    }
}

/** What several keys decide together. */
void
SetSequences(const Scenario& scenario)
{
    for (const auto* type : {"inca::SlotProgram", "inca::SlotClient"})
    {
        ns3::Config::SetDefault(std::string(type) + "::Sequences",
                                ns3::UintegerValue(SequencesOf(scenario)));
    }
}

std::vector<std::string>
TypeNames()
{
    std::vector<std::string> names;
    for (std::uint16_t i = 0; i < ns3::TypeId::GetRegisteredN(); ++i)
    {
        names.push_back(ns3::TypeId::GetRegistered(i).GetName());
    }
    return names;
}

/** The attributes that a type declares itself and that a text can set, as full paths: ns-3 finds defaults by these only. */
std::vector<std::string>
AttributePaths(const ns3::TypeId& tid)
{
    std::vector<std::string> paths;
    for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
    {
        if (HasText(tid.GetAttribute(i)))
        {
            paths.push_back(tid.GetName() + "::" + tid.GetAttribute(i).name);
        }
    }
    return paths;
}

[[noreturn]] void
Refuse(const std::string& path, const std::string& why)
{
    throw InputError("attributes.\"" + path + "\": " + why);
}

void
SetAttribute(const std::string& path,
             const ns3::TypeId::AttributeInformation& attribute,
             const std::string& text)
{
    if (!HasText(attribute))
    {
        Refuse(path,
               "is " + attribute.help + " (" + attribute.checker->GetValueTypeName() +
                   "), which no text can set; a program in C++ can");
    }
    const auto value = ReadAttributeValue(attribute, text);
    if (!value || !ns3::Config::SetDefaultFailSafe(path, *value))
    {
        Refuse(path,
               "does not take '" + text + "'; it is " + attribute.help + " (" +
                   attribute.checker->GetValueTypeName() + ", by default " +
                   attribute.originalInitialValue->SerializeToString(attribute.checker) + ")");
    }
}

/** All attributes of INCA's own types. */
std::vector<std::string>
OwnAttributePaths()
{
    std::vector<std::string> paths;
    for (const auto& name : TypeNames())
    {
        if (name.rfind("inca::", 0) == 0)
        {
            const auto more = AttributePaths(ns3::TypeId::LookupByName(name));
            paths.insert(paths.end(), more.begin(), more.end());
        }
    }
    return paths;
}

/** Some attributes are checked only by the object that gets them: so one is made, and thrown away. */
void
TryOut(const std::string& path, const ns3::TypeId& tid)
{
    try
    {
        if (tid.HasConstructor() && tid.GetName().rfind("inca::", 0) == 0)
        {
            ns3::ObjectFactory(tid.GetName()).Create();
        }
    }
    catch (const std::runtime_error& error) // a UnitError or InputError
    {
        Refuse(path, error.what());
    }
}

void
SetOne(const std::string& path, const std::string& value)
{
    const auto split = path.rfind("::");
    if (split == std::string::npos)
    {
        Refuse(path,
               "an attribute's path is its type, '::' and its name, as in "
               "'inca::CompressionEngine::Clock'");
    }
    ns3::TypeId tid;
    const bool known = ns3::TypeId::LookupByNameFailSafe(path.substr(0, split), &tid);
    for (std::size_t i = 0; known && i < tid.GetAttributeN(); ++i)
    {
        if (tid.GetName() + "::" + tid.GetAttribute(i).name == path)
        {
            SetAttribute(path, tid.GetAttribute(i), value);
            TryOut(path, tid);
            return;
        }
    }
    const auto own = known ? AttributePaths(tid) : std::vector<std::string>{};
    Refuse(path, UnknownName(path, own.empty() ? OwnAttributePaths() : own));
}

} // namespace

void
SetAttributeDefaults(const Scenario& scenario)
{
    SetKeys(scenario);
    SetSequences(scenario);
    std::vector<std::string> complaints;
    for (const auto& [path, value] : scenario.attributes)
    {
        try
        {
            SetOne(path, value);
        }
        catch (const InputError& error)
        {
            complaints.emplace_back(error.what());
        }
    }
    if (!complaints.empty())
    {
        throw InputError(complaints);
    }
}

} // namespace inca
