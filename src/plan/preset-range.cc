/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/preset-range.h"

#include "scenario/repeated-tables.h"
#include "scenario/scenario-reader.h"

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
    const auto& cluster = plan.Settings().scenario.cluster;
    const auto& seen = *cluster.calibrated;
    const auto& job = *plan.Job().job;
    const auto ranks = cluster.workers * cluster.gpus;
    PresetReach reach;
    reach.ranksSeen = seen.ranks.count(ranks) > 0;
    reach.ranksBetween =
        !seen.ranks.empty() && *seen.ranks.begin() <= ranks && ranks <= *seen.ranks.rbegin();
    for (const auto& chunk : job.chunks)
    {
        const auto bytes = chunk.rounds.front().hostBytes;
        reach.smallerExchanges += bytes < seen.leastBytes ? 1 : 0;
        reach.largerExchanges += bytes > seen.mostBytes ? 1 : 0;
    }
    return reach;
}

std::string
WhyNoRange(const Plan& plan)
{
    const auto& scenario = plan.Settings().scenario;
    const auto& fitted = scenario.cluster.asFitted;
    const auto protocolsOf = [table = FindRepeatedTable("host.protocol")](const Scenario& of) {
        return FormatRepeated(of, *table);
    };
    return ReachOf(plan).LeftOut().empty()                     ? "extrapolated"
           : scenario.cluster.calibrated->explanations.empty() ? "calibrate again with this version"
           : fitted && protocolsOf(scenario) != protocolsOf(*fitted)
               ? "host.protocol is not the preset's"
           : plan.Job().job->cyclePs > 0 ? "exchange.cycle_time makes buckets of times"
                                         : "";
}

std::optional<std::pair<double, double>>
PresetRange(ExplainedTime own,
            const std::vector<Explanation>& explanations,
            const std::vector<ExplainedTime>& each,
            const std::string& leftOut)
{
    std::vector<double> lows;
    std::vector<double> highs;
    std::vector<ExplainedTime> ends{own};
    for (std::size_t i = 0; i < each.size(); ++i)
    {
        const auto& time = each[i];
        for (const auto error :
             explanations[i].leftOut == leftOut ? explanations[i].errors : std::vector<double>{})
        {
            lows.push_back(time.total + time.exchanged * std::expm1(-error));
            highs.push_back(time.total + time.exchanged * std::expm1(error));
        }
        ends.insert(ends.end(), explanations[i].leftOut.empty() ? 1 : 0, time);
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
    const auto exchanged = std::max(own.exchanged, 1e-12);
    const auto fewer = std::min(0.0, (lows[left] - own.total) / exchanged);
    const auto more = std::max(0.0, (highs[highs.size() - 1 - left] - own.total) / exchanged);
    auto range = std::pair(own.total, own.total);
    for (const auto& end : ends)
    {
        range.first = std::min(range.first, end.total + end.exchanged * fewer);
        range.second = std::max(range.second, end.total + end.exchanged * more);
    }
    return range;
}

Scenario
Explained(Scenario scenario, const Explanation& explanation)
{
    const auto scaled = explanation.linkSpeed * static_cast<double>(scenario.cluster.bitsPerSecond);
    scenario.cluster.bitsPerSecond =
        static_cast<std::uint64_t>(std::llround(std::clamp(scaled, 1e3, 1e14)));
    scenario.cluster.calibrated = nullptr;
    scenario.host.protocols = explanation.protocols;
    return scenario;
}

} // namespace inca
