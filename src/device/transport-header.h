/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_TRANSPORT_HEADER_H
#define INCA_DEVICE_TRANSPORT_HEADER_H

#include "device/frame.h"

#include "ns3/header.h"

#include <cstdint>

namespace inca
{

/**
 * The 20 bytes of INCA's transport as a capture shows them, in network order: kind (1: 1 data, 2
 * acknowledgement, 3 probe), flags (1: 1 end of message, 2 grant, 4 compressed, 8 repeated), plain payload bytes (2), number (4: of
 * the frame, or the next one expected), round (4), ordinal (4), offset in the message (4: values).
 * Numbers keep their low 32 bits.
 */
class TransportHeader : public ns3::Header
{
  public:
    static ns3::TypeId GetTypeId();

    TransportHeader() = default;
    explicit TransportHeader(const Frame& frame);

    std::uint8_t Kind() const
    {
        return m_kind;
    }

    std::uint8_t Flags() const
    {
        return m_flags;
    }

    std::uint16_t PlainBytes() const
    {
        return m_plainBytes;
    }

    std::uint32_t Number() const
    {
        return m_number;
    }

    std::uint32_t Round() const
    {
        return m_round;
    }

    std::uint32_t Ordinal() const
    {
        return m_ordinal;
    }

    std::uint32_t OffsetValues() const
    {
        return m_offsetValues;
    }

    ns3::TypeId GetInstanceTypeId() const override;
    std::uint32_t GetSerializedSize() const override;
    void Serialize(ns3::Buffer::Iterator start) const override;
    std::uint32_t Deserialize(ns3::Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

  private:
    std::uint8_t m_kind{0};
    std::uint8_t m_flags{0};
    std::uint16_t m_plainBytes{0};
    std::uint32_t m_number{0};
    std::uint32_t m_round{0};
    std::uint32_t m_ordinal{0};
    std::uint32_t m_offsetValues{0};
};

} // namespace inca

#endif // INCA_DEVICE_TRANSPORT_HEADER_H
