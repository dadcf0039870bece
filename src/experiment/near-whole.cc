/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/near-whole.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace inca
{

namespace
{

/** Of all exchanges, each from the first start to the last end. */
double
ExchangePs(const Outcome& outcome)
{
    double totalPs = 0;
    for (const auto& window : outcome.seen->exchanges)
    {
        totalPs += static_cast<double>(window.lastEndPs - window.firstStartPs);
    }
    return totalPs;
}

/** By how much stand-ins begin a chunk of the last iteration apart, at most. */
double
SpreadPs(const Outcome& outcome)
{
    std::int64_t spreadPs = 0;
    const auto& ofRanks = outcome.seen->chunks;
    for (std::size_t chunk = 0; chunk < ofRanks.front().size(); ++chunk)
    {
        auto firstPs = ofRanks.front()[chunk].startPs;
        auto lastPs = firstPs;
        for (Rank rank = 1; rank < outcome.plan.fold.simulated; ++rank)
        {
            firstPs = std::min(firstPs, ofRanks[rank][chunk].startPs);
            lastPs = std::max(lastPs, ofRanks[rank][chunk].startPs);
        }
        spreadPs = std::max(spreadPs, lastPs - firstPs);
    }
    return static_cast<double>(spreadPs);
}

/** All are further apart than some, by as many times as they are more. */
bool
IsSpreadBorne(const Outcome& miniature)
{
    const auto& fold = miniature.plan.fold;
    const auto exchanges = static_cast<double>(miniature.seen->exchanges.size());
    return SpreadPs(miniature) * fold.ranks / fold.simulated * exchanges <=
           MOST_FROM_STEP * ExchangePs(miniature);
}

bool
AreNear(double aPs, double bPs)
{
    return std::abs(aPs - bPs) <= MOST_FROM_STEP * bPs;
}

} // namespace

bool
IsNearWhole(const Outcome& inStep, const Outcome& miniature)
{
    const auto totalPs = static_cast<double>(miniature.breakdown.TotalPs());
    return static_cast<double>(miniature.breakdown.waitedForPs) <= MOST_WAITED_FOR * totalPs &&
           AreNear(totalPs, static_cast<double>(inStep.breakdown.TotalPs())) &&
           AreNear(ExchangePs(miniature), ExchangePs(inStep)) && IsSpreadBorne(miniature);
}

} // namespace inca
