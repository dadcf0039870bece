/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_EXCHANGE_TOTAL_TRAFFIC_H
#define INCA_TEST_EXCHANGE_TOTAL_TRAFFIC_H

#include "exchange/exchange-catalog.h"
#include "exchange/rank-load.h"

namespace inca
{

/** What all ranks send together. (elements) */
struct TotalTraffic
{
    std::uint64_t gradient{0};
    std::uint64_t weight{0};
    std::uint64_t gradientMessages{0};
    std::uint64_t weightMessages{0};
};

inline TotalTraffic
SentByAll(const ExchangeSpec& spec, std::uint64_t elements)
{
    const auto plan = MakeStepPlan(spec, elements);
    TotalTraffic total;
    for (Rank rank = 0; rank < plan->RankCount(); ++rank)
    {
        const auto traffic = LoadOf(*plan, rank);
        total.gradient += traffic.gradient.sentElements;
        total.weight += traffic.weight.sentElements;
        total.gradientMessages += traffic.gradient.sentMessages;
        total.weightMessages += traffic.weight.sentMessages;
    }
    return total;
}

} // namespace inca

#endif // INCA_TEST_EXCHANGE_TOTAL_TRAFFIC_H
