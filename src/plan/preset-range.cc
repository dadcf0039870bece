/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/preset-range.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace inca
{

std::string
PresetReach::LeftOut() const
{
    const bool isBeyond = smallerExchanges + largerExchanges > 0 || !ranksBetween;
    return isBeyond ? "" : ranksSeen ? "sizes" : "ranks";
}

PresetReach
ReachOf(const Plan& plan)
{
    const auto& cluster = plan.scenario.cluster;
    const auto& seen = *cluster.calibrated;
    const auto& job = *plan.Job().prepared.job;
    const auto ranks = cluster.workers * cluster.gpus;
    PresetReach reach;
    reach.ranksSeen = seen.ranks.count(ranks) > 0;
    reach.ranksBetween = !seen.ranks.empty() && *seen.ranks.begin() <= ranks && ranks <= *seen.ranks.rbegin();
    for (const auto& chunk : job.chunks)
    {
        const auto bytes = chunk.rounds.front().hostBytes;
        reach.smallerExchanges += bytes < seen.leastBytes ? 1 : 0;
        reach.largerExchanges += bytes > seen.mostBytes ? 1 : 0;
    }
    return reach;
}

std::optional<std::pair<double, double>>
PresetRange(ExplainedTime own,
            const std::vector<Explanation>& explanations,
            const std::vector<ExplainedTime>& each,
            const std::string& leftOut)
{
    std::vector<double> lows;
    std::vector<double> highs;
    double fewer = 0;
    double more = 0;
    for (std::size_t i = 0; i < each.size(); ++i)
    {
        const auto& [total, exchanged] = each[i];
        for (const auto error : explanations[i].leftOut == leftOut ? explanations[i].errors : std::vector<double>{})
        {
            lows.push_back(total + exchanged * std::expm1(-error));
            highs.push_back(total + exchanged * std::expm1(error));
        }
        if (explanations[i].leftOut.empty())
        {
            fewer = std::min(fewer, total - own.total);
            more = std::max(more, total - own.total);
        }
    }
    constexpr std::size_t fewest = 6;
    if (lows.size() < fewest)
    {
        return std::nullopt;
    }
    constexpr double outside = 0.1;
    const auto place = static_cast<std::size_t>(outside * static_cast<double>(lows.size() + 1));
    const auto left = std::max<std::size_t>(1, place) - 1;
    std::sort(lows.begin(), lows.end());
    std::sort(highs.begin(), highs.end());
    const auto low = std::min(own.total, lows[left]);
    const auto high = std::max(own.total, highs[highs.size() - 1 - left]);
    return std::pair(low + fewer, high + more);
}

Scenario
Explained(Scenario scenario, const Explanation& explanation)
{
    const auto scaled = explanation.linkSpeed * static_cast<double>(scenario.cluster.bitsPerSecond);
    scenario.cluster.bitsPerSecond = static_cast<std::uint64_t>(std::llround(std::clamp(scaled, 1e3, 1e14)));
    scenario.cluster.calibrated = nullptr;
    scenario.host.protocols = explanation.protocols;
    return scenario;
}

} // namespace inca
