/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_ETHERNET_DEVICE_H
#define INCA_DEVICE_ETHERNET_DEVICE_H

#include "inca/base/wire-format.h"

#include "ns3/mac48-address.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/traced-callback.h"

#include <cstdint>

namespace inca
{

/**
 * What ns-3 asks of an Ethernet device, however it moves frames: its address, MTU, node and index, that
 * it can broadcast and needs ARP, and who on the host gets packets.
 */
class EthernetDevice : public ns3::NetDevice
{
  public:
    /** What ns-3 knows of the class. */
    static ns3::TypeId GetTypeId()
    {
        static ns3::TypeId tid =
            ns3::TypeId("inca::EthernetDevice").SetParent<ns3::NetDevice>().SetGroupName("Inca");
        return tid;
    }

    void SetIfIndex(const uint32_t index) override
    {
        m_ifIndex = index;
    }

    uint32_t GetIfIndex() const override
    {
        return m_ifIndex;
    }

    void SetAddress(ns3::Address address) override
    {
        m_address = ns3::Mac48Address::ConvertFrom(address);
    }

    ns3::Address GetAddress() const override
    {
        return m_address;
    }

    bool SetMtu(const uint16_t mtu) override
    {
        const bool isPossible = mtu >= MIN_MTU_BYTES;
        m_mtu = isPossible ? mtu : m_mtu;
        return isPossible;
    }

    uint16_t GetMtu() const override
    {
        return m_mtu;
    }

    void AddLinkChangeCallback(ns3::Callback<void> callback) override
    {
        m_linkChanges.ConnectWithoutContext(callback);
    }

    bool IsBroadcast() const override
    {
        return true;
    }

    ns3::Address GetBroadcast() const override
    {
        return ns3::Mac48Address::GetBroadcast();
    }

    bool IsMulticast() const override
    {
        return true;
    }

    ns3::Address GetMulticast(ns3::Ipv4Address group) const override
    {
        return ns3::Mac48Address::GetMulticast(group);
    }

    ns3::Address GetMulticast(ns3::Ipv6Address group) const override
    {
        return ns3::Mac48Address::GetMulticast(group);
    }

    bool IsBridge() const override
    {
        return false;
    }

    bool IsPointToPoint() const override
    {
        return false;
    }

    bool Send(ns3::Ptr<ns3::Packet> packet,
              const ns3::Address& destination,
              uint16_t protocol) override
    {
        return SendFrom(packet, m_address, destination, protocol);
    }

    ns3::Ptr<ns3::Node> GetNode() const override
    {
        return m_node;
    }

    void SetNode(ns3::Ptr<ns3::Node> node) override
    {
        m_node = node;
    }

    bool NeedsArp() const override
    {
        return true;
    }

    void SetReceiveCallback(ReceiveCallback callback) override
    {
        m_receive = callback;
    }

    void SetPromiscReceiveCallback(PromiscReceiveCallback callback) override
    {
        m_promiscReceive = callback;
    }

    bool SupportsSendFrom() const override
    {
        return true;
    }

  protected:
    void DoDispose() override
    {
        m_node = nullptr;
        m_receive = ReceiveCallback();
        m_promiscReceive = PromiscReceiveCallback();
        ns3::NetDevice::DoDispose();
    }

    /** What GetAddress returns, in its own type. */
    ns3::Mac48Address MacAddress() const
    {
        return m_address;
    }

    /** What @p destination is to this host. */
    PacketType TypeOf(ns3::Mac48Address destination) const
    {
        return destination == m_address    ? PACKET_HOST
               : destination.IsBroadcast() ? PACKET_BROADCAST
               : destination.IsGroup()     ? PACKET_MULTICAST
                                           : PACKET_OTHERHOST;
    }

    /** Reports that the link is up. */
    void NotifyLinkChange()
    {
        m_linkChanges();
    }

    /** Gives a packet to those on the host who get all, and, if it is for this host, to its stack. */
    void Give(ns3::Ptr<const ns3::Packet> packet,
              uint16_t protocol,
              ns3::Mac48Address source,
              ns3::Mac48Address destination)
    {
        const auto type = TypeOf(destination);
        if (!m_promiscReceive.IsNull())
        {
            m_promiscReceive(this, packet, protocol, source, destination, type);
        }
        if (type != PACKET_OTHERHOST && !m_receive.IsNull())
        {
            m_receive(this, packet, protocol, source);
        }
    }

  private:
    std::uint16_t m_mtu{1500};   ///< the longest IP packet that it sends (bytes)
    ns3::Mac48Address m_address; ///< its own; frames for it are for this host
    ns3::Ptr<ns3::Node> m_node;  ///< which it is on; null: none yet
    std::uint32_t m_ifIndex{0};  ///< its place among the node's devices
    ReceiveCallback m_receive;   ///< the node's stack; null: nobody takes packets for this host
    PromiscReceiveCallback m_promiscReceive; ///< who on the node gets all packets; null: nobody
    ns3::TracedCallback<> m_linkChanges;     ///< who is told that the link is up
};

} // namespace inca

#endif // INCA_DEVICE_ETHERNET_DEVICE_H
