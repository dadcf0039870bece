/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/frame.h"

#include "device/mac-hash.h"

#include <array>
#include <utility>

namespace inca
{

namespace
{

/** A list of pieces of memory that are as large as a frame. */
struct FreeFrame
{
    FreeFrame* next;
};

FreeFrame* g_freeFrames{nullptr}; ///< kept until the process ends

/** By FrameKind. */
constexpr std::array<const char*, FRAME_KINDS> g_kinds{
    "packet", "data", "acknowledgement", "probe", "values to add"};

} // namespace

void*
Frame::operator new(std::size_t bytes, std::align_val_t alignment)
{
    if (bytes != sizeof(Frame) || g_freeFrames == nullptr)
    {
        return ::operator new(bytes, alignment);
    }
    auto* memory = g_freeFrames;
    g_freeFrames = memory->next;
    return memory;
}

void
Frame::operator delete(void* memory, std::size_t bytes, std::align_val_t alignment)
{
#ifdef __SANITIZE_ADDRESS__
    constexpr bool isKept = false; // who uses a frame that is gone is to be caught
#else
    constexpr bool isKept = true;
#endif
    if (!isKept || bytes != sizeof(Frame))
    {
        ::operator delete(memory, alignment);
        return;
    }
    g_freeFrames = new (memory) FreeFrame{g_freeFrames};
}

ns3::Ptr<Frame>
Frame::Copy() const
{
    auto copy = ns3::Create<Frame>(*this);
    if (packet)
    {
        copy->packet = packet->Copy();
    }
    return copy;
}

void
Frame::VisitState(StateVisitor& visitor)
{
    visitor.State(static_cast<std::uint64_t>(kind) | std::uint64_t{congested} << 8U |
                  std::uint64_t{compressed} << 9U | std::uint64_t{compressible} << 10U |
                  wireBytes << 11U);
    visitor.State(MacNumber(source));
    visitor.State(MacNumber(destination));
    visitor.State(plainBytes);
    switch (kind)
    {
    case FrameKind::DATA:
    case FrameKind::ACK:
        VisitSegment(visitor);
        return;
    case FrameKind::AGGREGATION:
        VisitAggregation(visitor);
        return;
    default:
        visitor.Aperiodic();
    }
}

void
Frame::VisitSegment(StateVisitor& visitor)
{
    if (segment.repeated || segment.held != 0 || bytes.AreThere())
    {
        visitor.Aperiodic();
    }
    visitor.State(std::uint64_t{segment.last} | std::uint64_t{segment.tag.inside} << 1U);
    if (kind == FrameKind::DATA)
    {
        segment.tag.VisitState(visitor, source, destination);
        if (visitor.HasSteps())
        {
            visitor.State(segment.messageBytes);
            VisitCoding(visitor, segment.codec, segment.meanBits);
        }
        visitor.Progress(segment.sentPs, segment.offset);
        visitor.SequenceNumber(WayNumber(source, destination),
                               segment.number); // one before it may be lost
        return;
    }
    visitor.SequenceNumber(WayNumber(destination, source), segment.number);
    visitor.State(segment.transmission - segment.number);
    visitor.State(segment.credit);
}

void
Frame::VisitAggregation(StateVisitor& visitor)
{
    auto& slot = aggregation.packet;
    if (aggregation.repeated || slot.afterLoss || slot.payload != nullptr ||
        aggregation.fields != nullptr)
    {
        visitor.Aperiodic();
    }
    visitor.State(std::uint64_t{aggregation.down} | std::uint64_t{slot.orWords} << 1U |
                  std::uint64_t{slot.child} << 2U | std::uint64_t{slot.sequence} << 34U);
    visitor.State(slot.values);
    visitor.State(static_cast<std::uint64_t>(slot.exponent));
    visitor.Packet(slot.number, slot.sequence);
}

std::ostream&
operator<<(std::ostream& os, const Frame& frame)
{
    os << g_kinds[static_cast<std::size_t>(frame.kind)];
    if (frame.kind != FrameKind::STACK)
    {
        os << " "
           << (frame.kind == FrameKind::AGGREGATION ? frame.aggregation.packet.number
                                                    : frame.segment.number);
    }
    return os << ", " << frame.source << " to " << frame.destination << ", " << frame.wireBytes
              << " bytes";
}

ns3::Ptr<Frame>
MakeTransportFrame(FrameKind kind, std::uint64_t plainBytes)
{
    auto frame = ns3::Create<Frame>();
    frame->kind = kind;
    frame->headerBytes = INCA_HEADER_BYTES;
    frame->plainBytes = plainBytes;
    frame->SetWirePayload(plainBytes);
    return frame;
}

ns3::Ptr<Frame>
MakeStackFrame(ns3::Ptr<ns3::Packet> packet, std::uint16_t etherType)
{
    auto frame = ns3::Create<Frame>();
    frame->etherType = etherType;
    frame->plainBytes = packet->GetSize();
    frame->SetWirePayload(packet->GetSize());
    frame->packet = packet;
    return frame;
}

ns3::Ptr<Frame>
MakeAggregationFrame(const SlotPacket& packet,
                     std::uint32_t frameValues,
                     bool down,
                     std::shared_ptr<const PacketFields> fields)
{
    const auto fieldBytes = fields ? fields->Bytes() : AGGREGATION_PROGRAM_BYTES;
    auto frame = ns3::Create<Frame>();
    frame->kind = FrameKind::AGGREGATION;
    frame->headerBytes =
        static_cast<std::uint32_t>(IPV4_HEADER_BYTES + UDP_HEADER_BYTES + fieldBytes);
    frame->plainBytes = std::uint64_t{frameValues} * packet.valueBytes;
    frame->SetWirePayload(frame->plainBytes);
    frame->aggregation.packet = packet;
    frame->aggregation.down = down;
    frame->aggregation.fields = std::move(fields);
    return frame;
}

} // namespace inca
