/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "export/exported-rank.h"

#include "base/errors.h"
#include "base/units.h"
#include "scenario/specs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace inca
{

namespace
{

using Kind = ExportedOperation::Kind;
using Indices = std::vector<std::size_t>; ///< operations of a rank, by their place in its list

/** "l9: recv 8b from 0 tag 0", and what it requires; most steps have more than one. */
constexpr std::uint64_t LEAST_BYTES_PER_STEP = 40;

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

/** The operations of one rank, of which it makes those of its exchanges. */
class ExchangeOperations
{
  public:
    /** @param collectives an exchange is one of all workers, or two, and not its steps */
    ExchangeOperations(const Resolved& resolved,
                       const TrainingJob& job,
                       Rank rank,
                       bool collectives)
        : m_scenario(resolved.scenario),
          m_job(job),
          m_rank(rank),
          m_collectives(collectives)
    {
    }

    Indices AddCompute(std::string name, std::int64_t ps, Indices needs, bool onHost = false)
    {
        ExportedOperation operation;
        operation.onHost = onHost;
        operation.name = std::move(name);
        operation.ps = ps;
        operation.needs = std::move(needs);
        return {Add(std::move(operation))};
    }

    /**
 * All of a chunk's exchange, which begins no sooner than as many before it as may go on have ended.
 * @param updates whether weights are made of the sums
 * @return its end
 */
    Indices AddExchange(std::uint32_t chunk, Indices ready, bool updates)
    {
        m_updates = updates;
        const auto& exchanged = m_job.chunks[chunk];
        auto& ended = EndedBefore(exchanged);
        auto before = StartOf(std::move(ready), ended);
        auto end = m_collectives ? AddCollectives(exchanged, std::move(before))
                                 : AddRounds(exchanged, std::move(before));
        ended.push_back(end);
        return end;
    }

    /** The same up to the sums, of which AddUpdateOfShards makes weights. @return when they are there */
    Indices AddSums(std::uint32_t chunk, Indices ready)
    {
        m_pauses = true;
        auto end = AddExchange(chunk, std::move(ready), true);
        m_pauses = false;
        Append(m_summed, end);
        return end;
    }

    /** Updates the shards of all sums so far together; then their exchanges go on, one after the other. */
    void AddUpdateOfShards()
    {
        const auto updated = AddCompute(
            "## optimizer ##", std::exchange(m_updatePs, 0), std::exchange(m_summed, {}));
        const auto rests = std::exchange(m_rests, {});
        for (auto rest = rests.begin(); rest != rests.end();)
        {
            const auto* const chunk = rest->chunk;
            auto& ended = EndedBefore(*chunk);
            const auto before = StartOf(updated, ended);
            Indices ends;
            for (; rest != rests.end() && rest->chunk == chunk; ++rest)
            {
                Append(ends,
                       m_collectives ? AddGather(*chunk, before)
                                     : AddSteps(*chunk, *rest->channel, rest->step, before));
            }
            ended.push_back(ends);
        }
    }

    std::vector<ExportedOperation> Take()
    {
        return std::move(m_operations);
    }

  private:
    /** What is left of a channel of an exchange, or of one as a collective, when its shard is updated. */
    struct Rest
    {
        const JobChunk* chunk{nullptr};
        const StepPlan* channel{nullptr};
        std::uint32_t step{0};
    };

    std::size_t Add(ExportedOperation operation)
    {
        m_operations.push_back(std::move(operation));
        return m_operations.size() - 1;
    }

    /** The ends of exchanges that follow each other with that of @p chunk, in their order. */
    std::vector<Indices>& EndedBefore(const JobChunk& chunk)
    {
        return m_ended[m_job.gathersApart && chunk.purpose != ExchangePurpose::GRADIENTS];
    }

    Indices StartOf(Indices ready, const std::vector<Indices>& ended) const
    {
        if (ended.size() >= m_job.concurrent)
        {
            Append(ready, ended[ended.size() - m_job.concurrent]);
        }
        std::sort(ready.begin(), ready.end());
        ready.erase(std::unique(ready.begin(), ready.end()), ready.end());
        return ready;
    }

    /** What coding makes of a chunk goes round by round: at once, or one after the other. */
    Indices AddRounds(const JobChunk& chunk, Indices before)
    {
        const bool codes = chunk.coding != nullptr && m_rank < m_job.workers;
        const bool atOnce = chunk.coding != nullptr && chunk.coding->Overlaps();
        Indices ends;
        const auto summing = chunk.coding ? chunk.CodedRounds() : chunk.rounds.size();
        for (std::size_t round = 0; round < summing; ++round)
        {
            if (codes)
            {
                before =
                    AddCompute("encode", chunk.coding->EncodePs(round), std::move(before), true);
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
    Indices AddDecoded(const JobChunk& chunk, Indices before)
    {
        before = AddCompute("decode", chunk.coding->DecodePs(), std::move(before), true);
        if (const auto* shards = chunk.coding->ShardsOfValues(); shards != nullptr && m_updates)
        {
            before = AddUpdate(chunk, {0, TotalCount((*shards)[m_rank])}, std::move(before));
        }
        return chunk.rounds.back().weights ? AddSteps(chunk, chunk.rounds.back(), before) : before;
    }

    /** Of all channels; a stage's after those of the stage before. @return their end */
    Indices AddSteps(const JobChunk& chunk, const JobRound& round, const Indices& before)
    {
        if (round.plan->Elements() == 0)
        {
            return before;
        }
        std::vector<Indices> ends; // by stage
        Indices all;
        for (std::uint32_t channel = 0; channel < round.plan->ChannelCount(); ++channel)
        {
            const auto stage = round.plan->StageOf(channel);
            ends.resize(stage + 1);
            Indices awaited;
            for (const auto earlier : round.plan->AwaitedBy(stage))
            {
                Append(awaited, ends[earlier]);
            }
            const auto ended = AddSteps(
                chunk, round.plan->Channel(channel), 0, awaited.empty() ? before : awaited);
            Append(ends[stage], ended);
            Append(all, ended);
        }
        return all;
    }

    /** Of one channel, from @p step on. @return the end of them, or of those before an update that all exchanges share */
    Indices AddSteps(const JobChunk& chunk,
                     const StepPlan& channel,
                     std::uint32_t step,
                     Indices before)
    {
        for (; step < channel.StepCount(m_rank); ++step)
        {
            const auto one = channel.At(m_rank, step);
            if (m_pauses && !one.sends.empty() && one.sends.front().kind == PayloadKind::WEIGHT)
            {
                m_rests.push_back({&chunk, &channel, step});
                break;
            }
            before = AddStep(chunk, one, std::move(before));
        }
        return before;
    }

    Indices AddStep(const JobChunk& chunk, const Step& step, Indices before)
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
            const bool isFree = m_job.AreInOneNode(m_rank, transfer.peer);
            added += transfer.combine == Combine::ADD && !isFree ? transfer.range.count : 0;
        }
        const auto sumPs = WorkPs(added * m_job.bytesPerElement * m_job.sumSharers,
                                  m_scenario.host.sumBytesPerSecond);
        if (added > 0 && sumPs > 0)
        {
            done = AddCompute("sum", sumPs, std::move(done), true);
        }
        if (step.update && m_updates && !chunk.coding && !step.receives.empty())
        {
            done = AddUpdate(chunk, step.receives.front().range, std::move(done));
        }
        return done;
    }

    /** @param usual rate of a host, where groups do not say their own (bytes per second) */
    std::int64_t CodingPs(const Transfer& transfer,
                          std::uint64_t CodingRates::*rate,
                          std::uint64_t usual) const
    {
        const auto& own = m_job.coding.Of(transfer).rates;
        const auto bytes = transfer.range.count * m_job.bytesPerElement;
        return own ? WorkPs(bytes, *own.*rate) : WorkPs(bytes * m_job.codecSharers, usual);
    }

    /** @return what has left */
    Indices AddSends(const JobChunk& chunk, const Step& step, const Indices& before)
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
            const auto encodePs =
                CodingPs(transfer, &CodingRates::encode, m_scenario.codec.encodeBytesPerSecond);
            if (m_job.coding.HostCodecOf(transfer) != nullptr && !RepeatsSend(step, i) &&
                encodePs > 0)
            {
                needs = AddCompute("encode", encodePs, needs, true); // one after the other
            }
            if (IsToSelf(m_rank, transfer))
            {
                m_kept = needs;
                continue;
            }
            done.push_back(AddTransfer(Kind::SEND, chunk, transfer, needs));
        }
        return done;
    }

    /** @return what is there, decoded */
    Indices AddReceives(const JobChunk& chunk, const Step& step, const Indices& before)
    {
        Indices done;
        for (const auto& transfer : step.receives)
        {
            if (transfer.range.count == 0)
            {
                continue;
            }
            auto here = IsToSelf(m_rank, transfer)
                            ? m_kept
                            : Indices{AddTransfer(Kind::RECEIVE, chunk, transfer, before)};
            const auto decodePs =
                CodingPs(transfer, &CodingRates::decode, m_scenario.codec.decodeBytesPerSecond);
            if (m_job.coding.HostCodecOf(transfer) != nullptr && decodePs > 0)
            {
                here = AddCompute("decode", decodePs, std::move(here), true);
            }
            Append(done, here);
        }
        return done;
    }

    std::size_t AddTransfer(Kind kind,
                            const JobChunk& chunk,
                            const Transfer& transfer,
                            Indices needs)
    {
        auto& tags = kind == Kind::SEND ? m_sent : m_received;
        ExportedOperation operation;
        operation.kind = kind;
        operation.name = fmt::format("{} {}", kind == Kind::SEND ? "to" : "from", transfer.peer);
        operation.bytes =
            BytesOf(chunk, kind == Kind::SEND ? transfer : transfer.SeenByPeer(m_rank));
        operation.peer = transfer.peer;
        operation.tag = tags[transfer.peer]++;
        operation.needs = std::move(needs);
        return Add(std::move(operation));
    }

    Indices AddUpdate(const JobChunk& chunk, ElementRange range, Indices before)
    {
        const auto ps = m_rank < m_job.workers ? m_job.ShardUpdatePs(m_rank, 0, chunk, range)
                                               : m_job.AggregatorUpdatePs(chunk, range);
        if (m_pauses)
        {
            m_updatePs += ps;
            return before;
        }
        return AddCompute("## optimizer ##", ps, std::move(before));
    }

    Indices AddCollectives(const JobChunk& chunk, Indices before)
    {
        if (m_rank >= m_job.workers)
        {
            return {};
        }
        const bool isSharded = m_job.UpdatesShards();
        if (chunk.purpose != ExchangePurpose::GRADIENTS)
        {
            return AddGather(chunk, std::move(before));
        }
        // Of the two rounds of a sketch, the last has the sums of gradients.
        auto left = static_cast<std::size_t>(
            std::count_if(chunk.rounds.begin(), chunk.rounds.end(), [](const JobRound& round) {
                return !round.weights;
            }));
        for (const auto& round : chunk.rounds)
        {
            if (round.weights)
            {
                continue;
            }
            const auto plain = --left == 0 ? chunk.ValueCount() : 0;
            before = AddCollective(isSharded ? Kind::REDUCE_SCATTER : Kind::ALL_REDUCE,
                                   BytesOf(chunk, {0, {0, round.plan->Elements()}}),
                                   plain * m_job.BytesPerElement(PayloadKind::GRADIENT),
                                   std::move(before));
        }
        if (!isSharded)
        {
            return before;
        }
        const auto shard = BlockOf(chunk.ValueCount(), m_job.workers, 0);
        before = m_updates ? AddUpdate(chunk, shard, std::move(before)) : before;
        if (m_job.GathersWeights())
        {
            return before;
        }
        if (m_pauses)
        {
            m_rests.push_back({&chunk, nullptr, 0});
            return before;
        }
        return AddGather(chunk, std::move(before));
    }

    Indices AddGather(const JobChunk& chunk, Indices before)
    {
        const auto shard = BlockOf(chunk.ValueCount(), m_job.workers, 0);
        return AddCollective(Kind::ALL_GATHER,
                             BytesOf(chunk, {0, shard, PayloadKind::WEIGHT}),
                             0,
                             std::move(before));
    }

    Indices AddCollective(Kind kind, std::uint64_t bytes, std::uint64_t plainBytes, Indices before)
    {
        ExportedOperation operation;
        operation.kind = kind;
        operation.name =
            fmt::format("{} {}", KindName(kind), m_ended[0].size() + m_ended[1].size() + 1);
        operation.bytes = bytes;
        operation.plainBytes = plainBytes;
        operation.needs = std::move(before);
        return {Add(std::move(operation))};
    }

    /** As they travel; at least one. */
    std::uint64_t BytesOf(const JobChunk& chunk, const Transfer& transfer) const
    {
        if (m_job.coding.PlaceOf(transfer) == CodingPlace::NONE)
        {
            return transfer.range.count *
                   m_job.BytesPerElement(transfer.kind, transfer.crossesGroups);
        }
        return std::max<std::uint64_t>(1, m_job.coding.StreamBytes(chunk.range, transfer));
    }

    const Scenario& m_scenario;
    const TrainingJob& m_job;
    Rank m_rank;
    bool m_collectives;
    bool m_updates{true};       ///< in the exchange under way
    bool m_pauses{false};       ///< the exchange under way stops before weights are handed on
    Indices m_summed;           ///< the ends of those
    std::vector<Rest> m_rests;  ///< what they do afterwards, in their order
    std::int64_t m_updatePs{0}; ///< of their shards
    std::vector<ExportedOperation> m_operations;
    std::array<std::vector<Indices>, 2>
        m_ended;    ///< the second: of gathers that go on beside others
    Indices m_kept; ///< after them, what the step under way sends to its own rank is there
    std::map<Rank, std::uint32_t> m_sent;
    std::map<Rank, std::uint32_t> m_received;
};

class RankExporter
{
  public:
    RankExporter(const Resolved& resolved, const TrainingJob& job, Rank rank, bool collectives)
        : m_job(job),
          m_rank(rank),
          m_operations(resolved, job, rank, collectives)
    {
    }

    std::vector<ExportedOperation> Export()
    {
        m_job.GathersWeights() ? ExportBatches() : ExportIteration();
        return m_operations.Take();
    }

  private:
    void ExportIteration()
    {
        const bool isWorker = m_rank < m_job.workers;
        auto ready = isWorker ? Backward() : std::vector<Indices>(m_job.buckets.size());
        std::vector<Indices> chunkEnds(m_job.chunks.size());
        for (std::size_t bucket = 0; bucket < m_job.buckets.size(); ++bucket)
        {
            for (const auto chunk : m_job.buckets[bucket].chunks)
            {
                chunkEnds[chunk] = UpdatesShardsAtEnd()
                                       ? m_operations.AddSums(chunk, ready[bucket])
                                       : m_operations.AddExchange(chunk, ready[bucket], true);
            }
        }
        if (UpdatesShardsAtEnd())
        {
            m_operations.AddUpdateOfShards();
        }
        else if (isWorker && !m_job.weightsReturn)
        {
            m_job.updatesAtEnd ? UpdateAll(chunkEnds) : Updates(chunkEnds);
        }
    }

    bool UpdatesShardsAtEnd() const
    {
        return m_rank < m_job.workers && m_job.UpdatesShardsAtEnd();
    }

    void UpdateAll(const std::vector<Indices>& chunkEnds)
    {
        Indices needs;
        for (const auto& ends : chunkEnds)
        {
            Append(needs, ends);
        }
        const auto layers = static_cast<std::uint32_t>(m_job.layers.size());
        m_operations.AddCompute(
            "## optimizer ##", LayersPs(ComputePhase::UPDATE, 0, layers, 0), std::move(needs));
    }

    // -- weights are gathered before they are used

    void ExportBatches()
    {
        Indices before;
        for (std::uint32_t batch = 0; batch < m_job.exchangedBatches; ++batch)
        {
            before = ForwardUnits(batch, std::move(before));
            before = BackwardUnits(batch, std::move(before));
        }
        if (UpdatesShardsAtEnd())
        {
            m_operations.AddUpdateOfShards();
        }
    }

    /** @return the end of all */
    Indices Exchanges(const std::vector<std::uint32_t>& chunks, const Indices& ready, bool updates)
    {
        Indices ends;
        for (const auto chunk : chunks)
        {
            Append(ends,
                   updates && UpdatesShardsAtEnd()
                       ? m_operations.AddSums(chunk, ready)
                       : m_operations.AddExchange(chunk, ready, updates));
        }
        return ends;
    }

    /** Units from the input side on: the next one's weights are asked for when a pass begins, or has ended. */
    Indices ForwardUnits(std::uint32_t batch, Indices before)
    {
        const auto layers = static_cast<std::uint32_t>(m_job.layers.size());
        auto asked = before;
        std::uint32_t first = 0;
        for (auto unit = m_job.buckets.size(); unit-- > 0;)
        {
            const auto end = unit == 0 ? layers : m_job.buckets[unit - 1].firstLayer;
            auto needs = before;
            Append(needs,
                   Exchanges(
                       m_job.buckets[unit].forwardGathers, m_job.overlap ? asked : before, false));
            asked = needs;
            before = m_operations.AddCompute(
                fmt::format("## forward ## unit {}", m_job.buckets.size() - unit),
                LayersPs(ComputePhase::FORWARD, first, end, batch),
                std::move(needs));
            first = end;
        }
        return before;
    }

    Indices BackwardUnits(std::uint32_t batch, Indices before)
    {
        const bool updates = batch + 1 == m_job.exchangedBatches;
        auto end = static_cast<std::uint32_t>(m_job.layers.size());
        Indices weights;
        for (std::size_t unit = 0; unit < m_job.buckets.size(); ++unit)
        {
            const bool hasNext = unit + 1 < m_job.buckets.size();
            const auto first = hasNext ? m_job.buckets[unit].firstLayer : 0U;
            auto needs = before;
            Append(needs, weights);
            if (hasNext && m_job.overlap)
            {
                weights = Exchanges(m_job.buckets[unit + 1].backwardGathers, needs, false);
            }
            before = m_operations.AddCompute(
                fmt::format("## backward ## unit {}", m_job.buckets.size() - unit),
                LayersPs(ComputePhase::BACKWARD, first, end, batch),
                std::move(needs));
            const auto summed = Exchanges(m_job.buckets[unit].chunks, before, updates);
            if (!m_job.overlap)
            {
                before = summed;
            }
            if (hasNext && !m_job.overlap)
            {
                weights = Exchanges(m_job.buckets[unit + 1].backwardGathers, before, false);
            }
            end = first;
        }
        return before;
    }

    // -- weights are there

    std::int64_t ComputePs(ComputePhase phase, std::uint32_t layer, std::uint32_t microBatch) const
    {
        return m_job.computePs({m_rank, 0, microBatch, layer, phase});
    }

    /** Of layers @p first up to before @p end. */
    std::int64_t LayersPs(ComputePhase phase,
                          std::uint32_t first,
                          std::uint32_t end,
                          std::uint32_t microBatch) const
    {
        std::int64_t sum = 0;
        for (auto layer = first; layer < end; ++layer)
        {
            sum += ComputePs(phase, layer, microBatch);
        }
        return sum;
    }

    /** Forward and backward passes. @return what each bucket waits for */
    std::vector<Indices> Backward()
    {
        const auto layers = static_cast<std::uint32_t>(m_job.layers.size());
        const auto last = m_job.accumulation - 1;
        Indices before;
        for (std::uint32_t i = 0; i < last; ++i)
        {
            before = m_operations.AddCompute(fmt::format("micro-batch {}", i + 1),
                                             LayersPs(ComputePhase::FORWARD, 0, layers, i) +
                                                 LayersPs(ComputePhase::BACKWARD, 0, layers, i),
                                             before);
        }
        before = m_operations.AddCompute(
            "## forward ##", LayersPs(ComputePhase::FORWARD, 0, layers, last), before);
        std::vector<Indices> ready;
        auto end = layers;
        for (std::size_t bucket = 0; bucket < m_job.buckets.size(); ++bucket)
        {
            const bool isLast = bucket + 1 == m_job.buckets.size();
            const auto first = isLast ? 0U : std::min(end, m_job.buckets[bucket].firstLayer);
            before = m_operations.AddCompute(fmt::format("## backward ## bucket {}", bucket + 1),
                                             LayersPs(ComputePhase::BACKWARD, first, end, last),
                                             before);
            end = first;
            ready.push_back(before);
        }
        if (!m_job.overlap)
        {
            ready.assign(ready.size(), before);
        }
        return ready;
    }

    /** Whether the bucket has a part of a layer that the one before it has a part of, too. */
    bool SharesLayer(std::size_t bucket) const
    {
        return bucket > 0 &&
               m_job.buckets[bucket - 1].firstLayer == m_job.buckets[bucket].lastLayer;
    }

    /** Those of the layers that a bucket completes together, when all that any of them has come. */
    void Updates(const std::vector<Indices>& chunkEnds)
    {
        auto end = static_cast<std::uint32_t>(m_job.layers.size());
        Indices needs;
        for (std::size_t bucket = 0; bucket < m_job.buckets.size(); ++bucket)
        {
            const bool isLast = bucket + 1 == m_job.buckets.size();
            const auto lowest = m_job.buckets[bucket].firstLayer;
            const bool goesOn = !isLast && SharesLayer(bucket + 1);
            const auto first = isLast ? 0U : std::min(end, lowest + (goesOn ? 1U : 0U));
            needs = SharesLayer(bucket) ? needs : Indices();
            for (const auto chunk : m_job.buckets[bucket].chunks)
            {
                needs.insert(needs.end(), chunkEnds[chunk].begin(), chunkEnds[chunk].end());
            }
            if (first < end)
            {
                m_operations.AddCompute(fmt::format("## optimizer ## bucket {}", bucket + 1),
                                        LayersPs(ComputePhase::UPDATE, first, end, 0),
                                        needs);
            }
            end = first;
        }
    }

    const TrainingJob& m_job;
    Rank m_rank;
    ExchangeOperations m_operations;
};

void
RequireHosts(const Resolved& resolved, const StepPlan& plan, Rank rank)
{
    if (const auto sum = FirstReduction(plan, rank))
    {
        const auto key = AddingKey(resolved.scenario, sum->addsInNodes);
        throw InputError(key + ": '" + resolved.sums[sum->addsInNodes].adding->name +
                         "' adds in the network, which these formats cannot say; an "
                         "exchange of hosts can be exported" +
                         (plan.Means() == Meaning::SUM
                              ? ", and --collectives writes each as one all-reduce"
                              : ""));
    }
}

std::uint64_t
LeastBytes(const Resolved& resolved, const JobChunk& chunk, Rank rank, bool collectives)
{
    if (collectives)
    {
        return LEAST_BYTES_PER_STEP;
    }
    std::uint64_t steps = 0;
    for (const auto& round : chunk.rounds)
    {
        steps += round.plan->Elements() > 0 ? round.plan->StepCount(rank) : 0;
        RequireHosts(resolved, *round.plan, rank);
    }
    return steps * LEAST_BYTES_PER_STEP;
}

} // namespace

