/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_EXCHANGE_ALL_EXCHANGES_H
#define INCA_TEST_EXCHANGE_ALL_EXCHANGES_H

#include "exchange/exchange-catalog.h"
#include "exchange/rank-load.h"

#include <string>
#include <utility>
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
           std::to_string(spec.ringChannels) + " channels, chunks of " +
           std::to_string(spec.ringChunkElements) + " and " +
           std::to_string(spec.treeChunkElements) + ", " + std::to_string(elements) + " elements";
}

/** @return whether the exchange of @p spec complains of @p key */
inline bool
Complains(const ExchangeSpec& spec, const std::string& key)
{
    for (const auto& complaint : ExchangeCatalog().Find(spec.algorithm).complaints(spec))
    {
        if (complaint.rfind(key + ": ", 0) == 0)
        {
            return true;
        }
    }
    return false;
}

/** @return whether the exchange looks at @p key: it complains of a value that is never right */
inline bool
Heeds(const ExchangeEntry& entry, const std::string& key)
{
    ExchangeSpec wrong{entry.name, 4, "no such broadcast", 3, 0};
    wrong.ringChannels = 0;
    wrong.treeChunkElements = 0;
    return Complains(wrong, key);
}

/** Appends @p spec unless its exchange complains: some want a certain number of workers. */
inline void
AddIfFine(const ExchangeSpec& spec, std::vector<ExchangeSpec>& specs)
{
    if (ExchangeCatalog().Find(spec.algorithm).complaints(spec).empty())
    {
        specs.push_back(spec);
    }
}

/** The plain one, and some with channels, turns, or both. */
inline void
AddRings(ExchangeSpec spec, std::vector<ExchangeSpec>& specs)
{
    AddIfFine(spec, specs);
    for (const auto& [channels, chunk] :
         std::vector<std::pair<std::uint32_t, std::uint64_t>>{{3, 0}, {1, 2}, {2, 1}})
    {
        spec.ringChannels = channels;
        spec.ringChunkElements = chunk;
        AddIfFine(spec, specs);
    }
}

/**
 * Every exchange with every broadcast, every group size, some numbers of servers (one, fewer and more
 * than workers, as many), some of channels, and small and large chunks, that it heeds and accepts.
 */
inline std::vector<ExchangeSpec>
AllExchanges(Rank workers)
{
    std::vector<ExchangeSpec> specs;
    for (const auto& entry : ExchangeCatalog().Rows())
    {
        if (Heeds(entry, "cluster.servers"))
        {
            for (const Rank servers : {1U, workers / 2 + 1, workers, workers + 3})
            {
                AddIfFine({entry.name, workers, "flat", 2, servers}, specs);
            }
            continue;
        }
        if (Heeds(entry, "ring.channels"))
        {
            AddRings({entry.name, workers, "flat", 2}, specs);
            continue;
        }
        if (Heeds(entry, "tree.chunk_bytes"))
        {
            ExchangeSpec spec{entry.name, workers, "flat", 2};
            for (const std::uint64_t chunk : {1, 3, 1000})
            {
                spec.treeChunkElements = chunk;
                AddIfFine(spec, specs);
            }
            continue;
        }
        const auto broadcasts = Heeds(entry, "exchange.broadcast")
                                    ? std::vector<std::string>{"flat", "binomial"}
                                    : std::vector<std::string>{"flat"};
        for (Rank groupSize = 2; groupSize <= (Heeds(entry, "exchange.group_size") ? workers : 2);
             ++groupSize)
        {
            for (const auto& broadcast : broadcasts)
            {
                AddIfFine({entry.name, workers, broadcast, groupSize}, specs);
            }
        }
    }
    return specs;
}

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
        total.gradient += traffic.gradient.sentElements + traffic.crossesGroups.sentElements;
        total.weight += traffic.weight.sentElements;
        total.gradientMessages +=
            traffic.gradient.sentMessages + traffic.crossesGroups.sentMessages;
        total.weightMessages += traffic.weight.sentMessages;
    }
    return total;
}

/** Whether the network adds in this exchange. */
inline bool
ReducesInNetwork(const ExchangeSpec& spec)
{
    return ReducesInNetwork(ExchangeCatalog().Find(spec.algorithm));
}

} // namespace inca

#endif // INCA_TEST_EXCHANGE_ALL_EXCHANGES_H
