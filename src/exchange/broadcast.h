/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_BROADCAST_H
#define INCA_EXCHANGE_BROADCAST_H

#include "exchange/composed-plan.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace inca
{

/** How position 0 hands its weights (PayloadKind::WEIGHT) to all others. */
struct BroadcastSpec
{
    std::string name{"binomial"};                  ///< flat, binomial or chain
    std::uint64_t segmentElements{128 * 1024 / 4}; ///< of the chain; at least 1
};

/** flat, binomial, chain */
std::vector<std::string> BroadcastNames();

/**
 * A broadcast of @p elements values among @p members positions; members - 1 whole copies travel.
 *
 * flat: the root sends to 1, 2, ... one after the other: members - 1 sends.
 *
 * binomial: MPICH's tree. Position p > 0 receives from p minus its lowest set bit, and then sends
 * to p + m for all powers of two m below that bit (the root: all), largest m first. The root sends
 * ceil(log2(members)) copies; the last position has its copy after as many message times.
 *
 * chain: 0 to 1 to 2 ..., in segments (an empty tensor is one empty segment). A middle position
 * receives segment k while it sends segment k - 1; on a host that cannot do both at once it sends
 * first, which ends at the last position, so nobody waits in a circle.
 *
 * @throws InputError for an unknown name, or if a chain would have too many segments to count
 */
std::unique_ptr<Piece> MakeBroadcast(const BroadcastSpec& spec,
                                     Rank members,
                                     std::uint64_t elements);

} // namespace inca

#endif // INCA_EXCHANGE_BROADCAST_H
