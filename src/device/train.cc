/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/train.h"

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
Train::operator new(std::size_t bytes)
{
    if (bytes != sizeof(Train) || g_freeTrains == nullptr)
    {
        return ::operator new(bytes);
    }
    auto* memory = g_freeTrains;
    g_freeTrains = memory->next;
    return memory;
}

void
Train::operator delete(void* memory, std::size_t bytes)
{
#ifdef __SANITIZE_ADDRESS__
    constexpr bool isKept = false; // who uses a train that is gone is to be caught
#else
    constexpr bool isKept = true;
#endif
    if (!isKept || bytes != sizeof(Train))
    {
        ::operator delete(memory);
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
