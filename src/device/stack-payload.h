/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_STACK_PAYLOAD_H
#define INCA_DEVICE_STACK_PAYLOAD_H

#include "ns3/packet.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace inca
{

using Bytes = std::vector<std::uint8_t>; ///< of a payload

/** Where the payload of a UDP or TCP packet over IPv4 lies. (bytes) */
struct StackPayload
{
    std::uint32_t headerBytes{0}; ///< IPv4 and UDP or TCP, options included
    std::uint32_t plainBytes{0};  ///< what the IPv4 total length says; the packet may be shorter
};

/** @return whether @p packet is IPv4 with the ToS that engines take, whatever its ECN bits */
bool IsMarkedForEngines(const ns3::Packet& packet);

/**
 * Finds the payload that an engine may work on, by the bytes of the headers.
 * @return empty for a fragment, another protocol (headers that contradict themselves are one), and a payload
 *         that is empty or has not whole values
 */
std::optional<StackPayload> LocatePayload(const ns3::Packet& packet);

/** @return the bytes after @p headerBytes */
Bytes CopyPayload(const ns3::Packet& packet, std::uint32_t headerBytes);

/** @return @p packet's headers, with its packet tags, before another payload */
ns3::Ptr<ns3::Packet> ReplacePayload(const ns3::Packet& packet,
                                     std::uint32_t headerBytes,
                                     const Bytes& payload);

/** @return @p packet with CE (RFC 3168) if it is IP, and ECT; else as it is */
ns3::Ptr<ns3::Packet> WithCongestion(const ns3::Ptr<ns3::Packet>& packet, std::uint16_t etherType);

} // namespace inca

#endif // INCA_DEVICE_STACK_PAYLOAD_H
