/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/whole-network.h"

#include "topology/aggregation-tree.h"

#include <cstdint>
#include <map>
#include <utility>

namespace inca
{

namespace
{

/** @return @p counted, called as @p named is */
LinkSeen
Called(const LinkSeen& named, LinkSeen counted)
{
    counted.name = named.name;
    counted.from = named.from;
    counted.to = named.to;
    counted.leavesSwitch = named.leavesSwitch;
    return counted;
}

} // namespace

WholeNetwork::WholeNetwork(const Plan& plan)
    : m_plan(plan)
{
}

std::vector<LinkSeen>
WholeNetwork::Links(const std::vector<LinkSeen>& simulated) const
{
    const auto& choice = m_plan.fold;
    const auto ranks = choice.ranks;
    const auto simulatedRanks = choice.simulated;
    const auto& trunks = choice.fold.trunks;
    if (!choice.IsFolded())
    {
        return simulated;
    }
    auto links = NamedLinks(m_plan.topology, *m_plan.Job().prepared.job);
    for (Rank rank = 0; rank < ranks; ++rank)
    {
        auto& up = links[2 * std::size_t{rank}];
        auto& down = links[2 * std::size_t{rank} + 1];
        const auto standsIn = 2 * std::size_t{choice.Representative(rank)};
        up = Called(up, simulated[standsIn]);
        down = Called(down, simulated[standsIn + 1]);
    }
    for (std::size_t trunk = 0; trunk < trunks.size(); ++trunk)
    {
        for (std::size_t way = 0; way < 2; ++way)
        {
            auto& link = links[2 * (ranks + trunk) + way];
            link.bitsPerSecond = m_plan.network.trunkBitsPerSecond;
            if (trunks[trunk])
            {
                const auto standsIn = 2 * (simulatedRanks + std::size_t{*trunks[trunk]}) + way;
                link = Called(link, simulated[standsIn]);
            }
        }
    }
    return links;
}

std::vector<SwitchRow>
WholeNetwork::Switches(const std::vector<SwitchRow>& simulated) const
{
    if (!m_plan.fold.fold.tree)
    {
        return simulated;
    }
    const auto tree = MakeAggregationTree(m_plan.topology, m_plan.fold.ranks);
    std::map<std::uint32_t, std::uint32_t> adding; // by number: which stands for it
    for (const auto& node : tree.nodes)
    {
        adding[node.switchNumber] = m_plan.fold.fold.switches[node.switchNumber];
    }
    std::vector<SwitchRow> rows;
    for (const auto& [number, standsIn] : adding)
    {
        rows.push_back(simulated[standsIn]);
        rows.back().name = m_plan.topology.switches[number].name;
    }
    return rows;
}

} // namespace inca
