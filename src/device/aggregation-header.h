/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_AGGREGATION_HEADER_H
#define INCA_DEVICE_AGGREGATION_HEADER_H

#include "device/frame.h"

#include "ns3/header.h"

#include <cstdint>

namespace inca
{

/**
 * The 16 bytes of a packet of slots behind UDP as a capture shows them, in network order:
 * version (1: 1), flags (1: 1 a sum, 2 repeated, 4 words that are or-ed, 8 after a loss; of words that
 * are shared out 16 added, 32 gathered, 64 up: their owner has contributed), child (2: who contributes), exponent (2: of a later block or of words, two's complement; -32768: none), values
 * (2), packet number (8). With s slots packet n is in slot n mod s, in its copy (n / s) mod 2.
 */
class AggregationHeader : public ns3::Header
{
  public:
    static ns3::TypeId GetTypeId();

    AggregationHeader() = default;
    explicit AggregationHeader(const AggregationSegment& segment);

    std::uint8_t Version() const
    {
        return m_version;
    }

    std::uint8_t Flags() const
    {
        return m_flags;
    }

    std::uint16_t Child() const
    {
        return m_child;
    }

    std::int16_t Exponent() const
    {
        return m_exponent;
    }

    std::uint16_t Values() const
    {
        return m_values;
    }

    std::uint64_t Number() const
    {
        return m_number;
    }

    ns3::TypeId GetInstanceTypeId() const override;
    std::uint32_t GetSerializedSize() const override;
    void Serialize(ns3::Buffer::Iterator start) const override;
    std::uint32_t Deserialize(ns3::Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

  private:
    std::uint8_t m_version{0};
    std::uint8_t m_flags{0};
    std::uint16_t m_child{0};
    std::int16_t m_exponent{NO_EXPONENT};
    std::uint16_t m_values{0};
    std::uint64_t m_number{0};
};

} // namespace inca

#endif // INCA_DEVICE_AGGREGATION_HEADER_H
