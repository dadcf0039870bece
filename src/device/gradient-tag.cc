/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/gradient-tag.h"

#include <ostream>

namespace inca
{

NS_OBJECT_ENSURE_REGISTERED(GradientTag);

ns3::TypeId
GradientTag::GetTypeId()
{
    static ns3::TypeId tid = ns3::TypeId("inca::GradientTag")
                                 .SetParent<ns3::Tag>()
                                 .SetGroupName("Inca")
                                 .AddConstructor<GradientTag>();
    return tid;
}

GradientTag::GradientTag(std::uint64_t message,
                         std::uint64_t offset,
                         std::uint64_t bytes,
                         double meanBits)
    : m_message(message),
      m_offset(offset),
      m_bytes(bytes),
      m_meanBits(meanBits)
{
}

ns3::TypeId
GradientTag::GetInstanceTypeId() const
{
    return GetTypeId();
}

std::uint32_t
GradientTag::GetSerializedSize() const
{
    return sizeof(m_message) + sizeof(m_offset) + sizeof(m_bytes) + sizeof(m_meanBits);
}

void
GradientTag::Serialize(ns3::TagBuffer buffer) const
{
    buffer.WriteU64(m_message);
    buffer.WriteU64(m_offset);
    buffer.WriteU64(m_bytes);
    buffer.WriteDouble(m_meanBits);
}

void
GradientTag::Deserialize(ns3::TagBuffer buffer)
{
    m_message = buffer.ReadU64();
    m_offset = buffer.ReadU64();
    m_bytes = buffer.ReadU64();
    m_meanBits = buffer.ReadDouble();
}

void
GradientTag::Print(std::ostream& os) const
{
    os << "message " << m_message << " bytes " << m_offset << ".." << m_offset + m_bytes;
}

} // namespace inca
