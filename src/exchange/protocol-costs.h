/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_PROTOCOL_COSTS_H
#define INCA_EXCHANGE_PROTOCOL_COSTS_H

#include "inca/base/units.h"

#include <cstdint>

namespace inca
{

/** What a protocol costs hosts, beside what the network and [host] take. */
struct ProtocolCosts
{
    std::int64_t startPs{0};         ///< once, before an exchange begins on a worker
    std::int64_t messagePs{0};       ///< before each message leaves its sender
    std::uint64_t bytesPerSecond{0}; ///< at which its sender works on it before that; 0: at once
    std::uint64_t eagerBytes{0};     ///< longer messages wait for a round trip first; 0: none does
    std::int64_t roundTripPs{0};     ///< between two hosts
    bool sparesNodes{
        false}; ///< messages within a node cost nothing: those between nodes include it
    /** What is not eager of such messages waits for their peer's, too, which moves so fast; 0: both ways at once. */
    std::uint64_t peerBytesPerSecond{0};

    /** What a message of @p bytes costs its sender before it leaves. (ps) */
    std::int64_t MessagePs(std::uint64_t bytes) const
    {
        const auto waits = eagerBytes > 0 && bytes > eagerBytes;
        return messagePs + WorkPs(bytes, bytesPerSecond) +
               (waits ? roundTripPs + WorkPs(bytes - eagerBytes, peerBytesPerSecond) : 0);
    }
};

} // namespace inca

#endif // INCA_EXCHANGE_PROTOCOL_COSTS_H
