/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_TRAIN_H
#define INCA_DEVICE_TRAIN_H

#include "base/prefetch.h"
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

/** The header of INCA's transport, and what the simulator knows of the message beside it. */
struct Segment
{
    std::uint64_t number{
        0}; ///< DATA: of this train, from 0 per connection; ACK: the first one missing
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

/** When a train's first and last frame are somewhere, each as a whole; those between are spread evenly. (ps) */
struct TrainTimes
{
    std::int64_t firstPs{0};
    std::int64_t lastPs{0};
};

/**
 * What devices pass on: back-to-back frames of one message, or of one packet of ns-3's stack,
 * handled as one event. A train has one owner at a time, who may change it; a device that sends it
 * several ways sends copies. One frame per train is packet level; only DATA has several, all with as
 * much plain payload, and then their numbers, transmissions and offsets follow each other. On a wire they
 * take the time of so many frames back to back, up to the last one's: that is when the wire is not there
 * for others. If they came more slowly, they were spread over a longer time (spacingPs).
 *
 * wireBytes = IP headers + wirePayloadBytes + framing, of all frames; wirePayloadBytes = plainBytes
 * unless a compression engine worked on the train.
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
    std::uint32_t frames{1};
    ns3::Mac48Address destination;
    std::uint32_t headerBytes{0};     ///< of each frame's IP packet, before what counts as payload
    std::uint64_t plainBytes{0};      ///< payload as the host sees it; all of a STACK packet
    std::uint64_t wireBytes{0};       ///< whole frames, preamble to gap
    std::int64_t firstDeparturePs{0}; ///< first bit leaves the last port that it passed
    std::int64_t lastDeparturePs{0};  ///< last bit (of the gap) leaves it

    /** DATA, ACK and PROBE: of the first frame; transmission and last: of the last. */
    Segment segment;
    std::uint64_t wirePayloadBytes{0}; ///< payload as the wire carries it
    SharedBytes bytes;                 ///< DATA: payload as it is now, if values travel
    AggregationSegment aggregation;    ///< AGGREGATION; its payload too

    /** Of several frames: from one to the next, where something slower was before that port's wire. (ps) */
    std::int64_t spacingPs{0};
    std::int64_t arrivalPs{0}; ///< of several frames: of the last bit at the end of the last wire

    ns3::Ptr<ns3::Packet> packet; ///< STACK: the IP packet as it is now
    ns3::Ptr<const ns3::Packet>
        plainPacket; ///< STACK, compressed by statistics alone: what to restore

    /** Sets the payload's size on the wire, and the wire bytes with it. The train has one frame. */
    void SetWirePayload(std::uint64_t payloadBytes)
    {
        wirePayloadBytes = payloadBytes;
        wireBytes = FrameWireBytes(headerBytes + payloadBytes);
    }

    /** As SetWirePayload of every frame: @p payloadOf is given the plain bytes before it, in the train. */
    template <typename PayloadOf>
    void SetWirePayloads(const PayloadOf& payloadOf)
    {
        if (frames == 1)
        {
            SetWirePayload(payloadOf(0));
            return;
        }
        const auto frameBytes = plainBytes / frames;
        wirePayloadBytes = 0;
        wireBytes = 0;
        for (std::uint64_t frame = 0; frame < frames; ++frame)
        {
            const auto payloadBytes = payloadOf(frame * frameBytes);
            wirePayloadBytes += payloadBytes;
            wireBytes += FrameWireBytes(headerBytes + payloadBytes);
        }
    }

    /** What one of its frames takes on the last wire. (ps) */
    std::int64_t FramePs() const
    {
        return (lastDeparturePs - firstDeparturePs) / frames;
    }

    /** At the end of that wire. @param nowPs when a train of one frame is there */
    TrainTimes Arrival(std::int64_t nowPs) const
    {
        return frames == 1 ? TrainTimes{nowPs, nowPs}
                           : TrainTimes{arrivalPs - (frames - 1) * spacingPs, arrivalPs};
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

/** @return a train of @p frames equal frames of INCA's transport; the caller fills its segment */
ns3::Ptr<Train> MakeTransportTrain(TrainKind kind,
                                   std::uint64_t plainBytes,
                                   std::uint32_t frames = 1);

/** @return a train of one frame with a packet of ns-3's stack (without Ethernet header) */
ns3::Ptr<Train> MakeStackTrain(ns3::Ptr<ns3::Packet> packet, std::uint16_t etherType);

} // namespace inca

#endif // INCA_DEVICE_TRAIN_H
