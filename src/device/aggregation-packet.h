/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_AGGREGATION_PACKET_H
#define INCA_DEVICE_AGGREGATION_PACKET_H

#include "device/train.h"

#include "ns3/ptr.h"

#include <cstdint>
#include <memory>

namespace inca
{

/**
 * A frame of an aggregation program: 20 bytes of IPv4, 8 of UDP, the program's own, and the values.
 * Those of slots are 16 bytes (SwitchML: 338 bytes on the wire for 64 values, 1106 for 256). Engines
 * leave it alone.
 * @param frameValues of the payload on the wire, no fewer than the packet's: its last values may be
 *        missing, its frame is as long as all others
 * @param down a sum, on its way to those who contributed
 * @param fields the program's own; null: those of slots
 * @return without addresses, which whoever sends it sets
 */
ns3::Ptr<Train> MakeAggregationTrain(const SlotPacket& packet,
                                     std::uint32_t frameValues,
                                     bool down,
                                     std::shared_ptr<const PacketFields> fields = nullptr);

} // namespace inca

#endif // INCA_DEVICE_AGGREGATION_PACKET_H
