/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/frame-headers.h"

#include <ostream>

namespace inca
{

namespace
{

constexpr std::uint8_t KIND_DATA{1};
constexpr std::uint8_t KIND_ACK{2};
constexpr std::uint8_t KIND_PROBE{3};

constexpr std::uint8_t VERSION{1};
constexpr std::uint8_t FLAG_SUM{1};
constexpr std::uint8_t FLAG_OR{4};

} // namespace

NS_OBJECT_ENSURE_REGISTERED(TransportHeader);

ns3::TypeId
TransportHeader::GetTypeId()
{
    static ns3::TypeId tid = ns3::TypeId("inca::TransportHeader")
                                 .SetParent<ns3::Header>()
                                 .SetGroupName("Inca")
                                 .AddConstructor<TransportHeader>();
    return tid;
}

TransportHeader::TransportHeader(const Frame& frame)
    : kind(frame.kind == FrameKind::DATA  ? KIND_DATA
           : frame.kind == FrameKind::ACK ? KIND_ACK
                                          : KIND_PROBE),
      flags(static_cast<std::uint8_t>(
          (frame.segment.last ? 1 : 0) | (frame.segment.tag.grant ? 2 : 0) |
          (frame.compressed ? 4 : 0) | (frame.segment.repeated ? 8 : 0))),
      plainBytes(static_cast<std::uint16_t>(frame.plainBytes)),
      number(static_cast<std::uint32_t>(frame.segment.number)),
      round(frame.segment.tag.round),
      ordinal(frame.segment.tag.ordinal),
      offsetValues(static_cast<std::uint32_t>(frame.segment.offset / VALUE_BYTES))
{
    if (kind == KIND_ACK)
    {
        round = static_cast<std::uint32_t>(frame.segment.held >> 32U);
        ordinal = static_cast<std::uint32_t>(frame.segment.held);
        offsetValues = frame.segment.credit;
    }
}

ns3::TypeId
TransportHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

std::uint32_t
TransportHeader::GetSerializedSize() const
{
    return TRANSPORT_HEADER_BYTES;
}

void
TransportHeader::Serialize(ns3::Buffer::Iterator start) const
{
    start.WriteU8(kind);
    start.WriteU8(flags);
    start.WriteHtonU16(plainBytes);
    start.WriteHtonU32(number);
    start.WriteHtonU32(round);
    start.WriteHtonU32(ordinal);
    start.WriteHtonU32(offsetValues);
}

std::uint32_t
TransportHeader::Deserialize(ns3::Buffer::Iterator start)
{
    kind = start.ReadU8();
    flags = start.ReadU8();
    plainBytes = start.ReadNtohU16();
    number = start.ReadNtohU32();
    round = start.ReadNtohU32();
    ordinal = start.ReadNtohU32();
    offsetValues = start.ReadNtohU32();
    return GetSerializedSize();
}

void
TransportHeader::Print(std::ostream& os) const
{
    os << (kind == KIND_DATA ? "data " : kind == KIND_ACK ? "ack " : "probe ") << number;
    if (kind == KIND_DATA)
    {
        os << " round " << round << " message " << ordinal << " value " << offsetValues;
    }
}

NS_OBJECT_ENSURE_REGISTERED(AggregationHeader);

ns3::TypeId
AggregationHeader::GetTypeId()
{
    static ns3::TypeId tid = ns3::TypeId("inca::AggregationHeader")
                                 .SetParent<ns3::Header>()
                                 .SetGroupName("Inca")
                                 .AddConstructor<AggregationHeader>();
    return tid;
}

AggregationHeader::AggregationHeader(const AggregationSegment& segment)
    : version(VERSION),
      child(static_cast<std::uint16_t>(segment.packet.child)),
      exponent(segment.packet.exponent),
      values(static_cast<std::uint16_t>(segment.packet.values)),
      number(segment.packet.number)
{
    const auto& packet = segment.packet;
    flags = static_cast<std::uint8_t>(
        (segment.down ? FLAG_SUM : 0) | (segment.repeated ? 2 : 0) |
        (packet.orWords ? FLAG_OR : 0) | (packet.afterLoss ? 8 : 0) |
        (packet.phase == SumPhase::REDUCE_SCATTER ? 16 : 0) |
        (packet.phase == SumPhase::ALL_GATHER ? 32 : 0) | (packet.asks || segment.down ? 0 : 48) |
        (packet.ofOwner && !segment.down ? 64 : 0) | (packet.sequence > 0 ? 128 : 0));
}

ns3::TypeId
AggregationHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

std::uint32_t
AggregationHeader::GetSerializedSize() const
{
    return AGGREGATION_PROGRAM_BYTES;
}

void
AggregationHeader::Serialize(ns3::Buffer::Iterator start) const
{
    start.WriteU8(version);
    start.WriteU8(flags);
    start.WriteHtonU16(child);
    start.WriteHtonU16(static_cast<std::uint16_t>(exponent));
    start.WriteHtonU16(values);
    start.WriteHtonU64(number);
}

std::uint32_t
AggregationHeader::Deserialize(ns3::Buffer::Iterator start)
{
    version = start.ReadU8();
    flags = start.ReadU8();
    child = start.ReadNtohU16();
    exponent = static_cast<std::int16_t>(start.ReadNtohU16());
    values = start.ReadNtohU16();
    number = start.ReadNtohU64();
    return GetSerializedSize();
}

void
AggregationHeader::Print(std::ostream& os) const
{
    os << ((flags & FLAG_SUM) != 0 ? "sum " : "contribution ") << number;
    if ((flags & FLAG_SUM) == 0)
    {
        os << " of child " << child;
    }
    os << ", " << values << ((flags & FLAG_OR) != 0 ? " or-ed words" : " values");
}

} // namespace inca
