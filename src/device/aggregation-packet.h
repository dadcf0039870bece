/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_AGGREGATION_PACKET_H
#define INCA_DEVICE_AGGREGATION_PACKET_H

#include "device/train.h"

#include "ns3/ptr.h"

#include <cstdint>

namespace inca
{

/**
 * A frame of an aggregation program: 20 bytes of IPv4, 8 of UDP, 16 of the program's own, and the
 * values (SwitchML: 338 bytes on the wire for 64 values, 1106 for 256). Engines leave it alone.
 * @param frameValues of the payload on the wire, no fewer than the packet's: its last values may be
 *        missing, its frame is as long as all others
 * @param down a sum, on its way to those who contributed
 * @return without addresses, which whoever sends it sets
 */
ns3::Ptr<Train> MakeAggregationTrain(const SlotPacket& packet,
                                     std::uint32_t frameValues,
                                     bool down);

} // namespace inca

#endif // INCA_DEVICE_AGGREGATION_PACKET_H
