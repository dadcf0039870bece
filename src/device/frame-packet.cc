/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/frame-packet.h"

#include "device/frame-headers.h"

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

ns3::Ipv4Header
Ipv4HeaderOf(const Frame& frame, std::uint64_t payloadBytes)
{
    ns3::Ipv4Header header;
    header.SetSource(Ipv4Of(frame.source));
    header.SetDestination(Ipv4Of(frame.destination));
    const bool isAggregation = frame.kind == FrameKind::AGGREGATION;
    header.SetProtocol(isAggregation ? UDP_IP_PROTOCOL : TRANSPORT_IP_PROTOCOL);
    header.SetTos(frame.compressible ? COMPRESSIBLE_TOS : 0);
    header.SetTtl(TIME_TO_LIVE);
    header.SetIdentification(static_cast<std::uint16_t>(frame.segment.transmission));
    header.SetPayloadSize(static_cast<std::uint16_t>(payloadBytes));
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
MakeAggregationPacket(const Frame& frame)
{
    const bool areWords = frame.aggregation.packet.valueBytes == sizeof(Word);
    const auto payload = areWords ? frame.aggregation.packet.payload : nullptr;
    const auto size = static_cast<std::uint32_t>(frame.plainBytes);
    const auto given =
        payload ? static_cast<std::uint32_t>(payload->words.size() * sizeof(Word)) : 0;
    auto packet = MakeFields(frame.aggregation);
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
    packet->AddHeader(Ipv4HeaderOf(frame, packet->GetSize()));
    return packet;
}

} // namespace

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

ns3::Ptr<ns3::Packet>
MakeIpPacket(const Frame& frame)
{
    if (frame.packet)
    {
        return frame.packet->Copy();
    }
    if (frame.kind == FrameKind::AGGREGATION)
    {
        return MakeAggregationPacket(frame);
    }
    const auto shown = frame.compressed ? frame.wirePayloadBytes : frame.plainBytes;
    const auto size = static_cast<std::uint32_t>(shown);
    auto packet = frame.bytes.AreThere() ? ns3::Create<ns3::Packet>(frame.bytes.data(), size)
                                         : ns3::Create<ns3::Packet>(size);
    packet->AddHeader(TransportHeader(frame));
    packet->AddHeader(Ipv4HeaderOf(frame, TRANSPORT_HEADER_BYTES + frame.plainBytes));
    return packet;
}

ns3::Ptr<ns3::Packet>
MakeEthernetPacket(const Frame& frame)
{
    ns3::EthernetHeader header(false);
    header.SetSource(frame.source);
    header.SetDestination(frame.destination);
    header.SetLengthType(frame.etherType);
    auto packet = MakeIpPacket(frame);
    packet->AddHeader(header);
    return packet;
}

} // namespace inca
