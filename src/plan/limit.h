/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_LIMIT_H
#define INCA_PLAN_LIMIT_H

#include <cstddef>
#include <cstdint>

namespace inca
{

/** What may hold up a run. */
enum class Limit : std::uint8_t
{
    LINK,          ///< the rate of links, trunks included
    COMPRESSION,   ///< the clock of compression engines
    DECOMPRESSION, ///< the clock of decompression engines
    ENGINES,       ///< both clocks: where both limit, either alone changes nothing
    HOST,          ///< all that hosts do with bytes: copy, move, encode, decode and add
    COMPUTE,       ///< forward, backward, updates
    ADDER,         ///< of switches
    WINDOW,        ///< transport.window
    SLOTS,         ///< of a switch's pool
    LATENCY,       ///< of links and switches
};

constexpr std::size_t LIMITS{10};

/** How much more of a limit is tried, to see whether it matters. */
constexpr double RAISE{1.25};

/** For people: "link", "compression engine", "decompression engine", "host", "compute", "switch"... */
const char* LimitName(Limit limit);

/** @p count frames, or slots, times RAISE, rounded up. */
constexpr std::uint64_t
Raised(std::uint64_t count)
{
    constexpr std::uint64_t quarters = 4;
    return count + (count + quarters - 1) / quarters;
}

static_assert(Raised(64) == 80 && Raised(1) == 2);

} // namespace inca

#endif // INCA_PLAN_LIMIT_H
