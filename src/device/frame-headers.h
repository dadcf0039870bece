/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_FRAME_HEADERS_H
#define INCA_DEVICE_FRAME_HEADERS_H

#include "inca/device/frame.h"

#include "ns3/header.h"

#include <cstdint>

namespace inca
{

/**
 * @ingroup inca
 *
 * The 20 bytes of INCA's transport as a capture shows them, in network order. Numbers keep their low 32
 * bits. In an acknowledgement, round and ordinal hold Segment::held, and the offset holds the credit.
 */
class TransportHeader : public ns3::Header
{
  public:
    static ns3::TypeId GetTypeId(); ///< what ns-3 knows of the class

    TransportHeader() = default;
    explicit TransportHeader(const Frame& frame); ///< @param frame DATA, ACK or PROBE

    ns3::TypeId GetInstanceTypeId() const override;
    std::uint32_t GetSerializedSize() const override;
    void Serialize(ns3::Buffer::Iterator start) const override;
    std::uint32_t Deserialize(ns3::Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

    std::uint8_t kind{0};          ///< 1 data, 2 acknowledgement, 3 probe
    std::uint8_t flags{0};         ///< 1 end of message, 2 grant, 4 compressed, 8 repeated
    std::uint16_t plainBytes{0};   ///< of the payload, as the host sees it
    std::uint32_t number{0};       ///< of the frame, or the next one expected
    std::uint32_t round{0};        ///< MessageTag::round
    std::uint32_t ordinal{0};      ///< MessageTag::ordinal
    std::uint32_t offsetValues{0}; ///< in the message
};

/**
 * @ingroup inca
 *
 * The 16 bytes of a packet of slots behind UDP as a capture shows them, in network order. With s slots
 * packet n is in slot n mod s, in its copy (n / s) mod 2.
 */
class AggregationHeader : public ns3::Header
{
  public:
    static ns3::TypeId GetTypeId(); ///< what ns-3 knows of the class

    AggregationHeader() = default;
    /** @param segment without fields of its program's own */
    explicit AggregationHeader(const AggregationSegment& segment);

    ns3::TypeId GetInstanceTypeId() const override;
    std::uint32_t GetSerializedSize() const override;
    void Serialize(ns3::Buffer::Iterator start) const override;
    std::uint32_t Deserialize(ns3::Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

    std::uint8_t version{0}; ///< 1
    /**
     * 1 a sum, 2 repeated, 4 words that are or-ed, 8 after a loss; of sums in parts 16 reduce-scatter, 32
     * all-gather, 64 up: its owner has contributed; 128 of the second sequence.
     */
    std::uint8_t flags{0};
    std::uint16_t child{0};             ///< who contributes
    std::int16_t exponent{NO_EXPONENT}; ///< of a later block, or of words
    std::uint16_t values{0}; ///< in the packet; 0: it carries an exponent alone, or no words
    std::uint64_t number{0}; ///< of the packet
};

} // namespace inca

#endif // INCA_DEVICE_FRAME_HEADERS_H
