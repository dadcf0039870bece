/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_FRAME_H
#define INCA_DEVICE_FRAME_H

#include "inca/base/shared-bytes.h"
#include "inca/base/state-visitor.h"
#include "inca/base/wire-format.h"
#include "inca/device/message.h"
#include "inca/exchange/slot-packet.h"

#include "ns3/mac48-address.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <ostream>

namespace inca
{

/** What a frame carries. */
enum class FrameKind : std::uint8_t
{
    STACK,       ///< a packet of ns-3's own stack
    DATA,        ///< payload of a message of INCA's transport
    ACK,         ///< an acknowledgement of INCA's transport
    PROBE,       ///< asks for an acknowledgement, after a timeout
    AGGREGATION, ///< a contribution to a sum that switches make, or a sum
};

constexpr std::size_t FRAME_KINDS{5};       ///< of FrameKind
constexpr std::size_t CACHE_LINE_BYTES{64}; ///< to which frames are aligned

/** The header of INCA's transport, and what the simulator knows of the message beside it. */
struct Segment
{
    std::uint64_t number{0}; ///< DATA: its own, from 0 per connection; ACK: the first one missing
    /** Counts what a connection sends, repetitions and probes included, from 1; ACK: of the last that arrived. */
    std::uint64_t transmission{0};
    MessageTag tag;                ///< the message it is part of
    std::uint64_t messageBytes{0}; ///< plain size of the whole message
    std::uint64_t offset{0};       ///< where the payload begins in the message (plain bytes)
    double meanBits{32};           ///< Message::meanBits
    const Codec* codec{nullptr};   ///< Message::codec
    std::int64_t sentPs{0};        ///< Message::sentPs
    std::uint16_t codedBytes{0};   ///< of Message::codedSizes; 0: by meanBits
    bool last{false};              ///< the message ends with it
    bool repeated{false};          ///< was sent before: its receiver acknowledges at once
    std::uint32_t credit{0};       ///< ACK: frames that may be under way from now on
    std::uint64_t held{0};         ///< ACK: bit i says that frame number + 1 + i is there
};

/**
 * The fields that stand behind UDP in packets of an aggregation program that are not those of slots.
 * Its programs and clients make them with their packets; frames are as long as they say, and captures
 * show them. Many frames may share one.
 */
class PacketFields
{
  public:
    PacketFields() = default;
    virtual ~PacketFields() = default;
    PacketFields(const PacketFields&) = delete;
    PacketFields& operator=(const PacketFields&) = delete;

    /** How long they are, always. (bytes) */
    virtual std::uint32_t Bytes() const = 0;

    /** Writes them in network order. @param to has room for Bytes() */
    virtual void Write(std::uint8_t* to) const = 0;
};

/** What an aggregation program reads of a frame. */
struct AggregationSegment
{
    SlotPacket packet;                          ///< its number, its values, and whose they are
    bool down{false};                           ///< a sum, on its way to those who contributed
    bool repeated{false};                       ///< was sent before
    std::shared_ptr<const PacketFields> fields; ///< of the packet; null: those of slots
};

/**
 * An Ethernet frame, as devices pass it on: of a message, or a packet of ns-3's stack. It has one owner at a time, who
 * may change it; a device that sends it several ways sends copies.
 *
 * wireBytes = IP headers + wirePayloadBytes + framing; wirePayloadBytes = plainBytes unless a compression engine worked
 * on it.
 *
 * What a switch reads of it is in one cache line, the rest in one or two more.
 */
struct alignas(CACHE_LINE_BYTES) Frame : public ns3::SimpleRefCount<Frame>
{
    // -- what ports, links and switches read
    FrameKind kind{FrameKind::STACK};        ///< what it carries, which decides who takes it
    bool compressible{false};                ///< marked for the engines
    bool compressed{false};                  ///< the payload is an engine's stream
    bool congested{false};                   ///< ECN: a port's backlog was over its threshold
    std::uint16_t etherType{ETHERTYPE_IPV4}; ///< of a STACK frame's packet; the others are IPv4
    ns3::Mac48Address source;                ///< the host that sends it, or the switch that made it
    ns3::Mac48Address destination;           ///< by which switches forward it
    std::uint32_t headerBytes{0};            ///< of its IP packet, before what counts as payload
    std::uint64_t plainBytes{0};             ///< payload as the host sees it; all of a STACK packet
    std::uint64_t wireBytes{0};              ///< the whole frame, preamble to gap
    std::int64_t firstDeparturePs{0};        ///< first bit leaves the last port that it passed
    std::int64_t lastDeparturePs{0};         ///< last bit (of the gap) leaves it

    Segment segment;                   ///< DATA, ACK and PROBE
    std::uint64_t wirePayloadBytes{0}; ///< payload as the wire carries it
    SharedBytes bytes;                 ///< DATA: payload as it is now, if values travel
    AggregationSegment aggregation;    ///< AGGREGATION; its payload too

    ns3::Ptr<ns3::Packet> packet; ///< STACK: the IP packet as it is now

    /** Sets what precedes the payload in its IP packet, and the wire bytes with it. */
    void SetHeader(std::uint32_t ofHeader)
    {
        headerBytes = ofHeader;
        SetWirePayload(wirePayloadBytes);
    }

    /** Sets the payload's size on the wire, and the wire bytes with it. */
    void SetWirePayload(std::uint64_t payloadBytes)
    {
        wirePayloadBytes = payloadBytes;
        wireBytes = FrameWireBytes(headerBytes + payloadBytes);
    }

    /** Frames are made and gone by the million: their memory is kept for the next ones. @{ */
    static void* operator new(std::size_t bytes, std::align_val_t alignment);
    /** Keeps the memory for the next frame. */
    static void operator delete(void* memory, std::size_t bytes, std::align_val_t alignment);
    /** @} */

    /** With its place in its message. */
    void VisitState(StateVisitor& visitor); ///< shows its state

    /** @return a copy that has its own packet */
    ns3::Ptr<Frame> Copy() const;

  private:
    void VisitSegment(StateVisitor& visitor);     ///< shows what its transport reads
    void VisitAggregation(StateVisitor& visitor); ///< shows what switches that add read
};

/** For logs: "data 3, 02:00:00:00:00:01 to 02:00:00:00:00:02, 1538 bytes". */
std::ostream& operator<<(std::ostream& os, const Frame& frame);

/** @return a frame of INCA's transport; the caller fills its segment */
ns3::Ptr<Frame> MakeTransportFrame(FrameKind kind, std::uint64_t plainBytes);

/** @return a frame with a packet of ns-3's stack (without Ethernet header) */
ns3::Ptr<Frame> MakeStackFrame(ns3::Ptr<ns3::Packet> packet, std::uint16_t etherType);

/**
 * @return a frame of an aggregation program, without addresses, which its sender sets: 20 bytes of IPv4, 8 of UDP, the program's own, and the values.
 * Those of slots are 16 bytes (SwitchML: 338 bytes on the wire for 64 values, 1106 for 256). Engines
 * leave it alone.
 * @param packet what it carries
 * @param frameValues of the payload on the wire, no fewer than the packet's: its last values may be
 *        missing, its frame is as long as all others
 * @param down a sum, on its way to those who contributed
 * @param fields the program's own; null: those of slots
 */
ns3::Ptr<Frame> MakeAggregationFrame(const SlotPacket& packet,
                                     std::uint32_t frameValues,
                                     bool down,
                                     std::shared_ptr<const PacketFields> fields = nullptr);

} // namespace inca

#endif // INCA_DEVICE_FRAME_H
