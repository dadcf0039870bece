/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/whole-network.h"

#include "topology/aggregation-tree.h"

#include <cstdint>
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

/** Frames are as many on all ranks; what is in them differs. */
void
SetPlainBytes(std::uint64_t bytes, LinkSeen& link)
{
    const auto more = bytes - link.plainBytes; // what is less wraps round, and comes right below
    link.plainBytes += more;
    link.wireBytes += more;
    link.wireBytesByEnd += more;
}

} // namespace

WholeNetwork::WholeNetwork(const Plan& plan)
    : m_plan(plan)
{
    if (plan.fold.even)
    {
        return;
    }
    for (const auto& chunk : plan.prepared.job->chunks)
    {
        const auto* steps = chunk.rounds.front().plan.get();
        if (m_parts.count(steps) == 0)
        {
            m_parts.emplace(steps, UnevenParts(*steps, plan.fold.symmetry));
        }
    }
}

MovedElements
WholeNetwork::Moved(Rank rank, std::size_t chunk) const
{
    return m_parts.at(m_plan.prepared.job->chunks[chunk].rounds.front().plan.get()).Of(rank);
}

MovedElements
WholeNetwork::MovedInRun(Rank rank) const
{
    const auto& job = *m_plan.prepared.job;
    MovedElements all;
    for (std::size_t chunk = 0; chunk < job.chunks.size(); ++chunk)
    {
        const auto moved = Moved(rank, chunk);
        all.sent += job.BatchCount() * moved.sent;
        all.received += job.BatchCount() * moved.received;
    }
    return all;
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
    auto links = NamedLinks(m_plan.topology, *m_plan.prepared.job);
    for (Rank rank = 0; rank < ranks; ++rank)
    {
        auto& up = links[2 * std::size_t{rank}];
        auto& down = links[2 * std::size_t{rank} + 1];
        const auto standsIn = 2 * std::size_t{choice.StandIn(rank)};
        up = Called(up, simulated[standsIn]);
        down = Called(down, simulated[standsIn + 1]);
        if (!choice.even)
        {
            const auto own = MovedInRun(rank);
            SetPlainBytes(own.sent * m_plan.prepared.job->bytesPerElement, up);
            SetPlainBytes(own.received * m_plan.prepared.job->bytesPerElement, down);
        }
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

PayloadCount
WholeNetwork::Received(Rank worker, std::size_t chunk, PayloadCount simulated) const
{
    if (m_plan.fold.even)
    {
        return simulated;
    }
    const auto bytes = Moved(worker, chunk).received * m_plan.prepared.job->bytesPerElement;
    return {bytes, bytes};
}

PayloadCount
WholeNetwork::Gradients(PayloadCount simulated) const
{
    if (m_plan.fold.even)
    {
        return simulated;
    }
    PayloadCount all;
    for (Rank rank = 0; rank < m_plan.fold.ranks; ++rank)
    {
        const auto bytes = MovedInRun(rank).received * m_plan.prepared.job->bytesPerElement;
        all.Add(bytes, bytes);
    }
    return all;
}

} // namespace inca
