/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/aggregation-packet.h"

namespace inca
{

ns3::Ptr<Train>
MakeAggregationTrain(const SlotPacket& packet, std::uint32_t frameValues, bool down)
{
    auto train = ns3::Create<Train>();
    train->kind = TrainKind::AGGREGATION;
    train->headerBytes = AGGREGATION_HEADER_BYTES;
    train->plainBytes = frameValues * VALUE_BYTES;
    train->SetWirePayload(train->plainBytes);
    train->aggregation.packet = packet;
    train->aggregation.down = down;
    return train;
}

} // namespace inca
