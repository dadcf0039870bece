/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_HELPER_STAR_HELPER_H
#define INCA_HELPER_STAR_HELPER_H

#include "codec/codec.h"
#include "helper/cluster.h"

#include "ns3/attribute.h"
#include "ns3/data-rate.h"
#include "ns3/object-factory.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace inca
{

/**
 * Hosts around one switch: host i has a NIC and a transport, and a link to the switch's port i, which
 * sends as fast as the NIC. What is not set here has the attribute's default, so
 * ns3::Config::SetDefault reaches every object.
 */
class StarHelper
{
  public:
    StarHelper();

    /** Sets an attribute of all objects of a kind. @{ */
    void SetNicAttribute(const std::string& name, const ns3::AttributeValue& value);
    void SetLinkAttribute(const std::string& name, const ns3::AttributeValue& value);
    void SetSwitchAttribute(const std::string& name, const ns3::AttributeValue& value);
    void SetPortAttribute(const std::string& name, const ns3::AttributeValue& value);
    void SetTransportAttribute(const std::string& name, const ns3::AttributeValue& value);
    /** @} */

    /** The rate of one host's NIC and of the switch's port to it. */
    void SetHostRate(std::uint32_t host, ns3::DataRate rate);

    /** Gives every NIC both engines with @p codec; null, the default, means no engines. */
    void SetCodec(std::shared_ptr<const Codec> codec);

    /**
     * Builds @p hosts nodes and a switch.
     * @throws InputError for less than 2 hosts, or if ns-3 does not count picoseconds
     */
    Cluster Install(std::uint32_t hosts) const;

    /** The same around @p nodes, which may have anything else already. */
    Cluster Install(const ns3::NodeContainer& nodes) const;

  private:
    ns3::Ptr<Nic> MakeNic(const ns3::Ptr<ns3::Node>& node, std::uint32_t host) const;
    ns3::Ptr<Transport> MakeTransport(const ns3::Ptr<ns3::Node>& node,
                                      const ns3::Ptr<Nic>& nic) const;
    ns3::Ptr<SwitchPort> MakePort(const Nic& nic) const;
    void AddHost(Cluster& cluster, std::uint32_t host) const;

    ns3::ObjectFactory m_nics;
    ns3::ObjectFactory m_links;
    ns3::ObjectFactory m_switches;
    ns3::ObjectFactory m_ports;
    ns3::ObjectFactory m_transports;
    std::map<std::uint32_t, ns3::DataRate> m_hostRates;
    std::shared_ptr<const Codec> m_codec;
};

} // namespace inca

#endif // INCA_HELPER_STAR_HELPER_H
