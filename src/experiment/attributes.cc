/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/attributes.h"

#include "base/errors.h"
#include "base/nearest.h"
#include "base/units.h"
#include "scenario/specs.h"

#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/string.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <string>
#include <vector>

namespace inca
{

namespace
{

ns3::TimeValue
PsValue(std::int64_t ps)
{
    return ns3::TimeValue(ns3::PicoSeconds(static_cast<std::uint64_t>(ps)));
}

void
SetKeyDefaults(const Scenario& scenario)
{
    const auto& cluster = scenario.cluster;
    const auto& transport = scenario.transport;
    const auto& host = scenario.host;
    using ns3::Config::SetDefault;
    SetDefault("inca::Nic::DataRate", ns3::DataRateValue(ns3::DataRate(cluster.bitsPerSecond)));
    SetDefault("inca::Nic::Mtu", ns3::UintegerValue(cluster.mtu));
    SetDefault("inca::Link::Delay", PsValue(cluster.latencyPs));
    SetDefault("inca::SwitchPort::Buffer", ns3::UintegerValue(cluster.bufferBytes));
    SetDefault("inca::Transport::Window", ns3::UintegerValue(transport.window));
    SetDefault("inca::Transport::AckEvery", ns3::UintegerValue(transport.ackEvery));
    SetDefault("inca::Transport::MinTimeout", PsValue(transport.minTimeoutPs));
    SetDefault("inca::Transport::HostByteRate", ns3::UintegerValue(host.byteBytesPerSecond));
    SetDefault("inca::Transport::HostFrameCost", PsValue(host.frameCostPs));
    SetDefault("inca::Transport::HostMessageCost", PsValue(host.messageCostPs));
    SetDefault("inca::RankApplication::SumRate", ns3::UintegerValue(host.sumBytesPerSecond));
    SetDefault("inca::RankApplication::EncodeRate",
               ns3::UintegerValue(scenario.codec.encodeBytesPerSecond));
    SetDefault("inca::RankApplication::DecodeRate",
               ns3::UintegerValue(scenario.codec.decodeBytesPerSecond));
    SetDefault("inca::WorkerApplication::CopyRate",
               ns3::UintegerValue(CopyBytesPerSecond(scenario)));
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

/** The attributes that a type declares itself, as full paths: ns-3 finds defaults by these only. */
std::vector<std::string>
AttributePaths(const ns3::TypeId& tid)
{
    std::vector<std::string> paths;
    for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
    {
        paths.push_back(tid.GetName() + "::" + tid.GetAttribute(i).name);
    }
    return paths;
}

[[noreturn]] void
Refuse(const std::string& path, const std::string& why)
{
    throw InputError("attributes.\"" + path + "\": " + why);
}

/** The value that @p text stands for; null if it stands for none. */
ns3::Ptr<ns3::AttributeValue>
ReadValue(const ns3::TypeId::AttributeInformation& attribute, const std::string& text)
{
    if (attribute.checker->GetValueTypeName() != "ns3::TimeValue")
    {
        return attribute.checker->CreateValidValue(ns3::StringValue(text));
    }
    try // by our own reader: ns-3's ends the process at a text that is no time
    {
        return attribute.checker->CreateValidValue(PsValue(ParsePicoseconds(text)));
    }
    catch (const UnitError&)
    {
        return nullptr;
    }
}

void
SetAttribute(const std::string& path,
             const ns3::TypeId::AttributeInformation& attribute,
             const std::string& text)
{
    const auto value = ReadValue(attribute, text);
    if (!value || !ns3::Config::SetDefaultFailSafe(path, *value))
    {
        Refuse(path,
               "does not take '" + text + "'; it is " + attribute.help + " (" +
                   attribute.checker->GetValueTypeName() + ", by default " +
                   attribute.originalInitialValue->SerializeToString(attribute.checker) + ")");
    }
}

void
SetOne(const std::string& path, const std::string& value)
{
    const auto split = path.rfind("::");
    ns3::TypeId tid;
    if (split == std::string::npos ||
        !ns3::TypeId::LookupByNameFailSafe(path.substr(0, split), &tid))
    {
        Refuse(path,
               "an attribute's path is its type, '::' and its name, as in "
               "'inca::CompressionEngine::Clock'; the type is " +
                   UnknownName(path.substr(0, split), TypeNames()));
    }
    for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
    {
        if (tid.GetName() + "::" + tid.GetAttribute(i).name == path)
        {
            SetAttribute(path, tid.GetAttribute(i), value);
            return;
        }
    }
    Refuse(path, UnknownName(path, AttributePaths(tid)));
}

} // namespace

void
SetAttributeDefaults(const Scenario& scenario)
{
    SetKeyDefaults(scenario);
    for (const auto& [path, value] : scenario.attributes)
    {
        SetOne(path, value);
    }
}

} // namespace inca
