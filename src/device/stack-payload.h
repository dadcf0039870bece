/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_STACK_PAYLOAD_H
#define INCA_DEVICE_STACK_PAYLOAD_H

#include "ns3/packet.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace inca
{

using Bytes = std::vector<std::uint8_t>;

/** Why a frame passed an engine as it was. */
enum class BypassReason : std::size_t
{
    NOT_MARKED,       ///< neither ToS 0x28 nor the transport's mark
    NO_PAYLOAD,       ///< nothing to work on
    NOT_COMPRESSED,   ///< marked, but its sender's engine had left it alone
    NOT_UDP_OR_TCP,   ///< another protocol over IPv4
    FRAGMENT,         ///< a fragment of an IPv4 packet
    NOT_WHOLE_VALUES, ///< the payload is no multiple of 4 bytes
    NOT_ON_A_VALUE,   ///< its tag says that the payload begins within a value
};

constexpr std::size_t BYPASS_REASONS{7};

/** @return "not-marked" and the like */
const char* BypassReasonName(BypassReason reason);

/** Where the payload of a UDP or TCP packet over IPv4 lies. (bytes) */
struct StackPayload
{
    std::uint32_t headerBytes{0}; ///< IPv4 and UDP or TCP, options included
    std::uint32_t plainBytes{0};  ///< what the IPv4 total length says; the packet may be shorter
};

/** @return whether @p packet is IPv4 with the ToS that engines take */
bool IsMarkedForEngines(const ns3::Packet& packet);

/**
 * Finds the payload that an engine may work on, by the bytes of the headers; headers that
 * contradict themselves count as another protocol.
 */
std::variant<StackPayload, BypassReason> LocatePayload(const ns3::Packet& packet);

/** What the sender's byte tag says of a payload. */
struct TaggedPayload
{
    bool onValue{true};     ///< begins on a value of its message, as far as is known
    std::uint64_t begin{0}; ///< in the message (plain bytes)
    double meanBits{0};     ///< 0 = the bytes are values
};

/** @return empty if there is no GradientTag at the payload's begin */
std::optional<TaggedPayload> ReadGradientTag(const ns3::Packet& packet, std::uint32_t headerBytes);

/** @return the bytes after @p headerBytes */
Bytes CopyPayload(const ns3::Packet& packet, std::uint32_t headerBytes);

/** @return @p packet's headers, with its packet tags, before another payload */
ns3::Ptr<ns3::Packet> ReplacePayload(const ns3::Packet& packet,
                                     std::uint32_t headerBytes,
                                     const Bytes& payload);

} // namespace inca

#endif // INCA_DEVICE_STACK_PAYLOAD_H