void
RequireExportable(const Resolved& resolved,
                  const TrainingJob& job,
                  bool collectives,
                  std::uint64_t mostBytes)
{
    if (job.HasValues() && HasCodec(resolved.scenario))
    {
        throw InputError(
            "training.values: an export has coded sizes by the trace's statistics, and not by "
            "values; --set training.values=false");
    }
    if (resolved.training->isExtension)
    {
        throw InputError("training.program: an export knows INCA's own trainings, and not '" +
                         resolved.training->name + "'; --set training.program=data-parallel");
    }
    if (!job.earlyChunks.empty())
    {
        throw InputError("training.replica_sums: an export has the same exchanges in all "
                         "micro-batches; --set training.replica_sums=micro-batch");
    }
    if (collectives &&
        (ShardGroup(resolved.scenario) > 0 || CollectiveOf(resolved.scenario) != Meaning::SUM))
    {
        throw InputError("--collectives: they are all-reduces and their halves of all workers, and "
                         "this scenario has others; without it, their messages are written");
    }
    std::uint64_t bytes = 0;
    for (Rank rank = 0; rank < (collectives ? job.workers : job.RankCount()); ++rank)
    {
        for (const auto& chunk : job.chunks)
        {
            bytes += LeastBytes(resolved, chunk, rank, collectives) * job.exchangedBatches;
            if (bytes > mostBytes)
            {
                throw InputError(TooLargeToExport(mostBytes));
            }
        }
    }
}

std::string
TooLargeToExport(std::uint64_t mostBytes)
{
    return fmt::format("an export of more than {} (--max-size); fewer workers, and larger buckets "
                       "or chunks, have fewer operations; a larger --max-size lets it be written",
                       g_byteCount.Format(mostBytes));
}

std::vector<ExportedOperation>
ExportRank(const Resolved& resolved, const TrainingJob& job, Rank rank, bool collectives)
{
    return RankExporter(resolved, job, rank, collectives).Export();
}

} // namespace inca
