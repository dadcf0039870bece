/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_CRITICAL_PATH_H
#define INCA_EXCHANGE_CRITICAL_PATH_H

#include "exchange/step-plan.h"

#include <cstdint>
#include <vector>

namespace inca
{

/** Rounds of an exchange that depend on each other, all with messages of one size. */
struct Rounds
{
    std::uint64_t count{0};    ///< each begins when the previous one has ended: so many latencies
    std::uint64_t messages{0}; ///< of all rounds, one after the other through one link
    std::uint64_t elements{0}; ///< of each message
    std::uint64_t added{0};    ///< elements that are added after them, one after the other
    bool atOther{false};       ///< through the link of an aggregator or server, which also adds
    bool updates{false};       ///< an aggregator makes weights afterwards
    PayloadKind kind{PayloadKind::GRADIENT};
};

/**
 * A lower bound of an exchange in closed form: in no network does it end sooner than these rounds, one
 * after the other, after the first worker has begun.
 */
struct CriticalPath
{
    std::vector<Rounds> toFirst; ///< until the first worker has its result
    std::vector<Rounds> toLast;  ///< until all have
};

} // namespace inca

#endif // INCA_EXCHANGE_CRITICAL_PATH_H
