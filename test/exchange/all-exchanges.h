/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_EXCHANGE_ALL_EXCHANGES_H
#define INCA_TEST_EXCHANGE_ALL_EXCHANGES_H

#include "exchange/exchange-catalog.h"

#include <string>
#include <vector>

namespace inca
{

/** For the message of a failed expectation. */
inline std::string
Describe(const ExchangeSpec& spec, std::uint64_t elements)
{
    return spec.algorithm + ", " + std::to_string(spec.workers) + " workers, groups of " +
           std::to_string(spec.groupSize) + ", " + spec.broadcast + ", " +
           std::to_string(spec.servers.value_or(spec.workers)) + " servers, " +
           std::to_string(elements) + " elements";
}

/** Whether the exchange looks at a key: it complains of a value that is never right. @{ */
inline bool
HeedsBroadcast(const ExchangeEntry& entry)
{
    return !entry.complaints({entry.name, 4, "no such broadcast", 1, 2}).empty();
}

inline bool
HeedsGroups(const ExchangeEntry& entry)
{
    return !entry.complaints({entry.name, 4, "flat", 1, 3}).empty();
}

inline bool
HeedsServers(const ExchangeEntry& entry)
{
    return !entry.complaints({entry.name, 4, "flat", 1, 2, 0}).empty();
}

/** @} */

/**
 * Every exchange with every broadcast, every group size and some numbers of servers (one, fewer and
 * more than workers, as many) that it heeds and accepts. Chains are cut into segments of 7, so that
 * small tensors have several, mostly with a shorter last one.
 */
inline std::vector<ExchangeSpec>
AllExchanges(Rank workers)
{
    std::vector<ExchangeSpec> specs;
    for (const auto& entry : ExchangeCatalog())
    {
        if (HeedsServers(entry))
        {
            for (const Rank servers : {1U, workers / 2 + 1, workers, workers + 3})
            {
                specs.push_back({entry.name, workers, "flat", 7, 2, servers});
            }
            continue;
        }
        const auto broadcasts = HeedsBroadcast(entry)
                                    ? std::vector<std::string>{"flat", "binomial", "chain"}
                                    : std::vector<std::string>{"flat"};
        for (Rank groupSize = 2; groupSize <= (HeedsGroups(entry) ? workers : 2); ++groupSize)
        {
            for (const auto& broadcast : broadcasts)
            {
                const ExchangeSpec spec{entry.name, workers, broadcast, 7, groupSize};
                if (entry.complaints(spec).empty())
                {
                    specs.push_back(spec);
                }
            }
        }
    }
    return specs;
}

/** Whether the network adds in this exchange. */
inline bool
SumsInNetwork(const ExchangeSpec& spec)
{
    return SumsInNetwork(FindExchange(spec.algorithm));
}

} // namespace inca

#endif // INCA_TEST_EXCHANGE_ALL_EXCHANGES_H
