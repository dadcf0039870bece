/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/attributes.h"

#include "aggregation/slot-client.h"
#include "aggregation/slot-program.h"
#include "base/errors.h"
#include "base/nearest.h"
#include "device/nic.h"
#include "device/switch.h"
#include "experiment/attribute-values.h"
#include "rank/worker-application.h"
#include "scenario/specs.h"
#include "transport/transport.h"

#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/integer.h"
#include "ns3/nstime.h"
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

ns3::TimeValue
PsValue(std::int64_t ps)
{
    return ns3::TimeValue(ns3::PicoSeconds(static_cast<std::uint64_t>(ps)));
}

/** An attribute's default that a key of the scenario sets. */
struct KeyDefault
{
    const char* key;
    const char* path;
    ns3::Ptr<ns3::AttributeValue> value;
};

KeyDefault
Number(const char* key, const char* path, std::uint64_t value)
{
    return {key, path, ns3::Create<ns3::UintegerValue>(value)};
}

KeyDefault
Duration(const char* key, const char* path, std::int64_t ps)
{
    return {key, path, ns3::Create<ns3::TimeValue>(PsValue(ps))};
}

KeyDefault
Name(const char* key, const char* path, const std::string& value)
{
    return {key, path, ns3::Create<ns3::StringValue>(value)};
}

/** What both sides of an aggregation must know is told to each of them. */
std::vector<KeyDefault>
SwitchDefaults(const Scenario& scenario)
{
    const auto& settings = scenario.inSwitch;
    const auto exponent = ns3::Create<ns3::IntegerValue>(settings.fixedExponent);
    return {
        Duration("switch.latency", "inca::Switch::Latency", settings.latencyPs),
        Number("cluster.ecmp_seed", "inca::Switch::EcmpSeed", scenario.cluster.ecmpSeed),
        Number("switch.slots", "inca::SlotProgram::Slots", settings.slots),
        Number("switch.slots", "inca::SlotClient::Slots", settings.slots),
        Number("switch.values_per_packet",
               "inca::SlotProgram::ValuesPerPacket",
               settings.valuesPerPacket),
        Number("switch.values_per_packet",
               "inca::SlotClient::ValuesPerPacket",
               settings.valuesPerPacket),
        Name("switch.adder", "inca::SlotProgram::Adder", settings.adder),
        Name("switch.adder", "inca::SlotClient::Adder", settings.adder),
        Name("switch.scaling", "inca::SlotClient::Scaling", settings.scaling),
        {"switch.fixed_exponent", "inca::SlotClient::FixedExponent", exponent},
        Duration("switch.timeout", "inca::SlotClient::Timeout", settings.timeoutPs),
        Number("switch.double_after", "inca::SlotClient::DoubleAfter", settings.doubleAfter),
        Number(
            "host.byte_rate", "inca::SlotClient::HostByteRate", scenario.host.byteBytesPerSecond),
        Duration("host.frame_cost", "inca::SlotClient::HostFrameCost", scenario.host.frameCostPs),
        Duration(
            "host.message_cost", "inca::SlotClient::HostMessageCost", scenario.host.messageCostPs),
        Number("switch.adder_rate", "inca::SlotProgram::AdderRate", settings.valuesPerSecond),
        Number("switch.memory", "inca::SlotProgram::Memory", settings.memoryBytes),
    };
}

std::vector<KeyDefault>
HostDefaults(const Scenario& scenario)
{
    const auto& cluster = scenario.cluster;
    const auto& transport = scenario.transport;
    const auto& host = scenario.host;
    const auto& codec = scenario.codec;
    const auto rate = ns3::Create<ns3::DataRateValue>(ns3::DataRate(cluster.bitsPerSecond));
    return {
        {"cluster.bandwidth", "inca::Nic::DataRate", rate},
        Number("cluster.mtu", "inca::Nic::Mtu", cluster.mtu),
        Duration("cluster.latency", "inca::Link::Delay", cluster.latencyPs),
        Number("cluster.buffer", "inca::SwitchPort::Buffer", cluster.bufferBytes),
        Number("transport.window", "inca::Transport::Window", transport.window),
        Number("transport.ack_every", "inca::Transport::AckEvery", transport.ackEvery),
        Duration("transport.min_timeout", "inca::Transport::MinTimeout", transport.minTimeoutPs),
        Number("host.byte_rate", "inca::Transport::HostByteRate", host.byteBytesPerSecond),
        Duration("host.frame_cost", "inca::Transport::HostFrameCost", host.frameCostPs),
        Duration("host.message_cost", "inca::Transport::HostMessageCost", host.messageCostPs),
        Number("host.sum_rate", "inca::RankApplication::SumRate", host.sumBytesPerSecond),
        Number(
            "codec.encode_rate", "inca::RankApplication::EncodeRate", codec.encodeBytesPerSecond),
        Number(
            "codec.decode_rate", "inca::RankApplication::DecodeRate", codec.decodeBytesPerSecond),
        Number("host.copy_rate", "inca::WorkerApplication::CopyRate", CopyBytesPerSecond(scenario)),
    };
}

