/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/train.h"

#include "device/mac-hash.h"

#include <new>

namespace inca
{

namespace
{

/** A list of pieces of memory that are as large as a train. */
struct FreeTrain
{
    FreeTrain* next;
};

FreeTrain* g_freeTrains{nullptr}; ///< kept until the process ends

} // namespace

void*
Train::operator new(std::size_t bytes, std::align_val_t alignment)
{
    if (bytes != sizeof(Train) || g_freeTrains == nullptr)
    {
        return ::operator new(bytes, alignment);
    }
    auto* memory = g_freeTrains;
    g_freeTrains = memory->next;
    return memory;
}

void
Train::operator delete(void* memory, std::size_t bytes, std::align_val_t alignment)
{
#ifdef __SANITIZE_ADDRESS__
    constexpr bool isKept = false; // who uses a train that is gone is to be caught
#else
    constexpr bool isKept = true;
#endif
    if (!isKept || bytes != sizeof(Train))
    {
        ::operator delete(memory, alignment);
        return;
    }
    g_freeTrains = new (memory) FreeTrain{g_freeTrains};
}

ns3::Ptr<Train>
Train::Copy() const
{
    auto copy = ns3::Create<Train>(*this);
    if (packet)
    {
        copy->packet = packet->Copy();
    }
    return copy;
}

void
Train::Walk(StateWalk& walk)
{
    walk.State(static_cast<std::uint64_t>(kind) | std::uint64_t{congested} << 8U |
               std::uint64_t{compressed} << 9U | std::uint64_t{compressible} << 10U |
               wireBytes << 11U);
    walk.State(MacNumber(source));
    walk.State(MacNumber(destination));
    walk.State(plainBytes);
    switch (kind)
    {
    case TrainKind::DATA:
    case TrainKind::ACK:
        WalkSegment(walk);
        return;
    case TrainKind::AGGREGATION:
        WalkAggregation(walk);
        return;
    default:
        walk.Once();
    }
}

void
Train::WalkSegment(StateWalk& walk)
{
    if (segment.repeated || segment.held != 0 || bytes.AreThere())
    {
        walk.Once();
    }
    walk.State(std::uint64_t{segment.last} | std::uint64_t{segment.tag.grant} << 1U);
    if (kind == TrainKind::DATA)
    {
        walk.State(std::uint64_t{segment.tag.round} << 32U | segment.tag.ordinal);
        walk.Count(segment.offset);
        walk.Number(WayNumber(source, destination), segment.number); // one before it may be lost
        return;
    }
    walk.Number(WayNumber(destination, source), segment.number);
    walk.State(segment.transmission - segment.number);
    walk.State(segment.credit);
}

void
Train::WalkAggregation(StateWalk& walk)
{
    auto& slot = aggregation.packet;
    if (aggregation.repeated || slot.afterLoss || slot.payload != nullptr ||
        aggregation.fields != nullptr)
    {
        walk.Once();
    }
    walk.State(std::uint64_t{aggregation.down} | std::uint64_t{slot.orWords} << 1U |
               std::uint64_t{slot.child} << 2U | std::uint64_t{slot.sequence} << 34U);
    walk.State(slot.values);
    walk.State(static_cast<std::uint64_t>(slot.exponent));
    walk.Packet(slot.number, slot.sequence);
}

ns3::Ptr<Train>
MakeTransportTrain(TrainKind kind, std::uint64_t plainBytes)
{
    auto train = ns3::Create<Train>();
    train->kind = kind;
    train->headerBytes = INCA_HEADER_BYTES;
    train->plainBytes = plainBytes;
    train->SetWirePayload(plainBytes);
    return train;
}

ns3::Ptr<Train>
MakeStackTrain(ns3::Ptr<ns3::Packet> packet, std::uint16_t etherType)
{
    auto train = ns3::Create<Train>();
    train->etherType = etherType;
    train->plainBytes = packet->GetSize();
    train->SetWirePayload(packet->GetSize());
    train->packet = packet;
    return train;
}

} // namespace inca
