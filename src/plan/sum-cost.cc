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

/** That switches add, of each worker. */
std::uint64_t
AddedWords(const ReductionCounts& sums)
{
    std::uint64_t words = 0;
    for (const auto& [sum, count] : sums)
    {
        words += sum.phase == SumPhase::ALL_GATHER ? 0 : sum.words * count;
    }
    return words;
}

/** That a worker sends, or, of what is gathered, gets. */
std::uint64_t
MovedWords(const ReductionCounts& sums, Rank workers)
{
    auto words = AddedWords(sums);
    for (const auto& [sum, count] : sums)
    {
        words += sum.phase == SumPhase::ALL_GATHER ? count * WordsGot(sum, 0, workers) : 0;
    }
    return words;
}

void
AddSums(const TrainingJob& job, const JobRound& round, ReductionCounts& sums)
{
    if (round.plan->Elements() == 0 || !round.plan->At(0, 0).reduction)
    {
        return;
    }
    for (auto sum : LoadOf(*round.plan, 0).reductions)
    {
        const bool gathers = sum.phase == SumPhase::ALL_GATHER;
        sum.perWord =
            gathers
                ? static_cast<std::uint32_t>(VALUE_BYTES / job.BytesPerElement(PayloadKind::WEIGHT))
                : 1;
        ++sums[sum];
    }
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
    m_fewestLevels =
        *std::min_element(network.levelsOfWorker.begin(), network.levelsOfWorker.end());
}

BoundTime
SumCost::OnLink(double wireBytes, std::uint64_t bitsPerSecond) const
{
    return {Limit::LINK, wireBytes * 8 * g_psPerSecond / static_cast<double>(bitsPerSecond)};
}

/** From a worker's link through so many levels, or back; the worker's own link apart. */
BoundTime
SumCost::OneWay(double wireBytes, std::uint32_t levels) const
{
    const auto onTrunks =
        levels > 1 ? OnLink(wireBytes, m_network.trunkBitsPerSecond) * (levels - 1.0) : BoundTime{};
    return onTrunks +
           BoundTime{Limit::LATENCY, levels * static_cast<double>(m_network.linkLatencyPs)};
}

BoundTime
SumCost::Moving(double frames, double bytes) const
{
    const auto rate = m_scenario.host.byteBytesPerSecond;
    const auto bytesPs = rate == 0 ? 0 : bytes * g_psPerSecond / static_cast<double>(rate);
    return {Limit::HOST, bytesPs + frames * static_cast<double>(m_scenario.host.frameCostPs)};
}

BoundTime
SumCost::Adding(double values) const
{
    const auto rate = m_scheme->AddedValuesPerSecond();
    return {Limit::ADDER, rate == 0 ? 0 : values * g_psPerSecond / static_cast<double>(rate)};
}

/** A packet from the farthest worker's host to the root, and its sum to a host below so many levels. */
BoundTime
SumCost::Trip(double wireBytes, double payloadBytes, std::uint32_t down) const
{
    const auto switches = m_network.levels + down - 1.0;
    return Moving(2, 2 * payloadBytes) + OnLink(wireBytes, m_fastestLink) * 2 +
           OneWay(wireBytes, m_network.levels) + OneWay(wireBytes, down) +
           BoundTime{Limit::LATENCY, switches * static_cast<double>(m_network.switchLatencyPs)};
}

/** A slot's packets wait for each other: of one slot, all that it is used for, one trip after the other. */
BoundTime
SumCost::Slots(const ReductionCounts& sums) const
{
    const auto chain = m_scheme->LongestChain(sums);
    const bool isShared = std::any_of(sums.begin(), sums.end(), [](const auto& sum) {
        return sum.first.phase != SumPhase::ALL_REDUCE;
    });
    const auto empty = static_cast<double>(chain.emptyWireBytes);
    const auto full = isShared ? empty : static_cast<double>(chain.frameWireBytes);
    const auto payload = isShared ? 0 : static_cast<double>(chain.frameValues * VALUE_BYTES);
    const auto turns = static_cast<double>(chain.frames) - 1;
    const auto levels = m_network.levels;
    auto turn = Trip(full, payload, levels);
    auto last = Trip(full, payload, m_fewestLevels);
    if (!isShared)
    {
        const auto adders = static_cast<double>(m_network.farChildren + levels - 1);
        const auto packets = static_cast<double>(chain.frameValues);
        std::uint64_t smaller = 0; // the last packet of a sum
        for (const auto& [sum, count] : sums)
        {
            smaller += count;
        }
        const auto surelyFull = std::max(0.0, turns + 1 - static_cast<double>(smaller));
        last += Adding(packets * adders * surelyFull);
    }
    const BoundTime waiting{Limit::SLOTS, turn.Ps() * turns};
    return waiting + last + Trip(empty, 0, levels) * static_cast<double>(chain.emptyFrames);
}

BoundTime
SumCost::Of(const ReductionCounts& sums) const
{
    const auto [frames, wireBytes, gotBytes] = m_scheme->TrafficOf(sums);
    const auto chain = m_scheme->LongestChain(sums);
    const auto smallest = static_cast<double>(chain.emptyWireBytes);
    const auto rest = Trip(smallest, 0, m_fewestLevels); // of the last frame
    const auto moved = MovedWords(sums, m_scenario.cluster.workers);
    double count = 0;
    for (const auto& [sum, times] : sums)
    {
        count += static_cast<double>(times);
    }
    const BoundTime messages{Limit::HOST,
                             count * static_cast<double>(m_scenario.host.messageCostPs)};
    const auto moving =
        Moving(static_cast<double>(frames), static_cast<double>(VALUE_BYTES * moved));
    auto longest = Slots(sums);
    longest.Await(
        OnLink(static_cast<double>(std::max(wireBytes, gotBytes)) - smallest, m_slowestLink) +
        rest);
    for (const auto& adding : m_network.switches)
    {
        longest.Await(Adding(static_cast<double>(adding.children * AddedWords(sums))));
        if (adding.trunkBitsPerSecond > 0)
        {
            const auto up = m_scheme->TrunkTraffic(sums, adding.workers).wireBytes;
            longest.Await(OnLink(static_cast<double>(up), adding.trunkBitsPerSecond));
        }
    }
    // Of several sums hosts begin one while others are under way.
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
