/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "transport/tcp-host.h"

#include "base/text.h"
#include "base/wire-format.h"
#include "device/frame-packet.h"
#include "device/nic.h"
#include "device/set-up-error.h"

#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv4-static-routing.h"
#include "ns3/socket.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/uinteger.h"

#include <array>
#include <utility>

namespace inca
{

namespace
{

// Of a NIC. A node's own stack finds free ones.
constexpr std::uint16_t LISTENING_PORT{1023};
constexpr std::uint32_t FIRST_PORT{1024}; ///< of those that connections are opened from
constexpr std::uint32_t LAST_PORT{65'535};
constexpr std::uint8_t HOPS{64};

/** There is one way out. TCP asks only which address it has there. */
class OneRoute : public ns3::Ipv4StaticRouting
{
  public:
    explicit OneRoute(ns3::Ipv4Address own)
        : m_route(ns3::Create<ns3::Ipv4Route>())
    {
        m_route->SetSource(own);
    }

    ns3::Ptr<ns3::Ipv4Route> RouteOutput(ns3::Ptr<ns3::Packet> /*packet*/,
                                         const ns3::Ipv4Header& /*header*/,
                                         ns3::Ptr<ns3::NetDevice> /*through*/,
                                         ns3::Socket::SocketErrno& error) override
    {
        error = ns3::Socket::ERROR_NOTERROR;
        return m_route;
    }

  private:
    ns3::Ptr<ns3::Ipv4Route> m_route;
};

} // namespace

TcpHost::TcpHost(ns3::Ptr<Nic> nic, Accept accept)
    : m_nic(std::move(nic)),
      m_address(Ipv4Of(ns3::Mac48Address::ConvertFrom(m_nic->GetAddress()))),
      m_node(ns3::CreateObject<ns3::Node>()),
      m_segmentBytes(m_nic->GetMtu() - TCP_HEADER_BYTES)
{
    const auto ipv4 = ns3::CreateObject<ns3::Ipv4L3Protocol>();
    ipv4->SetRoutingProtocol(ns3::CreateObject<OneRoute>(m_address));
    m_node->AggregateObject(ipv4);
    const auto tcp = ns3::CreateObject<ns3::TcpL4Protocol>();
    m_node->AggregateObject(tcp);
    tcp->SetDownTarget(ns3::MakeCallback(&TcpHost::SendDown, this));
    m_nic->GetNode()->RegisterProtocolHandler(
        ns3::MakeCallback(&TcpHost::Receive, this), ETHERTYPE_IPV4, m_nic);
    Listen(accept);
}

TcpHost::TcpHost(ns3::Ptr<ns3::Node> node, ns3::Ipv4Address address, Accept accept)
    : m_address(address),
      m_node(std::move(node))
{
    const auto ipv4 = m_node->GetObject<ns3::Ipv4>();
    const auto interface = ipv4 ? ipv4->GetInterfaceForAddress(address) : -1;
    INCA_ABORT_MSG_IF(
        interface < 0,
        Text("node ", m_node->GetId(), " has no interface with the address it is to send from"));
    INCA_ABORT_MSG_IF(!m_node->GetObject<ns3::TcpL4Protocol>(),
                      Text("node ", m_node->GetId(), " has no TCP"));
    m_segmentBytes = ipv4->GetMtu(static_cast<std::uint32_t>(interface)) - TCP_HEADER_BYTES;
    Listen(accept);
}

TcpHost::~TcpHost()
{
    if (const auto node = m_nic ? m_nic->GetNode() : nullptr)
    {
        node->UnregisterProtocolHandler(ns3::MakeCallback(&TcpHost::Receive, this));
    }
}

void
TcpHost::Listen(const Accept& accept)
{
    m_listener = MakeSocket(m_nic ? LISTENING_PORT : 0);
    m_listener->Listen();
    const auto opened = [this, accept](ns3::Ptr<ns3::Socket> socket, const ns3::Address& from) {
        const auto peer = ns3::InetSocketAddress::ConvertFrom(from);
        const auto address = peer.GetIpv4();
        accept(std::move(socket),
               m_nic ? m_neighbours.at(address.Get()) : NameOf(address),
               peer.GetPort());
    };
    m_listener->SetAcceptCallback(
        ns3::MakeNullCallback<bool, ns3::Ptr<ns3::Socket>, const ns3::Address&>(),
        ns3::Callback<void, ns3::Ptr<ns3::Socket>, const ns3::Address&>(opened));
}

ns3::Ptr<LinuxTcpSocket>
TcpHost::MakeSocket(std::uint16_t port) const
{
    auto socket = MakeLinuxTcpSocket(m_node);
    socket->SetAttribute("SegmentSize", ns3::UintegerValue(m_segmentBytes));
    INCA_ABORT_MSG_IF(socket->Bind(ns3::InetSocketAddress(m_address, port)) != 0,
                      Text("node ", m_node->GetId(), " has no free port"));
    return socket;
}

ns3::Ptr<LinuxTcpSocket>
TcpHost::Connect(ns3::Mac48Address to, const TcpHost& other)
{
    if (!m_nic)
    {
        auto socket = MakeSocket(0);
        ns3::Address listening;
        other.m_listener->GetSockName(listening);
        socket->Connect(listening);
        return socket;
    }
    INCA_ABORT_MSG_IF(FIRST_PORT + m_ports > LAST_PORT,
                      "a host has more TCP connections than it has ports: fewer sockets "
                      "(transport.sockets) or workers help");
    auto socket = MakeSocket(static_cast<std::uint16_t>(FIRST_PORT + m_ports++));
    socket->Connect(ns3::InetSocketAddress(Know(to), LISTENING_PORT));
    return socket;
}

ns3::Mac48Address
TcpHost::NameOf(ns3::Ipv4Address address)
{
    std::array<std::uint8_t, 6> bytes{
        2, 2}; // locally administered, and of no NIC of INCA's (HostAddress)
    address.Serialize(&bytes[2]);
    ns3::Mac48Address name;
    name.CopyFrom(bytes.data());
    return name;
}

ns3::Ipv4Address
TcpHost::Know(ns3::Mac48Address neighbour)
{
    const auto address = Ipv4Of(neighbour);
    m_neighbours[address.Get()] = neighbour;
    return address;
}

void
TcpHost::SendDown(ns3::Ptr<ns3::Packet> packet,
                  ns3::Ipv4Address source,
                  ns3::Ipv4Address destination,
                  std::uint8_t protocol,
                  ns3::Ptr<ns3::Ipv4Route> /*route*/)
{
    ns3::Ipv4Header header;
    header.SetSource(source);
    header.SetDestination(destination);
    header.SetProtocol(protocol);
    header.SetTtl(HOPS);
    header.SetPayloadSize(static_cast<std::uint16_t>(packet->GetSize()));
    ns3::SocketIpTosTag tos;
    if (packet->RemovePacketTag(tos))
    {
        header.SetTos(tos.GetTos());
    }
    packet->AddHeader(header);
    auto frame = MakeStackFrame(std::move(packet), ETHERTYPE_IPV4);
    frame->destination = m_neighbours.at(destination.Get());
    m_lastDeparturePs = m_nic->SendFrame(std::move(frame)).value_or(m_lastDeparturePs);
}

void
TcpHost::Receive(ns3::Ptr<ns3::NetDevice> /*device*/,
                 ns3::Ptr<const ns3::Packet> packet,
                 std::uint16_t /*protocol*/,
                 const ns3::Address& from,
                 const ns3::Address& /*to*/,
                 ns3::NetDevice::PacketType /*type*/)
{
    const auto taken = packet->Copy();
    ns3::Ipv4Header header;
    taken->RemoveHeader(header);
    header.SetSource(Know(ns3::Mac48Address::ConvertFrom(from)));
    header.SetDestination(m_address);
    m_node->GetObject<ns3::TcpL4Protocol>()->Receive(taken, header, nullptr);
}

} // namespace inca
