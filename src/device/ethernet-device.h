/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_ETHERNET_DEVICE_H
#define INCA_DEVICE_ETHERNET_DEVICE_H

#include "ns3/mac48-address.h"
#include "ns3/net-device.h"
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
    static ns3::TypeId GetTypeId();

    void SetIfIndex(const uint32_t index) override;
    uint32_t GetIfIndex() const override;
    void SetAddress(ns3::Address address) override;
    ns3::Address GetAddress() const override;
    bool SetMtu(const uint16_t mtu) override;
    uint16_t GetMtu() const override;
    void AddLinkChangeCallback(ns3::Callback<void> callback) override;
    bool IsBroadcast() const override;
    ns3::Address GetBroadcast() const override;
    bool IsMulticast() const override;
    ns3::Address GetMulticast(ns3::Ipv4Address group) const override;
    ns3::Address GetMulticast(ns3::Ipv6Address group) const override;
    bool IsBridge() const override;
    bool IsPointToPoint() const override;
    bool Send(ns3::Ptr<ns3::Packet> packet,
              const ns3::Address& destination,
              uint16_t protocol) override;
    ns3::Ptr<ns3::Node> GetNode() const override;
    void SetNode(ns3::Ptr<ns3::Node> node) override;
    bool NeedsArp() const override;
    void SetReceiveCallback(ReceiveCallback callback) override;
    void SetPromiscReceiveCallback(PromiscReceiveCallback callback) override;
    bool SupportsSendFrom() const override;

  protected:
    void DoDispose() override;

    ns3::Mac48Address MacAddress() const
    {
        return m_address;
    }

    /** What @p destination is to this host. */
    PacketType TypeOf(ns3::Mac48Address destination) const;

    /** Tells those who want to know that the link is up. */
    void TellLinkChange();

    /** Gives a packet to those on the host who get all. */
    void GivePromiscuously(ns3::Ptr<const ns3::Packet> packet,
                           uint16_t protocol,
                           ns3::Mac48Address source,
                           ns3::Mac48Address destination,
                           PacketType type);

    /** Gives a packet that is for this host to its stack. */
    void Give(ns3::Ptr<const ns3::Packet> packet, uint16_t protocol, ns3::Mac48Address source);

  private:
    std::uint16_t m_mtu{1500};
    ns3::Mac48Address m_address;
    ns3::Ptr<ns3::Node> m_node;
    std::uint32_t m_ifIndex{0};
    ReceiveCallback m_receive;
    PromiscReceiveCallback m_promiscReceive;
    ns3::TracedCallback<> m_linkChanges;
};

} // namespace inca

#endif // INCA_DEVICE_ETHERNET_DEVICE_H
