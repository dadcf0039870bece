/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/star-helper.h"

#include "base/errors.h"
#include "helper/time-resolution.h"

#include <string>
#include <utility>

namespace inca
{

StarHelper::StarHelper()
    : m_nics("inca::Nic"),
      m_links("inca::Link"),
      m_switches("inca::Switch"),
      m_ports("inca::SwitchPort"),
      m_transports("inca::Transport")
{
}

void
StarHelper::SetNicAttribute(const std::string& name, const ns3::AttributeValue& value)
{
    m_nics.Set(name, value);
}

void
StarHelper::SetLinkAttribute(const std::string& name, const ns3::AttributeValue& value)
{
    m_links.Set(name, value);
}

void
StarHelper::SetSwitchAttribute(const std::string& name, const ns3::AttributeValue& value)
{
    m_switches.Set(name, value);
}

void
StarHelper::SetPortAttribute(const std::string& name, const ns3::AttributeValue& value)
{
    m_ports.Set(name, value);
}

void
StarHelper::SetTransportAttribute(const std::string& name, const ns3::AttributeValue& value)
{
    m_transports.Set(name, value);
}

void
StarHelper::SetHostRate(std::uint32_t host, ns3::DataRate rate)
{
    m_hostRates[host] = rate;
}

void
StarHelper::SetCodec(std::shared_ptr<const Codec> codec)
{
    m_codec = std::move(codec);
}

Cluster
StarHelper::Install(std::uint32_t hosts) const
{
    RequirePicosecondResolution();
    ns3::NodeContainer nodes;
    nodes.Create(hosts);
    return Install(nodes);
}

Cluster
StarHelper::Install(const ns3::NodeContainer& nodes) const
{
    RequirePicosecondResolution();
    if (nodes.GetN() < 2)
    {
        throw InputError("a star needs at least 2 hosts, got " + std::to_string(nodes.GetN()));
    }
    Cluster cluster;
    cluster.hosts = nodes;
    cluster.switchNode = ns3::CreateObject<ns3::Node>();
    cluster.hub = m_switches.Create<Switch>();
    cluster.switchNode->AggregateObject(cluster.hub);
    for (std::uint32_t host = 0; host < nodes.GetN(); ++host)
    {
        AddHost(cluster, host);
    }
    return cluster;
}

void
StarHelper::AddHost(Cluster& cluster, std::uint32_t host) const
{
    const auto node = cluster.hosts.Get(host);
    const auto nic = MakeNic(node, host);
    const auto link = m_links.Create<Link>();
    nic->Attach(link);
    cluster.hub->Learn(HostAddress(host), cluster.hub->AddPort(MakePort(*nic), link));
    cluster.nics.push_back(nic);
    cluster.links.push_back(link);
    cluster.transports.push_back(MakeTransport(node, nic));
}

ns3::Ptr<Nic>
StarHelper::MakeNic(const ns3::Ptr<ns3::Node>& node, std::uint32_t host) const
{
    auto nic = m_nics.Create<Nic>();
    const auto rate = m_hostRates.find(host);
    if (rate != m_hostRates.end())
    {
        nic->SetAttribute("DataRate", ns3::DataRateValue(rate->second));
    }
    nic->SetAddress(HostAddress(host));
    if (m_codec)
    {
        auto compression = ns3::CreateObject<CompressionEngine>();
        auto decompression = ns3::CreateObject<DecompressionEngine>();
        compression->SetCodec(m_codec);
        decompression->SetCodec(m_codec);
        nic->SetEngines(compression, decompression);
    }
    node->AddDevice(nic);
    return nic;
}

ns3::Ptr<SwitchPort>
StarHelper::MakePort(const Nic& nic) const
{
    auto port = m_ports.Create<SwitchPort>();
    port->SetAttribute("DataRate", ns3::DataRateValue(ns3::DataRate(nic.BitsPerSecond())));
    return port;
}

ns3::Ptr<Transport>
StarHelper::MakeTransport(const ns3::Ptr<ns3::Node>& node, const ns3::Ptr<Nic>& nic) const
{
    auto transport = m_transports.Create<Transport>();
    transport->SetNic(nic);
    node->AggregateObject(transport);
    return transport;
}

} // namespace inca
