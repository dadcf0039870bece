/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRANSPORT_RECEIPT_H
#define INCA_TRANSPORT_RECEIPT_H

#include <cstdint>
#include <limits>

namespace inca
{

/** What a receiver has of a connection: what an acknowledgement says. */
struct Receipt
{
    /** How many frames behind the first missing one an acknowledgement tells of. */
    static constexpr std::uint64_t HELD_FRAMES{64};

    std::uint64_t next{0};  ///< the first frame that is missing
    std::uint64_t held{0};  ///< bit i: frame next + 1 + i is there
    std::uint64_t heard{0}; ///< the last transmission that arrived, a frame or a probe
    /** Frames that the receiver takes without an acknowledgement from now on. */
    std::uint32_t credit{std::numeric_limits<std::uint32_t>::max()};
};

} // namespace inca

#endif // INCA_TRANSPORT_RECEIPT_H
