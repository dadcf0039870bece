/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/attributes.h"

#include "base/attribute-text.h"
#include "base/errors.h"
#include "base/nearest.h"
#include "base/units.h"
#include "device/set-up-error.h"
#include "transport/linux-tcp-socket.h"

#include "ns3/config.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"
#include "ns3/type-id.h"

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace inca
{

namespace
{

/** Reads a text, and writes it as ns-3 reads it. @throws UnitError if it is no value */
using Reader = std::string (*)(const std::string& text);

/** @throws UnitError if @p isThere is false */
void
Require(bool isThere, const char* why)
{
    if (!isThere)
    {
        throw UnitError(why);
    }
}

/**
 * By value type, for those whose values have a text. Numbers, times, rates and truth values are read by INCA itself: ns-3 ends
 * the process at some texts that are none, and takes -1 for a large number.
 */
const std::map<std::string, Reader>&
Readers()
{
    constexpr Reader asItIs = [](const std::string& text) { return text; };
    static const std::map<std::string, Reader> readers{
        {"TimeValue",
         [](const std::string& text) { return std::to_string(ParseTimeAttribute(text)) + "ps"; }},
        {"UintegerValue",
         [](const std::string& text) {
             const auto number = ParseWholeAttribute(text);
             Require(number >= 0, "below 0");
             return std::to_string(number);
         }},
        {"IntegerValue",
         [](const std::string& text) { return std::to_string(ParseWholeAttribute(text)); }},
        {"DoubleValue",
         [](const std::string& text) { return DecimalText(ParseRealAttribute(text)); }},
        {"BooleanValue",
         [](const std::string& text) {
             return std::string(ParseTruthAttribute(text) ? "true" : "false");
         }},
        {"DataRateValue",
         [](const std::string& text) {
             const auto rate = ParseBitRateAttribute(text);
             Require(rate > 0, "a rate of 0 never ends");
             return std::to_string(rate) + "bps";
         }},
        {"StringValue", asItIs},
        {"EnumValue", asItIs}};
    return readers;
}

/**
 * @return null if its values have no text, as objects and lists of such. ns-3 names some types with their namespace, and
 *         enumerations' with their type.
 */
Reader
ReaderOf(const ns3::TypeId::AttributeInformation& attribute)
{
    const auto name = attribute.checker->GetValueTypeName();
    const auto type = name.substr(0, name.find('<'));
    const auto found = Readers().find(type.substr(type.rfind(':') + 1));
    return found == Readers().end() ? nullptr : found->second;
}

/** Whether @p text is a name of an enumeration, or @p checker is of none: from ns-3.41 on, ns-3 ends the process at others. */
bool
IsName(const std::string& text, const ns3::AttributeChecker& checker)
{
    return checker.GetValueTypeName().find("EnumValue") == std::string::npos ||
           ("|" + checker.GetUnderlyingTypeInformation() + "|").find("|" + text + "|") !=
               std::string::npos;
}

/** @return whether the attribute takes @p text, which it has by default then */
bool
Takes(const std::string& path,
      const ns3::TypeId::AttributeInformation& attribute,
      const std::string& text)
{
    try
    {
        return IsName(text, *attribute.checker) &&
               ns3::Config::SetDefaultFailSafe(path, ns3::StringValue(ReaderOf(attribute)(text)));
    }
    catch (const UnitError&)
    {
        return false;
    }
}

/** Adds the attributes that a type declares itself and that a text can set, as full paths: ns-3 finds defaults by these only. */
void
AddPaths(const ns3::TypeId& tid, std::vector<std::string>& paths)
{
    for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
    {
        if (ReaderOf(tid.GetAttribute(i)) != nullptr)
        {
            paths.push_back(tid.GetName() + "::" + tid.GetAttribute(i).name);
        }
    }
}

/** Whether it is one of INCA's own types. */
bool
IsOwn(const ns3::TypeId& tid)
{
    return tid.GetName().rfind("inca::", 0) == 0;
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
    if (!Takes(path, attribute, text))
    {
        Refuse(path,
               "does not take '" + text + "'; it is " + attribute.help + " (" +
                   attribute.checker->GetValueTypeName() + ", by default " +
                   attribute.originalInitialValue->SerializeToString(attribute.checker) + ")");
    }
}

/** Some attributes are checked only by the object that gets them: so one is made, and thrown away. */
void
TryOut(const std::string& path, const ns3::TypeId& tid)
{
    try
    {
        if (tid.HasConstructor() && IsOwn(tid))
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
    std::vector<std::string> paths;
    if (known)
    {
        AddPaths(tid, paths);
    }
    for (std::uint16_t i = 0; i < ns3::TypeId::GetRegisteredN() && !known; ++i)
    {
        if (const auto type = ns3::TypeId::GetRegistered(i); IsOwn(type))
        {
            AddPaths(type, paths);
        }
    }
    Refuse(path, UnknownName(path, paths));
}

} // namespace

void
SetAttributeDefaults(const Resolved& resolved)
{
    ThrowSetUpErrors(); // which the program shows with file and line
    UseLinuxTcpDefaults();
    for (const auto& [path, text] : resolved.keyAttributes)
    {
        if (!ns3::Config::SetDefaultFailSafe(path, ns3::StringValue(text)))
        {
            throw InvariantError(path + " does not take '" + text + "'");
        }
    }
    std::vector<std::string> complaints;
    for (const auto& [path, value] : resolved.ownAttributes)
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
