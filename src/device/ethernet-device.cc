/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/ethernet-device.h"

#include "base/wire-format.h"

#include "ns3/node.h"
#include "ns3/packet.h"

namespace inca
{

NS_OBJECT_ENSURE_REGISTERED(EthernetDevice);

ns3::TypeId
EthernetDevice::GetTypeId()
{
    static ns3::TypeId tid =
        ns3::TypeId("inca::EthernetDevice").SetParent<ns3::NetDevice>().SetGroupName("Inca");
    return tid;
}

void
EthernetDevice::SetIfIndex(const uint32_t index)
{
    m_ifIndex = index;
}

uint32_t
EthernetDevice::GetIfIndex() const
{
    return m_ifIndex;
}

void
EthernetDevice::SetAddress(ns3::Address address)
{
    m_address = ns3::Mac48Address::ConvertFrom(address);
}

ns3::Address
EthernetDevice::GetAddress() const
{
    return m_address;
}

bool
EthernetDevice::SetMtu(const uint16_t mtu)
{
    if (mtu < MIN_MTU_BYTES)
    {
        return false;
    }
    m_mtu = mtu;
    return true;
}

uint16_t
EthernetDevice::GetMtu() const
{
    return m_mtu;
}

void
EthernetDevice::AddLinkChangeCallback(ns3::Callback<void> callback)
{
    m_linkChanges.ConnectWithoutContext(callback);
}

bool
EthernetDevice::IsBroadcast() const
{
    return true;
}

ns3::Address
EthernetDevice::GetBroadcast() const
{
    return ns3::Mac48Address::GetBroadcast();
}

bool
EthernetDevice::IsMulticast() const
{
    return true;
}

ns3::Address
EthernetDevice::GetMulticast(ns3::Ipv4Address group) const
{
    return ns3::Mac48Address::GetMulticast(group);
}

ns3::Address
EthernetDevice::GetMulticast(ns3::Ipv6Address group) const
{
    return ns3::Mac48Address::GetMulticast(group);
}

bool
EthernetDevice::IsBridge() const
{
    return false;
}

bool
EthernetDevice::IsPointToPoint() const
{
    return false;
}

bool
EthernetDevice::Send(ns3::Ptr<ns3::Packet> packet,
                     const ns3::Address& destination,
                     uint16_t protocol)
{
    return SendFrom(packet, m_address, destination, protocol);
}

ns3::Ptr<ns3::Node>
EthernetDevice::GetNode() const
{
    return m_node;
}

void
EthernetDevice::SetNode(ns3::Ptr<ns3::Node> node)
{
    m_node = node;
}

bool
EthernetDevice::NeedsArp() const
{
    return true;
}

void
EthernetDevice::SetReceiveCallback(ReceiveCallback callback)
{
    m_receive = callback;
}

void
EthernetDevice::SetPromiscReceiveCallback(PromiscReceiveCallback callback)
{
    m_promiscReceive = callback;
}

bool
EthernetDevice::SupportsSendFrom() const
{
    return true;
}

ns3::NetDevice::PacketType
EthernetDevice::TypeOf(ns3::Mac48Address destination) const
{
    if (destination == m_address)
    {
        return PACKET_HOST;
    }
    if (destination.IsBroadcast())
    {
        return PACKET_BROADCAST;
    }
    return destination.IsGroup() ? PACKET_MULTICAST : PACKET_OTHERHOST;
}

void
EthernetDevice::TellLinkChange()
{
    m_linkChanges();
}

void
EthernetDevice::GivePromiscuously(ns3::Ptr<const ns3::Packet> packet,
                                  uint16_t protocol,
                                  ns3::Mac48Address source,
                                  ns3::Mac48Address destination,
                                  PacketType type)
{
    if (!m_promiscReceive.IsNull())
    {
        m_promiscReceive(this, packet, protocol, source, destination, type);
    }
}

void
EthernetDevice::Give(ns3::Ptr<const ns3::Packet> packet,
                     uint16_t protocol,
                     ns3::Mac48Address source)
{
    if (!m_receive.IsNull())
    {
        m_receive(this, packet, protocol, source);
    }
}

void
EthernetDevice::DoDispose()
{
    m_node = nullptr;
    m_receive = ReceiveCallback();
    m_promiscReceive = PromiscReceiveCallback();
    ns3::NetDevice::DoDispose();
}

} // namespace inca
