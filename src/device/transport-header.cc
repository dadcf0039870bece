/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/transport-header.h"

#include <ostream>

namespace inca
{

namespace
{

constexpr std::uint8_t KIND_DATA{1};
constexpr std::uint8_t KIND_ACK{2};
constexpr std::uint8_t KIND_PROBE{3};
constexpr std::uint8_t FLAG_LAST{1};
constexpr std::uint8_t FLAG_GRANT{2};
constexpr std::uint8_t FLAG_COMPRESSED{4};
constexpr std::uint8_t FLAG_REPEATED{8};

/** Of an acknowledgement the fields that name a message's part say what is there beyond a gap, and the credit. @{ */
std::uint32_t
RoundField(const Frame& frame)
{
    return frame.kind == FrameKind::ACK ? static_cast<std::uint32_t>(frame.segment.held >> 32U)
                                        : frame.segment.tag.round;
}

std::uint32_t
OrdinalField(const Frame& frame)
{
    return frame.kind == FrameKind::ACK ? static_cast<std::uint32_t>(frame.segment.held)
                                        : frame.segment.tag.ordinal;
}

std::uint32_t
OffsetField(const Frame& frame)
{
    return frame.kind == FrameKind::ACK
               ? frame.segment.credit
               : static_cast<std::uint32_t>(frame.segment.offset / VALUE_BYTES);
}

/** @} */

std::uint8_t
KindOf(FrameKind kind)
{
    if (kind == FrameKind::DATA)
    {
        return KIND_DATA;
    }
    return kind == FrameKind::ACK ? KIND_ACK : KIND_PROBE;
}

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
    : m_kind(KindOf(frame.kind)),
      m_flags(static_cast<std::uint8_t>(
          (frame.segment.last ? FLAG_LAST : 0) | (frame.segment.tag.grant ? FLAG_GRANT : 0) |
          (frame.compressed ? FLAG_COMPRESSED : 0) | (frame.segment.repeated ? FLAG_REPEATED : 0))),
      m_plainBytes(static_cast<std::uint16_t>(frame.plainBytes)),
      m_number(static_cast<std::uint32_t>(frame.segment.number)),
      m_round(RoundField(frame)),
      m_ordinal(OrdinalField(frame)),
      m_offsetValues(OffsetField(frame))
{
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
    start.WriteU8(m_kind);
    start.WriteU8(m_flags);
    start.WriteHtonU16(m_plainBytes);
    start.WriteHtonU32(m_number);
    start.WriteHtonU32(m_round);
    start.WriteHtonU32(m_ordinal);
    start.WriteHtonU32(m_offsetValues);
}

std::uint32_t
TransportHeader::Deserialize(ns3::Buffer::Iterator start)
{
    m_kind = start.ReadU8();
    m_flags = start.ReadU8();
    m_plainBytes = start.ReadNtohU16();
    m_number = start.ReadNtohU32();
    m_round = start.ReadNtohU32();
    m_ordinal = start.ReadNtohU32();
    m_offsetValues = start.ReadNtohU32();
    return GetSerializedSize();
}

void
TransportHeader::Print(std::ostream& os) const
{
    if (m_kind == KIND_DATA)
    {
        os << "data " << m_number << " round " << m_round << " message " << m_ordinal << " value "
           << m_offsetValues;
        return;
    }
    os << (m_kind == KIND_ACK ? "ack " : "probe ") << m_number;
}

} // namespace inca
