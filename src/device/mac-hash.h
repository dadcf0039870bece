/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_MAC_HASH_H
#define INCA_DEVICE_MAC_HASH_H

#include "ns3/mac48-address.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace inca
{

/** An address as a number: its bytes, the first one highest. */
inline std::uint64_t
MacNumber(ns3::Mac48Address address)
{
    std::array<std::uint8_t, 6> bytes{};
    if constexpr (sizeof address == sizeof bytes) // nothing but them: without a call
    {
        std::memcpy(bytes.data(), &address, sizeof bytes);
    }
    else
    {
        address.CopyTo(bytes.data());
    }
    std::uint64_t number = 0;
    for (const auto byte : bytes)
    {
        number = (number << 8U) | byte;
    }
    return number;
}

/** The way from one host to another as a number; the high bits of all hosts' addresses are alike. */
inline std::uint64_t
WayNumber(ns3::Mac48Address from, ns3::Mac48Address to)
{
    return MacNumber(from) << 32U ^ MacNumber(to);
}

/** For tables by address: ns-3 numbers addresses one by one, so that the number spreads well. */
struct MacHash
{
    /** @return the address as a number (MacNumber) */
    std::size_t operator()(ns3::Mac48Address address) const noexcept
    {
        return MacNumber(address);
    }
};

} // namespace inca

#endif // INCA_DEVICE_MAC_HASH_H
