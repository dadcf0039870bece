/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "model/train-packet.h"

#include "model/transport-header.h"

#include "ns3/ethernet-header.h"
#include "ns3/ipv4-header.h"

#include <array>

namespace inca
{

namespace
{

constexpr std::uint8_t TIME_TO_LIVE{64};
constexpr std::uint32_t PRIVATE_NETWORK{10U << 24U};
constexpr std::size_t MAC_BYTES{6};

ns3::Ipv4Address
Ipv4Of(ns3::Mac48Address mac)
{
    std::array<std::uint8_t, MAC_BYTES> bytes{};
    mac.CopyTo(bytes.data());
    const auto host = static_cast<std::uint32_t>(bytes[3]) << 16U |
                      static_cast<std::uint32_t>(bytes[4]) << 8U | bytes[5];
    return ns3::Ipv4Address(PRIVATE_NETWORK | host);
}

ns3::Ipv4Header
Ipv4HeaderOf(const Train& train)
{
    ns3::Ipv4Header header;
    header.SetSource(Ipv4Of(train.source));
    header.SetDestination(Ipv4Of(train.destination));
    header.SetProtocol(TRANSPORT_IP_PROTOCOL);
    header.SetTos(train.compressible ? COMPRESSIBLE_TOS : 0);
    header.SetTtl(TIME_TO_LIVE);
    header.SetPayloadSize(static_cast<std::uint16_t>(TRANSPORT_HEADER_BYTES + train.plainBytes));
    header.EnableChecksum();
    return header;
}

} // namespace

ns3::Ptr<ns3::Packet>
MakeIpPacket(const Train& train)
{
    if (train.packet)
    {
        return train.packet->Copy();
    }
    const auto shown = train.compressed ? train.wirePayloadBytes : train.plainBytes;
    const auto size = static_cast<std::uint32_t>(shown);
    auto packet = train.bytes ? ns3::Create<ns3::Packet>(train.bytes->data(), size)
                              : ns3::Create<ns3::Packet>(size);
    packet->AddHeader(TransportHeader(train));
    packet->AddHeader(Ipv4HeaderOf(train));
    return packet;
}

ns3::Ptr<ns3::Packet>
MakeEthernetPacket(const Train& train)
{
    ns3::EthernetHeader header(false);
    header.SetSource(train.source);
    header.SetDestination(train.destination);
    header.SetLengthType(train.etherType);
    auto packet = MakeIpPacket(train);
    packet->AddHeader(header);
    return packet;
}

} // namespace inca
