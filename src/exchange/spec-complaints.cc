/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/spec-complaints.h"

namespace inca
{

Rank
NoOthers(const ExchangeSpec& /*spec*/)
{
    return 0;
}

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

} // namespace inca
