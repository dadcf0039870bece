/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/sum-cost.h"

#include "base/wire-format.h"
#include "exchange/block-packets.h"
#include "exchange/rank-load.h"
#include "scenario/specs.h"

#include <algorithm>

namespace inca
{

namespace
{

constexpr double g_psPerSecond = 1e12;

void
AddSums(const TrainingJob& job, const JobRound& round, ReductionCounts& sums)
{
    if (round.plan->Elements() == 0 || !round.plan->At(0, 0).reduction)
    {
        return;
    }
    const auto inWord =
        static_cast<std::uint32_t>(VALUE_BYTES / job.BytesPerElement(PayloadKind::WEIGHT));
    for (auto sum : LoadOf(*round.plan, 0).reductions)
    {
        sum.perWord = sum.phase == SumPhase::ALL_GATHER ? inWord : 1;
        ++sums[sum];
    }
}

BoundTime
OnLink(double wireBytes, std::uint64_t bitsPerSecond)
{
    return {Limit::LINK, wireBytes * 8 * g_psPerSecond / static_cast<double>(bitsPerSecond)};
}

} // namespace

SumCost::SumCost(const Scenario& scenario, const NetworkSpeed& network)
    : m_scenario(scenario),
      m_network(network),
      m_scheme(MakeScheme(scenario))
{
    const auto rates = network.linkBitsPerSecond.begin();
    const auto [slowest, fastest] = std::minmax_element(rates, rates + scenario.cluster.workers);
    m_slowestLink = *slowest;
    m_fastestLink = *fastest;
}

BoundTime
SumCost::OnHosts(double frames, double bytes) const
{
    const auto rate = m_scenario.host.byteBytesPerSecond;
    const auto bytesPs = rate == 0 ? 0 : bytes * g_psPerSecond / static_cast<double>(rate);
    return {Limit::HOST, bytesPs + frames * static_cast<double>(m_scenario.host.frameCostPs)};
}

/** A packet from the farthest worker's host to the root, and its sum down to a host. */
BoundTime
SumCost::Trip(double wireBytes, double payloadBytes, std::uint32_t levelsDown) const
{
    const auto switches = static_cast<double>(m_network.levels + levelsDown);
    const auto latencyPs = switches * static_cast<double>(m_scenario.cluster.latencyPs) +
                           (switches - 1) * static_cast<double>(m_scenario.inSwitch.latencyPs);
    const auto onTrunks =
        switches > 2 ? OnLink(wireBytes, m_network.trunkBitsPerSecond) : BoundTime{};
    return OnHosts(2, 2 * payloadBytes) + OnLink(wireBytes, m_fastestLink) * 2 +
           onTrunks * (switches - 2) + BoundTime{Limit::LATENCY, latencyPs};
}

/** A slot's packets wait for each other: its last one for the trips of all others. */
BoundTime
SumCost::Slots(const ReductionCounts& sums) const
{
    const auto chain = m_scheme->LongestChain(sums);
    const bool areHalves = std::any_of(sums.begin(), sums.end(), [](const auto& sum) {
        return sum.first.phase != SumPhase::ALL_REDUCE;
    });
    const auto empty = static_cast<double>(chain.emptyWireBytes);
    const auto wire = areHalves ? empty : static_cast<double>(chain.frameWireBytes);
    const auto payload = areHalves ? 0 : static_cast<double>(chain.frameValues * VALUE_BYTES);
    const auto trips = static_cast<double>(chain.frames) - 1;
    const BoundTime waiting{Limit::SLOTS, trips * Trip(wire, payload, m_network.levels).Ps()};
    return waiting + Trip(wire, payload, m_network.fewestLevels) +
           Trip(empty, 0, m_network.levels) * static_cast<double>(chain.emptyFrames);
}

BoundTime
SumCost::Of(const ReductionCounts& sums) const
{
    std::uint64_t added = 0; // words of each worker
    std::uint64_t moved = 0; // that a worker sends, or, of what is gathered, gets
    double count = 0;
    for (const auto& [sum, times] : sums)
    {
        const bool gathers = sum.phase == SumPhase::ALL_GATHER;
        added += gathers ? 0 : times * sum.words;
        moved += times * (gathers ? WordsGot(sum, 0, m_scenario.cluster.workers) : sum.words);
        count += static_cast<double>(times);
    }
    const auto [frames, wireBytes, gotBytes] = m_scheme->TrafficOf(sums);
    const auto smallest = static_cast<double>(m_scheme->LongestChain(sums).emptyWireBytes);
    const auto onLink = static_cast<double>(std::max(wireBytes, gotBytes)) - smallest;
    auto longest = Slots(sums);
    longest.Await(OnLink(onLink, m_slowestLink) + Trip(smallest, 0, m_network.fewestLevels));
    const auto adderRate = static_cast<double>(m_scheme->AddedValuesPerSecond());
    for (const auto& adding : m_network.switches)
    {
        const auto values = static_cast<double>(adding.children * added);
        longest.Await({Limit::ADDER, adderRate == 0 ? 0 : values * g_psPerSecond / adderRate});
        if (adding.trunkBitsPerSecond > 0)
        {
            const auto up = m_scheme->TrunkTraffic(sums, adding.workers).wireBytes;
            longest.Await(OnLink(static_cast<double>(up), adding.trunkBitsPerSecond));
        }
    }
    // Of several sums hosts begin one while others are under way.
    const auto moving =
        OnHosts(static_cast<double>(frames), static_cast<double>(VALUE_BYTES * moved));
    const BoundTime messages{Limit::HOST,
                             count * static_cast<double>(m_scenario.host.messageCostPs)};
    return count == 1 ? Longer(longest, moving) + messages : Longer(longest, moving + messages);
}

ReductionCounts
ReductionsOf(const TrainingJob& job, const JobRound& round)
{
    ReductionCounts sums;
    AddSums(job, round, sums);
    return sums;
}

ReductionCounts
ReductionsOf(const TrainingJob& job)
{
    ReductionCounts sums;
    for (const auto& chunk : job.chunks)
    {
        for (const auto& round : chunk.rounds)
        {
            AddSums(job, round, sums);
        }
    }
    return sums;
}

} // namespace inca
