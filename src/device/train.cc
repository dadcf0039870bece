/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/train.h"

namespace inca
{

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
