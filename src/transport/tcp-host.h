/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRANSPORT_TCP_HOST_H
#define INCA_TRANSPORT_TCP_HOST_H

#include "inca/device/mac-hash.h"
#include "inca/transport/linux-tcp-socket.h"

#include "ns3/address.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv4-route.h"
#include "ns3/mac48-address.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"

#include <cstdint>
#include <functional>
#include <unordered_map>

namespace inca
{

class Nic;

/**
 * ns-3's TCP of one host: that of a node's own Internet stack, over whatever devices; or over one inca::Nic.
 *
 * Over a NIC it is what ns-3 has of IPv4 between both, less its routes, its ARP and its queue discs,
 * of which hosts of one network need none. It is on an ns-3 node of its own, so that the NIC's node may have
 * another stack, over other NICs. Packets are those of ns-3's stack in every bit. Their receiver takes them for the
 * frame's: from the host, and to the host, that the frame's addresses name.
 */
class TcpHost
{
  public:
    /** Gets a connection that was opened by the host at @p from, from its port @p port. */
    using Accept =
        std::function<void(ns3::Ptr<ns3::Socket>, ns3::Mac48Address from, std::uint16_t port)>;

    /**
     * @param nic on its node, which gives it the IPv4 packets from now on
     * @param accept gets the connections that others open
     */
    TcpHost(ns3::Ptr<Nic> nic, Accept accept);

    /**
     * @param node has an Internet stack
     * @param address one of the stack's
     * @param accept gets the connections that others open
     */
    TcpHost(ns3::Ptr<ns3::Node> node, ns3::Ipv4Address address, Accept accept);

    TcpHost(const TcpHost&) = delete; // its sockets know where it is
    TcpHost& operator=(const TcpHost&) = delete;
    ~TcpHost(); ///< the NIC's node gives it nothing any more

    /** What stands for an address of a node's own stack, where hosts are named. */
    static ns3::Mac48Address NameOf(ns3::Ipv4Address address);

    /** Opens a connection to the host @p to, which is @p other, or one that stands in for it. */
    ns3::Ptr<LinuxTcpSocket> Connect(ns3::Mac48Address to, const TcpHost& other);

    /** Of payload, by the MTU of the device that has the address. (bytes) */
    std::uint64_t SegmentBytes() const
    {
        return m_segmentBytes;
    }

    /** When the last packet leaves, or has left, the NIC. (ps) */
    std::int64_t LastDeparturePs() const
    {
        return m_lastDeparturePs;
    }

  private:
    void Listen(const Accept& accept); ///< for connections of others
    ns3::Ptr<LinuxTcpSocket> MakeSocket(
        std::uint16_t port) const; ///< bound to a port; 0: any that is free
    /** TCP's packets go to the NIC. */
    void SendDown(ns3::Ptr<ns3::Packet> packet,
                  ns3::Ipv4Address source,
                  ns3::Ipv4Address destination,
                  std::uint8_t protocol,
                  ns3::Ptr<ns3::Ipv4Route> route);
    /** Packets of the NIC go to TCP. */
    void Receive(ns3::Ptr<ns3::NetDevice> device,
                 ns3::Ptr<const ns3::Packet> packet,
                 std::uint16_t protocol,
                 const ns3::Address& from,
                 const ns3::Address& to,
                 ns3::NetDevice::PacketType type);
    ns3::Ipv4Address Know(ns3::Mac48Address neighbour); ///< its IPv4 address, from now on

    ns3::Ptr<Nic> m_nic;              ///< null: the stack sends by itself
    ns3::Ipv4Address m_address;       ///< what its sockets send from
    ns3::Ptr<ns3::Node> m_node;       ///< of the stack
    std::uint64_t m_segmentBytes{0};  ///< of payload
    std::uint32_t m_ports{0};         ///< of a NIC that connections were opened from
    ns3::Ptr<ns3::Socket> m_listener; ///< waits for connections of others
    std::unordered_map<std::uint32_t, ns3::Mac48Address> m_neighbours; ///< by IPv4 address
    std::int64_t m_lastDeparturePs{0}; ///< of the last packet, from the NIC
};

} // namespace inca

#endif // INCA_TRANSPORT_TCP_HOST_H
