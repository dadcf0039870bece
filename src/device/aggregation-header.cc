/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/aggregation-header.h"

#include <ostream>

namespace inca
{

namespace
{

constexpr std::uint8_t VERSION{1};
constexpr std::uint8_t FLAG_SUM{1};
constexpr std::uint8_t FLAG_REPEATED{2};
constexpr std::uint8_t FLAG_OR{4};
constexpr std::uint8_t FLAG_AFTER_LOSS{8};
constexpr std::uint8_t FLAG_SCATTERED{16};
constexpr std::uint8_t FLAG_GATHERED{32};
constexpr std::uint8_t FLAG_OF_OWNER{64};
constexpr std::uint8_t FLAG_SECOND_SEQUENCE{128};

std::uint8_t
FlagsOf(const AggregationSegment& segment)
{
    const auto& packet = segment.packet;
    const bool isOfOwner = packet.ofOwner && !segment.down;
    return static_cast<std::uint8_t>(
        (segment.down ? FLAG_SUM : 0) | (segment.repeated ? FLAG_REPEATED : 0) |
        (packet.orWords ? FLAG_OR : 0) | (packet.afterLoss ? FLAG_AFTER_LOSS : 0) |
        (packet.phase == SumPhase::REDUCE_SCATTER ? FLAG_SCATTERED : 0) |
        (packet.phase == SumPhase::ALL_GATHER ? FLAG_GATHERED : 0) |
        (isOfOwner ? FLAG_OF_OWNER : 0) | (packet.sequence > 0 ? FLAG_SECOND_SEQUENCE : 0));
}

} // namespace

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
    : m_version(VERSION),
      m_flags(FlagsOf(segment)),
      m_child(static_cast<std::uint16_t>(segment.packet.child)),
      m_exponent(segment.packet.exponent),
      m_values(static_cast<std::uint16_t>(segment.packet.values)),
      m_number(segment.packet.number)
{
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
    start.WriteU8(m_version);
    start.WriteU8(m_flags);
    start.WriteHtonU16(m_child);
    start.WriteHtonU16(static_cast<std::uint16_t>(m_exponent));
    start.WriteHtonU16(m_values);
    start.WriteHtonU64(m_number);
}

std::uint32_t
AggregationHeader::Deserialize(ns3::Buffer::Iterator start)
{
    m_version = start.ReadU8();
    m_flags = start.ReadU8();
    m_child = start.ReadNtohU16();
    m_exponent = static_cast<std::int16_t>(start.ReadNtohU16());
    m_values = start.ReadNtohU16();
    m_number = start.ReadNtohU64();
    return GetSerializedSize();
}

void
AggregationHeader::Print(std::ostream& os) const
{
    os << ((m_flags & FLAG_SUM) != 0 ? "sum " : "contribution ") << m_number;
    if ((m_flags & FLAG_SUM) == 0)
    {
        os << " of child " << m_child;
    }
    os << ", " << m_values << ((m_flags & FLAG_OR) != 0 ? " or-ed words" : " values");
}

} // namespace inca
