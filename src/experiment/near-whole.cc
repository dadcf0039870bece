/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/near-whole.h"

#include <cmath>

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
           AreNear(ExchangePs(miniature), ExchangePs(inStep));
}

} // namespace inca
