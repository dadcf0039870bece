/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/rank-busy.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace inca
{

namespace
{

constexpr Rank g_mostRanks = 128;              ///< that are looked at where no two are alike
constexpr std::uint64_t g_mostSteps = 100'000; ///< of all ranks, of which each message is looked at

double&
At(BusyTimes& busy, Resource resource)
{
    return busy[static_cast<std::size_t>(resource)];
}

/** An index is made before anything of its chunk leaves, decoding goes on when all is there. */
std::int64_t
CodedPs(const ChunkCoding& coding, std::size_t rounds)
{
    auto ps = coding.EncodePs(0) + coding.DecodePs();
    for (std::size_t round = 1; round < rounds && !coding.Overlaps(); ++round)
    {
        ps += coding.EncodePs(round);
    }
    return ps;
}

} // namespace

RankBusy::RankBusy(const Scenario& scenario,
                   const TrainingJob& job,
                   const NetworkSpeed& network,
                   const MessageCost& cost,
                   const ShiftSymmetry& symmetry)
    : m_scenario(scenario),
      m_job(job),
      m_network(network),
      m_cost(cost),
      m_symmetry(symmetry)
{
}

/** @return whether workers of one symmetry's period do all that is done */
bool
RankBusy::IsAlike() const
{
    return m_symmetry.period > 0 && m_scenario.cluster.overrides.empty();
}

bool
RankBusy::IsComplete() const
{
    return IsAlike() || m_job.workers <= g_mostRanks;
}

std::vector<Rank>
RankBusy::Workers() const
{
    const auto count =
        IsAlike() ? std::max<Rank>(1, m_symmetry.period / m_symmetry.rows) : m_job.workers;
    std::vector<Rank> workers(std::min(count, m_job.workers));
    std::iota(workers.begin(), workers.end(), 0U);
    if (!IsComplete())
    {
        workers.resize(g_mostRanks);
        for (const auto& worker : m_scenario.cluster.overrides)
        {
            workers.push_back(worker.index);
        }
    }
    return workers;
}

const RankLoad&
RankBusy::LoadOn(const StepPlan& plan, Rank rank)
{
    const std::pair key{&plan, rank};
    const auto found = m_loads.find(key);
    return found != m_loads.end() ? found->second
                                  : m_loads.emplace(key, LoadOf(plan, rank)).first->second;
}

BusyTimes
RankBusy::Of(const JobChunk& chunk, Rank rank)
{
    const auto bits = m_cost.BitsOf(chunk);
    const auto rate = m_network.linkBitsPerSecond[rank];
    const auto messagePs = static_cast<double>(m_scenario.host.messageCostPs);
    BusyTimes busy{};
    for (const auto& round : chunk.rounds)
    {
        if (round.plan->Elements() == 0)
        {
            continue; // takes no step
        }
        const auto& load = LoadOn(*round.plan, rank);
        for (const auto kind : {PayloadKind::GRADIENT, PayloadKind::WEIGHT})
        {
            const auto& of = kind == PayloadKind::GRADIENT ? load.gradient : load.weight;
            for (const auto part :
                 {Resource::SENDING_HOST, Resource::COMPRESSION, Resource::UPLINK})
            {
                At(busy, part) +=
                    m_cost.BusyPs(part, kind, bits, of.sentMessages, of.sentElements, rate);
            }
            for (const auto part :
                 {Resource::DOWNLINK, Resource::DECOMPRESSION, Resource::RECEIVING_HOST})
            {
                At(busy, part) +=
                    m_cost.BusyPs(part, kind, bits, of.receivedMessages, of.receivedElements, rate);
            }
            At(busy, Resource::SENDING_HOST) += messagePs * static_cast<double>(of.sentMessages);
        }
        At(busy, Resource::ADDER) +=
            m_cost.HostPs(load.addedElements, m_scenario.host.sumBytesPerSecond);
        if (m_job.hostCodec)
        {
            At(busy, Resource::CODEC) +=
                m_cost.HostPs(load.codedElements, m_scenario.codec.encodeBytesPerSecond) +
                m_cost.HostPs(load.gradient.receivedElements,
                              m_scenario.codec.decodeBytesPerSecond);
        }
    }
    if (chunk.coding && m_job.IsWorker(rank))
    {
        At(busy, Resource::CODEC) +=
            static_cast<double>(CodedPs(*chunk.coding, chunk.CodedRounds()));
    }
    if (m_job.weightsReturn && !m_job.IsWorker(rank))
    {
        At(busy, Resource::UPDATE) +=
            static_cast<double>(m_job.AggregatorUpdatePs(chunk, {0, chunk.ValueCount()}));
    }
    // A host that receives, then sends, does so within an exchange: of two at the same time one may send.
    if (m_scenario.host.IsHalfDuplex() && m_job.concurrent == 1)
    {
        At(busy, Resource::DOWNLINK) += At(busy, Resource::UPLINK);
        At(busy, Resource::RECEIVING_HOST) += At(busy, Resource::SENDING_HOST);
    }
    return busy;
}

double
RankBusy::TrunkPs(const JobChunk& chunk)
{
    double ps = 0;
    for (const auto& round : chunk.rounds)
    {
        const auto& plan = *round.plan;
        const auto steps = plan.Elements() == 0
                               ? std::uint64_t{0}
                               : std::uint64_t{plan.StepCount(0)} * plan.RankCount();
        if (m_network.trunkBitsPerSecond > 0 && steps > 0 && steps <= g_mostSteps)
        {
            const std::pair key{&plan, m_cost.BitsOf(chunk)};
            const auto found = m_trunkPs.find(key);
            ps += found != m_trunkPs.end()
                      ? found->second
                      : m_trunkPs.emplace(key, TrunkPs(chunk, plan)).first->second;
        }
    }
    return ps;
}

double
RankBusy::TrunkPs(const JobChunk& chunk, const StepPlan& plan) const
{
    const auto bits = m_cost.BitsOf(chunk);
    std::vector<double> out(m_network.trunksOfSwitch.size());
    auto in = out;
    for (Rank rank = 0; rank < plan.RankCount(); ++rank)
    {
        const auto steps = plan.StepCount(rank);
        for (std::uint32_t step = 0; step < steps; ++step)
        {
            for (const auto& send : plan.At(rank, step).sends)
            {
                const auto home = m_network.switchOfHost[rank];
                const auto other = m_network.switchOfHost[send.peer];
                const auto ps = home == other ? 0
                                              : m_cost.BusyPs(Resource::UPLINK,
                                                              send.kind,
                                                              bits,
                                                              1,
                                                              send.range.count,
                                                              m_network.trunkBitsPerSecond);
                out[home] += ps;
                in[other] += ps;
            }
        }
    }
    double most = 0;
    for (const auto home : m_network.switchOfHost)
    {
        const double trunks = m_network.trunksOfSwitch[home];
        most = std::max({most, out[home] / trunks, in[home] / trunks});
    }
    return most;
}

} // namespace inca
