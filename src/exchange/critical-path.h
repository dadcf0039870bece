/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_CRITICAL_PATH_H
#define INCA_EXCHANGE_CRITICAL_PATH_H

#include "exchange/exchange-spec.h"
#include "exchange/step-plan.h"

#include <cstdint>
#include <vector>

namespace inca
{

/** Rounds of an exchange that follow each other, each with messages of one size. */
struct Rounds
{
    std::uint64_t count{0};    ///< each begins when the one before it has ended: so many latencies
    std::uint64_t messages{0}; ///< of all rounds, one after the other through one link
    std::uint64_t elements{0}; ///< of each message
    std::uint64_t added{0};    ///< elements that are added after them, one after the other
    bool atOther{false};       ///< through the link of an aggregator or server, which also adds
    bool updates{false};       ///< an aggregator makes weights afterwards
    PayloadKind kind{PayloadKind::GRADIENT};
};

/**
 * What an exchange takes at least, in closed form: in no network does it end sooner than these rounds, one
 * after the other, after the first worker has begun.
 */
struct CriticalPath
{
    std::vector<Rounds> toFirst; ///< until the first worker has its result
    std::vector<Rounds> toLast;  ///< until all have
};

/** Of the exchanges of exchange-catalog.h, of a spec without complaints and at least one element. @{ */
CriticalPath RingPath(const ExchangeSpec& spec, std::uint64_t elements);
CriticalPath DoubleTreePath(const ExchangeSpec& spec, std::uint64_t elements);
CriticalPath HalvingDoublingPath(const ExchangeSpec& spec, std::uint64_t elements);
CriticalPath HierarchicalRingPath(const ExchangeSpec& spec, std::uint64_t elements);
CriticalPath HierarchicalAggregatorPath(const ExchangeSpec& spec, std::uint64_t elements);
CriticalPath WorkerAggregatorPath(const ExchangeSpec& spec, std::uint64_t elements);
CriticalPath ParameterServerPath(const ExchangeSpec& spec, std::uint64_t elements);
CriticalPath ShardedServerPath(const ExchangeSpec& spec, std::uint64_t elements);
/** @} */

} // namespace inca

#endif // INCA_EXCHANGE_CRITICAL_PATH_H
