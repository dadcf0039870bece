/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_TRAIN_H
#define INCA_DEVICE_TRAIN_H

#include "base/shared-bytes.h"
#include "base/state-walk.h"
#include "base/wire-format.h"
#include "device/message.h"
#include "device/packet-fields.h"
#include "exchange/slot-packet.h"

#include "ns3/mac48-address.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

namespace inca
{

/** What a train's frames carry. */
enum class TrainKind : std::uint8_t
{
    STACK,       ///< a packet of ns-3's own stack
    DATA,        ///< payload of a message of INCA's transport
    ACK,         ///< an acknowledgement of INCA's transport
    PROBE,       ///< asks for an acknowledgement, after a timeout
    AGGREGATION, ///< a contribution to a sum that switches make, or a sum
};

constexpr std::size_t TRAIN_KINDS{5};
constexpr std::size_t CACHE_LINE_BYTES{64};

/** The header of INCA's transport, and what the simulator knows of the message beside it. */
struct Segment
{
    std::uint64_t number{
        0}; ///< DATA: of this frame, from 0 per connection; ACK: the first one missing
    /** Counts what a connection sends, repetitions and probes included, from 1; ACK: of the last that arrived. */
    std::uint64_t transmission{0};
    MessageTag tag;                ///< the message it is part of
    std::uint64_t messageBytes{0}; ///< plain size of the whole message
    std::uint64_t offset{0};       ///< where the payload begins in the message (plain bytes)
    double meanBits{32};           ///< Message::meanBits
    std::int64_t sentPs{0};        ///< Message::sentPs; no part of the state
    std::uint16_t codedBytes{0};   ///< of Message::codedSizes; 0: by meanBits
    bool last{false};              ///< the message ends with it
    bool repeated{false};          ///< was sent before: its receiver acknowledges at once
    std::uint32_t credit{0};       ///< ACK: frames that may be under way from now on
    std::uint64_t held{0};         ///< ACK: bit i says that frame number + 1 + i is there
};

/** What an aggregation program reads of a train. */
struct AggregationSegment
{
    SlotPacket packet;
    bool down{false};                           ///< a sum, on its way to those who contributed
    bool repeated{false};                       ///< was sent before
    std::shared_ptr<const PacketFields> fields; ///< of the packet; null: those of slots
};

/**
 * What devices pass on: a frame of one message, or a packet of ns-3's stack, handled as one event. It has one owner at
 * a time, who may change it; a device that sends it several ways sends copies.
 *
 * wireBytes = IP headers + wirePayloadBytes + framing; wirePayloadBytes = plainBytes unless a compression engine worked
 * on it.
 *
 * A switch that passes it on reads one line of a cache, and whoever takes it one or two more: of many
 * hosts, those are most of what is to be fetched.
 */
struct alignas(CACHE_LINE_BYTES) Train : public ns3::SimpleRefCount<Train>
{
    // -- what ports, links and switches read
    TrainKind kind{TrainKind::STACK};
    bool compressible{false}; ///< marked for the engines
    bool compressed{false};   ///< the payload is an engine's stream
    bool congested{false};    ///< ECN: a port's backlog was over its threshold
    std::uint16_t etherType{ETHERTYPE_IPV4};
    ns3::Mac48Address source;
    ns3::Mac48Address destination;
    std::uint32_t headerBytes{0};     ///< of its IP packet, before what counts as payload
    std::uint64_t plainBytes{0};      ///< payload as the host sees it; all of a STACK packet
    std::uint64_t wireBytes{0};       ///< the whole frame, preamble to gap
    std::int64_t firstDeparturePs{0}; ///< first bit leaves the last port that it passed
    std::int64_t lastDeparturePs{0};  ///< last bit (of the gap) leaves it

    Segment segment;                   ///< DATA, ACK and PROBE
    std::uint64_t wirePayloadBytes{0}; ///< payload as the wire carries it
    SharedBytes bytes;                 ///< DATA: payload as it is now, if values travel
    AggregationSegment aggregation;    ///< AGGREGATION; its payload too

    ns3::Ptr<ns3::Packet> packet; ///< STACK: the IP packet as it is now
    ns3::Ptr<const ns3::Packet>
        plainPacket; ///< STACK, compressed by statistics alone: what to restore

    /** Sets the payload's size on the wire, and the wire bytes with it. */
    void SetWirePayload(std::uint64_t payloadBytes)
    {
        wirePayloadBytes = payloadBytes;
        wireBytes = FrameWireBytes(headerBytes + payloadBytes);
    }

    /** Trains are made and gone by the million: their memory is kept for the next ones. @{ */
    static void* operator new(std::size_t bytes, std::align_val_t alignment);
    static void operator delete(void* memory, std::size_t bytes, std::align_val_t alignment);
    /** @} */

    /** With its place in its message. */
    void Walk(StateWalk& walk);

    /** @return a copy that has its own packet */
    ns3::Ptr<Train> Copy() const;

  private:
    void WalkSegment(StateWalk& walk);
    void WalkAggregation(StateWalk& walk);
};

/** @return a frame of INCA's transport; the caller fills its segment */
ns3::Ptr<Train> MakeTransportTrain(TrainKind kind, std::uint64_t plainBytes);

/** @return a frame with a packet of ns-3's stack (without Ethernet header) */
ns3::Ptr<Train> MakeStackTrain(ns3::Ptr<ns3::Packet> packet, std::uint16_t etherType);

} // namespace inca

#endif // INCA_DEVICE_TRAIN_H
