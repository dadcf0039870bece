/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "export/exchange-operations.h"

#include "base/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace inca
{

namespace
{

using Kind = ExportedOperation::Kind;

constexpr std::size_t MOST_NEEDS = 4; ///< of several operations, before they get one in common

void
Append(Indices& all, const Indices& more)
{
    all.insert(all.end(), more.begin(), more.end());
}

const char*
KindName(Kind kind)
{
    return kind == Kind::ALL_REDUCE       ? "all-reduce"
           : kind == Kind::REDUCE_SCATTER ? "reduce-scatter"
                                          : "all-gather";
}

} // namespace

ExchangeOperations::ExchangeOperations(const Scenario& scenario,
                                       const TrainingJob& job,
                                       Rank rank,
                                       bool collectives)
    : m_scenario(scenario),
      m_job(job),
      m_rank(rank),
      m_collectives(collectives)
{
}

std::size_t
ExchangeOperations::Add(ExportedOperation operation)
{
    m_operations.push_back(std::move(operation));
    return m_operations.size() - 1;
}

Indices
ExchangeOperations::AddCompute(std::string name, std::int64_t ps, Indices needs)
{
    ExportedOperation operation;
    operation.name = std::move(name);
    operation.ps = ps;
    operation.needs = std::move(needs);
    return {Add(std::move(operation))};
}

Indices
ExchangeOperations::AddExchange(std::uint32_t chunk, Indices ready, bool updates)
{
    m_updates = updates;
    auto before = StartOf(std::move(ready));
    const auto& exchanged = m_job.chunks[chunk];
    auto end = m_collectives ? AddCollectives(exchanged, std::move(before))
                             : AddRounds(exchanged, std::move(before));
    m_ended.push_back(end);
    return end;
}

Indices
ExchangeOperations::StartOf(Indices ready) const
{
    if (m_ended.size() >= m_job.concurrent)
    {
        Append(ready, m_ended[m_ended.size() - m_job.concurrent]);
    }
    std::sort(ready.begin(), ready.end());
    ready.erase(std::unique(ready.begin(), ready.end()), ready.end());
    return ready;
}

/** What coding makes of a chunk goes round by round: at once, or one after the other. */
Indices
ExchangeOperations::AddRounds(const JobChunk& chunk, Indices before)
{
    const bool codes = chunk.coding != nullptr && m_rank < m_job.workers;
    const bool atOnce = chunk.coding != nullptr && chunk.coding->Overlaps();
    Indices ends;
    const auto summing = chunk.coding ? chunk.CodedRounds() : chunk.rounds.size();
    for (std::size_t round = 0; round < summing; ++round)
    {
        if (codes)
        {
            before = AddCompute("encode", chunk.coding->EncodePs(round), std::move(before));
        }
        auto end = AddSteps(chunk, chunk.rounds[round], before);
        if (atOnce)
        {
            Append(ends, end);
            continue;
        }
        before = end;
        ends = std::move(end);
    }
    return codes ? AddDecoded(chunk, std::move(ends)) : ends;
}

/** What a worker does with the sums of all rounds. */
Indices
ExchangeOperations::AddDecoded(const JobChunk& chunk, Indices before)
{
    before = AddCompute("decode", chunk.coding->DecodePs(), std::move(before));
    if (const auto* shards = chunk.coding->ShardsOfValues(); shards != nullptr && m_updates)
    {
        before = AddUpdate(chunk, {0, TotalCount((*shards)[m_rank])}, std::move(before));
    }
    return chunk.rounds.back().weights ? AddSteps(chunk, chunk.rounds.back(), before) : before;
}

/** Of all strands, each one after the other. @return their end */
Indices
ExchangeOperations::AddSteps(const JobChunk& chunk, const JobRound& round, const Indices& before)
{
    if (round.plan->Elements() == 0)
    {
        return before;
    }
    Indices ends;
    for (const auto* strand : StrandsOf(*round.plan, false))
    {
        auto end = before;
        for (std::uint32_t step = 0; step < strand->StepCount(m_rank); ++step)
        {
            end = AddStep(chunk, strand->At(m_rank, step), std::move(end));
        }
        Append(ends, end);
    }
    return ends;
}

Indices
ExchangeOperations::AddStep(const JobChunk& chunk, const Step& step, Indices before)
{
    if (before.size() > MOST_NEEDS && step.sends.size() + step.receives.size() > 1)
    {
        before = AddCompute("step", 0, std::move(before));
    }
    auto done = AddSends(chunk, step, before);
    Append(done, AddReceives(chunk, step, before));
    done = done.empty() ? before : done;
    std::uint64_t added = 0;
    for (const auto& transfer : step.receives)
    {
        added += transfer.combine == Combine::ADD ? transfer.range.count : 0;
    }
    const auto sumPs = WorkPs(added * m_job.bytesPerElement, m_scenario.host.sumBytesPerSecond);
    if (added > 0 && sumPs > 0)
    {
        done = AddCompute("sum", sumPs, std::move(done));
    }
    if (step.update && m_updates && !chunk.coding && !step.receives.empty())
    {
        done = AddUpdate(chunk, step.receives.front().range, std::move(done));
    }
    return done;
}

/** @return what has left */
Indices
ExchangeOperations::AddSends(const JobChunk& chunk, const Step& step, const Indices& before)
{
    Indices done;
    auto needs = before;
    for (std::size_t i = 0; i < step.sends.size(); ++i)
    {
        const auto& transfer = step.sends[i];
        if (transfer.range.count == 0)
        {
            continue;
        }
        const auto encodePs = WorkPs(transfer.range.count * m_job.bytesPerElement,
                                     m_scenario.codec.encodeBytesPerSecond);
        if (IsHostCoded(transfer.leg) && !RepeatsSend(step, i) && encodePs > 0)
        {
            needs = AddCompute("encode", encodePs, needs); // one after the other
        }
        done.push_back(AddTransfer(Kind::SEND, chunk, transfer, needs));
    }
    return done;
}

/** @return what is there, decoded */
Indices
ExchangeOperations::AddReceives(const JobChunk& chunk, const Step& step, const Indices& before)
{
    Indices done;
    for (const auto& transfer : step.receives)
    {
        if (transfer.range.count == 0)
        {
            continue;
        }
        done.push_back(AddTransfer(Kind::RECEIVE, chunk, transfer, before));
        const auto decodePs = WorkPs(transfer.range.count * m_job.bytesPerElement,
                                     m_scenario.codec.decodeBytesPerSecond);
        if (IsHostCoded(transfer.leg) && decodePs > 0)
        {
            done.back() = AddCompute("decode", decodePs, {done.back()}).front();
        }
    }
    return done;
}

std::size_t
ExchangeOperations::AddTransfer(Kind kind,
                                const JobChunk& chunk,
                                const Transfer& transfer,
                                Indices needs)
{
    auto& tags = kind == Kind::SEND ? m_sent : m_received;
    ExportedOperation operation;
    operation.kind = kind;
    operation.name = fmt::format("{} {}", kind == Kind::SEND ? "to" : "from", transfer.peer);
    operation.bytes = BytesOf(chunk, transfer.range, transfer.leg);
    operation.peer = transfer.peer;
    operation.tag = tags[transfer.peer]++;
    operation.needs = std::move(needs);
    return Add(std::move(operation));
}

Indices
ExchangeOperations::AddUpdate(const JobChunk& chunk, ElementRange range, Indices before)
{
    const auto ps = m_rank < m_job.workers ? m_job.ShardUpdatePs(m_rank, 0, chunk, range)
                                           : m_job.AggregatorUpdatePs(chunk, range);
    return AddCompute("## optimizer ##", ps, std::move(before));
}

Indices
ExchangeOperations::AddCollectives(const JobChunk& chunk, Indices before)
{
    if (m_rank >= m_job.workers)
    {
        return {};
    }
    const bool isSharded = m_job.weightsReturn && m_job.RankCount() == m_job.workers;
    const auto shard = BlockOf(chunk.ValueCount(), m_job.workers, 0);
    const auto gather = [&](Indices needs) {
        return AddCollective(
            Kind::ALL_GATHER, BytesOf(chunk, shard, Leg::WEIGHT), std::move(needs));
    };
    if (chunk.purpose != ExchangePurpose::GRADIENTS)
    {
        return gather(std::move(before));
    }
    for (const auto& round : chunk.rounds)
    {
        before = round.weights
                     ? std::move(before)
                     : AddCollective(isSharded ? Kind::REDUCE_SCATTER : Kind::ALL_REDUCE,
                                     BytesOf(chunk, {0, round.plan->Elements()}, Leg::GRADIENT),
                                     std::move(before));
    }
    if (!isSharded)
    {
        return before;
    }
    before = m_updates ? AddUpdate(chunk, shard, std::move(before)) : before;
    return m_job.GathersWeights() ? before : gather(std::move(before));
}

Indices
ExchangeOperations::AddCollective(Kind kind, std::uint64_t bytes, Indices before)
{
    ExportedOperation operation;
    operation.kind = kind;
    operation.name = fmt::format("{} {}", KindName(kind), m_ended.size() + 1);
    operation.bytes = bytes;
    operation.needs = std::move(before);
    return {Add(std::move(operation))};
}

bool
ExchangeOperations::IsHostCoded(Leg leg) const
{
    return m_job.hostCodec != nullptr && leg == Leg::GRADIENT;
}

/** As they travel; at least one. */
std::uint64_t
ExchangeOperations::BytesOf(const JobChunk& chunk, ElementRange range, Leg leg) const
{
    const bool isCoded = leg == Leg::GRADIENT && (m_job.engines || m_job.hostCodec != nullptr);
    if (!isCoded)
    {
        return range.count * m_job.BytesPerElement(leg);
    }
    const auto bits = static_cast<double>(range.count) * m_job.MeanBitsOf(chunk, range);
    return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::floor(bits / 8)));
}

} // namespace inca
