/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/homomorphic/limits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace inca
{

std::int64_t
HomomorphicParts::TotalPs() const
{
    return computePs + roundsPs + indexPs + densityPs + hostsPs;
}

HomomorphicParts
PartsOf(const TimeShares& shares, double indexShare)
{
    const auto indexPs = std::llround(static_cast<double>(shares.communicationPs) * indexShare);
    return {shares.forwardPs + shares.backwardPs + shares.updatePs,
            shares.codecPs,
            indexPs,
            shares.communicationPs - indexPs,
            shares.copyPs + shares.sumPs};
}

HomomorphicParts
WithinExchange(const HomomorphicParts& parts)
{
    auto within = parts;
    within.computePs = 0;
    within.hostsPs = 0;
    return within;
}

const char*
LargestPart(const HomomorphicParts& parts)
{
    const std::array<std::pair<const char*, std::int64_t>, 5> named{{
        {"compute", parts.computePs},
        {"rounds", parts.roundsPs},
        {"index", parts.indexPs},
        {"density", parts.densityPs},
        {"hosts", parts.hostsPs},
    }};
    return std::max_element(named.begin(),
                            named.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; })
        ->first;
}

} // namespace inca
