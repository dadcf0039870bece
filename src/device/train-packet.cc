/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/train-packet.h"

#include "device/aggregation-header.h"
#include "device/transport-header.h"

#include "ns3/ethernet-header.h"
#include "ns3/ipv4-header.h"
#include "ns3/udp-header.h"

#include <array>
#include <vector>

namespace inca
{

namespace
{

constexpr std::uint8_t TIME_TO_LIVE{64};
constexpr std::uint8_t UDP_IP_PROTOCOL{17};
constexpr std::uint32_t PRIVATE_NETWORK{10U << 24U};
constexpr std::size_t MAC_BYTES{6};

ns3::Ipv4Address
Ipv4Of(ns3::Mac48Address mac)
{
    std::array<std::uint8_t, MAC_BYTES> bytes{};
    mac.CopyTo(bytes.data());
    const auto host = static_cast<std::uint32_t>(bytes[3]) << 16U |
                      static_cast<std::uint32_t>(bytes[4]) << 8U | bytes[5];
    const auto odd = static_cast<std::uint32_t>(bytes[1] & 1U) << 23U; // switches beside hosts
    return ns3::Ipv4Address(PRIVATE_NETWORK | odd | host);
}

ns3::Ipv4Header
Ipv4HeaderOf(const Train& train)
{
    ns3::Ipv4Header header;
    header.SetSource(Ipv4Of(train.source));
    header.SetDestination(Ipv4Of(train.destination));
    const bool isAggregation = train.kind == TrainKind::AGGREGATION;
    header.SetProtocol(isAggregation ? UDP_IP_PROTOCOL : TRANSPORT_IP_PROTOCOL);
    header.SetTos(train.compressible ? COMPRESSIBLE_TOS : 0);
    header.SetTtl(TIME_TO_LIVE);
    header.SetIdentification(static_cast<std::uint16_t>(train.segment.transmission));
    header.SetPayloadSize(
        static_cast<std::uint16_t>(train.headerBytes - IPV4_HEADER_BYTES + train.plainBytes));
    header.EnableChecksum();
    return header;
}

/** What stands behind UDP, before the values. */
ns3::Ptr<ns3::Packet>
MakeFields(const AggregationSegment& segment)
{
    if (!segment.fields)
    {
        auto fields = ns3::Create<ns3::Packet>();
        fields->AddHeader(AggregationHeader(segment));
        return fields;
    }
    std::vector<std::uint8_t> bytes(segment.fields->Bytes());
    segment.fields->Write(bytes.data());
    return ns3::Create<ns3::Packet>(bytes.data(), static_cast<std::uint32_t>(bytes.size()));
}

ns3::Ptr<ns3::Packet>
MakeAggregationPacket(const Train& train)
{
    const auto& payload = train.aggregation.packet.payload;
    const auto size = static_cast<std::uint32_t>(train.plainBytes);
    const auto given =
        payload ? static_cast<std::uint32_t>(payload->words.size() * sizeof(Word)) : 0;
    auto packet = MakeFields(train.aggregation);
    if (payload)
    {
        packet->AddAtEnd(ns3::Create<ns3::Packet>(
            reinterpret_cast<const std::uint8_t*>(payload->words.data()), given));
    }
    packet->AddAtEnd(ns3::Create<ns3::Packet>(size - given)); // AddPaddingAtEnd would not be zeros
    ns3::UdpHeader udp;
    udp.SetSourcePort(AGGREGATION_UDP_PORT);
    udp.SetDestinationPort(AGGREGATION_UDP_PORT);
    packet->AddHeader(udp);
    packet->AddHeader(Ipv4HeaderOf(train));
    return packet;
}

} // namespace

ns3::Ptr<ns3::Packet>
MakeIpPacket(const Train& train)
{
    if (train.packet)
    {
        return train.packet->Copy();
    }
    if (train.kind == TrainKind::AGGREGATION)
    {
        return MakeAggregationPacket(train);
    }
    const auto shown = train.compressed ? train.wirePayloadBytes : train.plainBytes;
    const auto size = static_cast<std::uint32_t>(shown);
    auto packet = train.bytes.AreThere() ? ns3::Create<ns3::Packet>(train.bytes.data(), size)
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