std::vector<KeyDefault>
KeyDefaults(const Scenario& scenario)
{
    auto all = HostDefaults(scenario);
    const auto ofSwitches = SwitchDefaults(scenario);
    all.insert(all.end(), ofSwitches.begin(), ofSwitches.end());
    return all;
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

void
SetAttribute(const std::string& path,
             const ns3::TypeId::AttributeInformation& attribute,
             const std::string& text)
{
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

std::uint64_t
NumberOf(const ns3::ObjectBase& object, const std::string& name)
{
    ns3::UintegerValue value;
    object.GetAttribute(name, value);
    return value.Get();
}

std::int64_t
PsOf(const ns3::ObjectBase& object, const std::string& name)
{
    ns3::TimeValue value;
    object.GetAttribute(name, value);
    return value.Get().GetPicoSeconds();
}

std::string
NameOf(const ns3::ObjectBase& object, const std::string& name)
{
    ns3::StringValue value;
    object.GetAttribute(name, value);
    return value.Get();
}

/** What the workers go by; of the switches, how fast they add. */
void
ReadSwitchSettings(SwitchSettings& settings)
{
    const auto client = ns3::CreateObject<SlotClient>();
    ns3::IntegerValue exponent;
    client->GetAttribute("FixedExponent", exponent);
    settings.slots = static_cast<std::uint32_t>(NumberOf(*client, "Slots"));
    settings.valuesPerPacket = static_cast<std::uint32_t>(NumberOf(*client, "ValuesPerPacket"));
    settings.adder = NameOf(*client, "Adder");
    settings.scaling = NameOf(*client, "Scaling");
    settings.fixedExponent = static_cast<std::int32_t>(exponent.Get());
    settings.timeoutPs = PsOf(*client, "Timeout");
    settings.valuesPerSecond = NumberOf(*ns3::CreateObject<SlotProgram>(), "AdderRate");
}

} // namespace

void
SetAttributeDefaults(const Scenario& scenario)
{
    for (const auto& setting : KeyDefaults(scenario))
    {
        ns3::Config::SetDefault(setting.path, *setting.value);
    }
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

Scenario
AsBuilt(const Scenario& scenario)
{
    auto built = scenario;
    auto& host = built.host;
    const auto transport = ns3::CreateObject<Transport>();
    const auto worker = ns3::CreateObject<WorkerApplication>();
    built.cluster.mtu = static_cast<std::uint32_t>(NumberOf(*ns3::CreateObject<Nic>(), "Mtu"));
    host.byteBytesPerSecond = NumberOf(*transport, "HostByteRate");
    host.frameCostPs = PsOf(*transport, "HostFrameCost");
    host.messageCostPs = PsOf(*transport, "HostMessageCost");
    host.sumBytesPerSecond = NumberOf(*worker, "SumRate");
    host.copyBytesPerSecond = NumberOf(*worker, "CopyRate");
    built.codec.encodeBytesPerSecond = NumberOf(*worker, "EncodeRate");
    built.codec.decodeBytesPerSecond = NumberOf(*worker, "DecodeRate");
    ReadSwitchSettings(built.inSwitch);
    return built;
}

std::vector<std::string>
AttributeWarnings(const Scenario& scenario)
{
    std::vector<std::string> warnings;
    for (const auto& setting : KeyDefaults(scenario))
    {
        for (const auto& [path, value] : scenario.attributes)
        {
            if (path == setting.path)
            {
                warnings.push_back("attributes.\"" + path + "\" = " + value + " overrides " +
                                   setting.key);
            }
        }
    }
    return warnings;
}

} // namespace inca
