/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/whole-network.h"

#include "base/wire-format.h"
#include "plan/job-exchanges.h"
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

/** Counts @p data, and acknowledgements of @p acknowledged; what is less than nothing wraps round, and comes right. */
struct LinkTraffic
{
    LinkTraffic(const MessageTraffic& data,
                const MessageTraffic& acknowledged,
                std::uint64_t bytesPerElement)
        : frames(data.frames + acknowledged.acknowledgements),
          plainBytes(data.elements * bytesPerElement),
          wireBytes(data.wireBytes +
                    acknowledged.acknowledgements * FrameWireBytes(INCA_HEADER_BYTES))
    {
    }

    void Move(const LinkTraffic& simulated, LinkSeen& link) const
    {
        link.frames += frames - simulated.frames;
        link.plainBytes += plainBytes - simulated.plainBytes;
        link.wireBytes += wireBytes - simulated.wireBytes;
        link.wireBytesByEnd += wireBytes - simulated.wireBytes;
    }

    std::uint64_t frames;
    std::uint64_t plainBytes;
    std::uint64_t wireBytes;
};

} // namespace

WholeNetwork::WholeNetwork(const Plan& plan)
    : m_plan(plan)
{
    if (!plan.fold.even)
    {
        const auto& job = *plan.prepared.job;
        m_traffic = MakeUnevenTraffic(SpecOf(plan.scenario, job),
                                      FramingOf(plan.scenario, job.bytesPerElement));
    }
}

RankFrames
WholeNetwork::Moved(Rank rank, std::size_t chunk) const
{
    const auto& steps = *m_plan.prepared.job->chunks[chunk].rounds.front().plan;
    return m_traffic->Of(rank, steps.Elements());
}

RankFrames
WholeNetwork::MovedInRun(Rank rank) const
{
    const auto& job = *m_plan.prepared.job;
    RankFrames all;
    for (std::size_t chunk = 0; chunk < job.chunks.size(); ++chunk)
    {
        all.Add(Moved(rank, chunk), job.BatchCount());
    }
    return all;
}

/** Of one of those that stand for all. */
RankFrames
WholeNetwork::SimulatedInRun(Rank standIn) const
{
    const auto& job = *m_plan.simulated;
    const auto framing = FramingOf(m_plan.scenario, job.bytesPerElement);
    std::map<const StepPlan*, RankFrames> known; // equal plans are shared
    RankFrames all;
    for (const auto& chunk : job.chunks)
    {
        const auto* steps = chunk.rounds.front().plan.get();
        const auto [found, isNew] = known.try_emplace(steps);
        found->second = isNew ? WalkedFrames(*steps, standIn, framing) : found->second;
        all.Add(found->second, job.BatchCount());
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
    std::vector<RankFrames> ofStandIns;
    for (Rank standIn = 0; m_traffic && standIn < simulatedRanks; ++standIn)
    {
        ofStandIns.push_back(SimulatedInRun(standIn));
    }
    auto links = NamedLinks(m_plan.topology, *m_plan.prepared.job);
    for (Rank rank = 0; rank < ranks; ++rank)
    {
        auto& up = links[2 * std::size_t{rank}];
        auto& down = links[2 * std::size_t{rank} + 1];
        const auto standsIn = 2 * std::size_t{choice.StandIn(rank)};
        up = Called(up, simulated[standsIn]);
        down = Called(down, simulated[standsIn + 1]);
        if (m_traffic)
        {
            const auto valueBytes = m_plan.prepared.job->bytesPerElement;
            const auto own = MovedInRun(rank);
            const auto& its = ofStandIns[choice.StandIn(rank)];
            LinkTraffic(own.sent, own.received, valueBytes)
                .Move({its.sent, its.received, valueBytes}, up);
            LinkTraffic(own.received, own.sent, valueBytes)
                .Move({its.received, its.sent, valueBytes}, down);
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
    const auto bytes =
        Moved(worker, chunk).received.elements * m_plan.prepared.job->bytesPerElement;
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
        const auto bytes =
            MovedInRun(rank).received.elements * m_plan.prepared.job->bytesPerElement;
        all.Add(bytes, bytes);
    }
    return all;
}

} // namespace inca
