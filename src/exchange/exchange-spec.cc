/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/exchange-spec.h"

namespace inca
{

std::vector<std::string>
WorkerComplaints(const ExchangeSpec& spec)
{
    constexpr Rank fewest{2};
    if (spec.workers >= fewest && spec.workers <= MOST_RANKS)
    {
        return {};
    }
    return {"cluster.workers: must be " + std::to_string(fewest) + ".." +
            std::to_string(MOST_RANKS) + ", got " + std::to_string(spec.workers)};
}

Rank
UsualGroupSize(Rank workers)
{
    constexpr Rank usual = 4;
    const auto cuts = [workers](Rank size) { return workers % size == 0 && workers / size >= 2; };
    for (Rank size = usual; size >= 2; --size)
    {
        if (cuts(size))
        {
            return size;
        }
    }
    for (Rank size = usual + 1; size <= workers / 2; ++size)
    {
        if (cuts(size))
        {
            return size;
        }
    }
    return usual;
}

} // namespace inca
