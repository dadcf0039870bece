/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The small answers that ns3::NetDevice asks of every device.
#include "device/nic.h"

#include "base/errors.h"

#include "ns3/node.h"

namespace inca
{

void
Nic::SetIfIndex(const uint32_t index)
{
    m_ifIndex = index;
}

uint32_t
Nic::GetIfIndex() const
{
    return m_ifIndex;
}

ns3::Ptr<ns3::Channel>
Nic::GetChannel() const
{
    return m_link;
}

void
Nic::SetAddress(ns3::Address address)
{
    m_address = ns3::Mac48Address::ConvertFrom(address);
}

ns3::Address
Nic::GetAddress() const
{
    return m_address;
}

bool
Nic::SetMtu(const uint16_t mtu)
{
    if (mtu < MIN_MTU_BYTES)
    {
        return false;
    }
    m_mtu = mtu;
    return true;
}

uint16_t
Nic::GetMtu() const
{
    return m_mtu;
}

void
Nic::SetPcapSide(std::string side)
{
    if (side != "host" && side != "wire")
    {
        throw InputError("PcapSide must be host or wire, got '" + side + "'");
    }
    m_pcapSide = side == "host" ? HOST : WIRE;
}

std::string
Nic::GetPcapSide() const
{
    return m_pcapSide == HOST ? "host" : "wire";
}

bool
Nic::IsLinkUp() const
{
    return m_link != nullptr;
}

void
Nic::AddLinkChangeCallback(ns3::Callback<void> callback)
{
    m_linkChanges.ConnectWithoutContext(callback);
}

bool
Nic::IsBroadcast() const
{
    return true;
}

ns3::Address
Nic::GetBroadcast() const
{
    return ns3::Mac48Address::GetBroadcast();
}

bool
Nic::IsMulticast() const
{
    return true;
}

ns3::Address
Nic::GetMulticast(ns3::Ipv4Address group) const
{
    return ns3::Mac48Address::GetMulticast(group);
}

ns3::Address
Nic::GetMulticast(ns3::Ipv6Address group) const
{
    return ns3::Mac48Address::GetMulticast(group);
}

bool
Nic::IsBridge() const
{
    return false;
}

bool
Nic::IsPointToPoint() const
{
    return false;
}

ns3::Ptr<ns3::Node>
Nic::GetNode() const
{
    return m_node;
}

void
Nic::SetNode(ns3::Ptr<ns3::Node> node)
{
    m_node = node;
}

std::uint32_t
Nic::NodeId() const
{
    return m_node->GetId();
}

ns3::Ptr<ns3::NetDevice>
Nic::Device()
{
    return this;
}

bool
Nic::NeedsArp() const
{
    return true;
}

void
Nic::SetReceiveCallback(ReceiveCallback callback)
{
    m_receive = callback;
}

void
Nic::SetPromiscReceiveCallback(PromiscReceiveCallback callback)
{
    m_promiscReceive = callback;
}

bool
Nic::SupportsSendFrom() const
{
    return true;
}

} // namespace inca
