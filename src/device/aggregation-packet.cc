/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/aggregation-packet.h"

#include <utility>

namespace inca
{

ns3::Ptr<Train>
MakeAggregationTrain(const SlotPacket& packet,
                     std::uint32_t frameValues,
                     bool down,
                     std::shared_ptr<const PacketFields> fields)
{
    const auto fieldBytes = fields ? fields->Bytes() : AGGREGATION_PROGRAM_BYTES;
    auto train = ns3::Create<Train>();
    train->kind = TrainKind::AGGREGATION;
    train->headerBytes =
        static_cast<std::uint32_t>(IPV4_HEADER_BYTES + UDP_HEADER_BYTES + fieldBytes);
    train->plainBytes = frameValues * VALUE_BYTES;
    train->SetWirePayload(train->plainBytes);
    train->aggregation.packet = packet;
    train->aggregation.down = down;
    train->aggregation.fields = std::move(fields);
    return train;
}

} // namespace inca
