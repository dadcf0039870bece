/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/attributes.h"

#include "base/attribute-text.h"
#include "base/errors.h"
#include "base/nearest.h"
#include "base/units.h"
#include "scenario/keys.h"
#include "scenario/specs.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace inca
{

namespace
{

using Reader = ns3::Ptr<ns3::AttributeValue> (*)(const std::string& text);

template <class Value, class Argument>
ns3::Ptr<ns3::AttributeValue>
ValueOf(Argument argument)
{
    return ns3::Create<Value>(argument);
}

/** @throws UnitError if @p isThere is false */
template <class Value>
Value
Checked(bool isThere, Value value, const char* why)
{
    return isThere ? value : throw UnitError(why);
}

/**
 * By value type, for those whose values have a text. Numbers, times, rates and truth values are read by INCA itself: ns-3 ends
 * the process at some texts that are none, and takes -1 for a large number.
 */
const std::map<std::string, Reader>&
Readers()
{
    static const std::map<std::string, Reader> readers{
        {"TimeValue",
         [](const std::string& text) {
             const auto ps = static_cast<std::uint64_t>(ParseTimeAttribute(text));
             return ValueOf<ns3::TimeValue>(ns3::PicoSeconds(ps));
         }},
        {"UintegerValue",
         [](const std::string& text) {
             const auto number = ParseWholeAttribute(text);
             return ValueOf<ns3::UintegerValue>(
                 static_cast<std::uint64_t>(Checked(number >= 0, number, "below 0")));
         }},
        {"IntegerValue",
         [](const std::string& text) {
             return ValueOf<ns3::IntegerValue>(ParseWholeAttribute(text));
         }},
        {"DoubleValue",
         [](const std::string& text) {
             return ValueOf<ns3::DoubleValue>(ParseRealAttribute(text));
         }},
        {"BooleanValue",
         [](const std::string& text) {
             return ValueOf<ns3::BooleanValue>(ParseTruthAttribute(text));
         }},
        {"DataRateValue",
         [](const std::string& text) {
             const auto rate = ParseBitRateAttribute(text);
             return ValueOf<ns3::DataRateValue>(
                 ns3::DataRate(Checked(rate > 0, rate, "a rate of 0 never ends")));
         }},
        {"StringValue", [](const std::string& text) { return ValueOf<ns3::StringValue>(text); }},
        {"EnumValue", [](const std::string& text) { return ValueOf<ns3::StringValue>(text); }}};
    return readers;
}

/** @return null if its values have no text, as objects and lists of such. ns-3 names some types with their namespace. */
Reader
ReaderOf(const ns3::TypeId::AttributeInformation& attribute)
{
    const auto type = attribute.checker->GetValueTypeName();
    const auto found = Readers().find(type.substr(type.rfind(':') + 1));
    return found == Readers().end() ? nullptr : found->second;
}

/** @return null if @p text is no value that the attribute takes */
ns3::Ptr<ns3::AttributeValue>
Read(const ns3::TypeId::AttributeInformation& attribute, const std::string& text)
{
    try
    {
        return attribute.checker->CreateValidValue(*ReaderOf(attribute)(text));
    }
    catch (const UnitError&)
    {
        return nullptr;
    }
}

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

/** The attributes that a type declares itself and that a text can set, as full paths: ns-3 finds defaults by these only. */
std::vector<std::string>
AttributePaths(const ns3::TypeId& tid)
{
    std::vector<std::string> paths;
    for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
    {
        if (ReaderOf(tid.GetAttribute(i)) != nullptr)
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
    if (ReaderOf(attribute) == nullptr)
    {
        Refuse(path,
               "is " + attribute.help + " (" + attribute.checker->GetValueTypeName() +
                   "), which no text can set; a program in C++ can");
    }
    const auto value = Read(attribute, text);
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
    for (std::uint16_t i = 0; i < ns3::TypeId::GetRegisteredN(); ++i)
    {
        const auto type = ns3::TypeId::GetRegistered(i);
        const auto more = type.GetName().rfind("inca::", 0) == 0 ? AttributePaths(type)
                                                                 : std::vector<std::string>{};
        paths.insert(paths.end(), more.begin(), more.end());
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
