/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "export/exported-rank.h"

#include "base/errors.h"
#include "base/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace inca
{

namespace
{

using Kind = ExportedOperation::Kind;

constexpr std::uint64_t MOST_OPERATIONS = 20'000'000;
constexpr std::size_t MOST_NEEDS = 4; ///< of several operations, before they get one in common

using Indices = std::vector<std::size_t>;

class RankExporter
{
  public:
    RankExporter(const Scenario& scenario, const TrainingJob& job, Rank rank, bool collectives)
        : m_scenario(scenario),
          m_job(job),
          m_rank(rank),
          m_collectives(collectives)
    {
    }

    std::vector<ExportedOperation> Export()
    {
        const bool isWorker = m_rank < m_job.workers;
        auto ready = isWorker ? Backward() : std::vector<Indices>(m_job.buckets.size());
        std::vector<Indices> chunkEnds(m_job.chunks.size());
        for (std::size_t bucket = 0; bucket < m_job.buckets.size(); ++bucket)
        {
            for (const auto chunk : m_job.buckets[bucket].chunks)
            {
                chunkEnds[chunk] = Exchange(chunk, StartOf(ready[bucket]));
                m_ended.push_back(chunkEnds[chunk]);
            }
        }
        if (isWorker && !m_job.weightsReturn)
        {
            Updates(chunkEnds);
        }
        return std::move(m_operations);
    }

  private:
    std::size_t Add(ExportedOperation operation)
    {
        m_operations.push_back(std::move(operation));
        return m_operations.size() - 1;
    }

    std::size_t AddCompute(std::string name, std::int64_t ps, Indices needs)
    {
        ExportedOperation operation;
        operation.name = std::move(name);
        operation.ps = ps;
        operation.needs = std::move(needs);
        return Add(std::move(operation));
    }

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
            before = {AddCompute(fmt::format("micro-batch {}", i + 1),
                                 LayersPs(ComputePhase::FORWARD, 0, layers, i) +
                                     LayersPs(ComputePhase::BACKWARD, 0, layers, i),
                                 before)};
        }
        before = {
            AddCompute("## forward ##", LayersPs(ComputePhase::FORWARD, 0, layers, last), before)};
        std::vector<Indices> ready;
        auto end = layers;
        for (std::size_t bucket = 0; bucket < m_job.buckets.size(); ++bucket)
        {
            const bool isLast = bucket + 1 == m_job.buckets.size();
            const auto first = isLast ? 0U : std::min(end, m_job.buckets[bucket].firstLayer);
            before = {AddCompute(fmt::format("## backward ## bucket {}", bucket + 1),
                                 LayersPs(ComputePhase::BACKWARD, first, end, last),
                                 before)};
            end = first;
            ready.push_back(before);
        }
        if (!m_job.overlap)
        {
            ready.assign(ready.size(), before);
        }
        return ready;
    }

    Indices StartOf(Indices ready) const
    {
        if (m_ended.size() >= m_job.concurrent)
        {
            const auto& before = m_ended[m_ended.size() - m_job.concurrent];
            ready.insert(ready.end(), before.begin(), before.end());
        }
        return ready;
    }

    /** All steps of a chunk. @return what its end is */
    Indices Exchange(std::uint32_t index, Indices before)
    {
        const auto& chunk = m_job.chunks[index];
        if (m_collectives)
        {
            if (m_rank >= m_job.workers)
            {
                return {};
            }
            ExportedOperation operation;
            operation.kind = Kind::ALL_REDUCE;
            operation.name = fmt::format("all-reduce {}", index + 1);
            operation.bytes = chunk.range.count * m_job.bytesPerElement;
            operation.needs = std::move(before);
            return {Add(std::move(operation))};
        }
        for (const auto& round : chunk.rounds)
        {
            Indices ends;
            for (const auto* strand : StrandsOf(*round.plan, false))
            {
                const auto end = TakeStrand(chunk, *strand, before);
                ends.insert(ends.end(), end.begin(), end.end());
            }
            before = std::move(ends);
        }
        return before;
    }

    /** What a rank does one after the other. @return its end */
    Indices TakeStrand(const JobChunk& chunk, const StepPlan& strand, Indices before)
    {
        for (std::uint32_t step = 0; step < strand.StepCount(m_rank); ++step)
        {
            before = TakeStep(chunk, strand.At(m_rank, step), std::move(before));
        }
        return before;
    }

    Indices TakeStep(const JobChunk& chunk, const Step& step, Indices before)
    {
        const auto transfers = step.sends.size() + step.receives.size();
        if (before.size() > MOST_NEEDS && transfers > 1)
        {
            before = {AddCompute("step", 0, std::move(before))};
        }
        Indices done;
        for (const auto& transfer : step.sends)
        {
            AddTransfer(Kind::SEND, transfer, before, done);
        }
        std::uint64_t added = 0;
        for (const auto& transfer : step.receives)
        {
            AddTransfer(Kind::RECEIVE, transfer, before, done);
            added += transfer.combine == Combine::ADD ? transfer.range.count : 0;
        }
        done = done.empty() ? before : done;
        if (const auto ps =
                WorkPs(added * m_job.bytesPerElement, m_scenario.host.sumBytesPerSecond);
            added > 0 && ps > 0)
        {
            done = {AddCompute("sum", ps, std::move(done))};
        }
        if (step.update && !step.receives.empty())
        {
            const auto& range = step.receives.front().range;
            const auto ps = m_rank < m_job.workers ? m_job.ShardUpdatePs(m_rank, 0, chunk, range)
                                                   : m_job.AggregatorUpdatePs(chunk, range);
            done = {AddCompute("## optimizer ##", ps, std::move(done))};
        }
        return done;
    }

    void AddTransfer(Kind kind, const Transfer& transfer, const Indices& needs, Indices& done)
    {
        if (transfer.range.count == 0)
        {
            return;
        }
        auto& tags = kind == Kind::SEND ? m_sent : m_received;
        ExportedOperation operation;
        operation.kind = kind;
        operation.name = fmt::format("{} {}", kind == Kind::SEND ? "to" : "from", transfer.peer);
        operation.bytes = transfer.range.count * m_job.BytesPerElement(transfer.leg);
        operation.peer = transfer.peer;
        operation.tag = tags[transfer.peer]++;
        operation.needs = needs;
        done.push_back(Add(std::move(operation)));
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
                AddCompute(fmt::format("## optimizer ## bucket {}", bucket + 1),
                           LayersPs(ComputePhase::UPDATE, first, end, 0),
                           needs);
            }
            end = first;
        }
    }

    const Scenario& m_scenario;
    const TrainingJob& m_job;
    Rank m_rank;
    bool m_collectives;
    std::vector<ExportedOperation> m_operations;
    std::vector<Indices> m_ended; ///< the ends of exchanges, in their order
    std::map<Rank, std::uint32_t> m_sent;
    std::map<Rank, std::uint32_t> m_received;
};

} // namespace

void
RequireExportable(const Scenario& scenario, const TrainingJob& job, bool collectives)
{
    if (scenario.codec.name != "none")
    {
        throw InputError("codec.name: an export has plain bytes; --set codec.name=none writes the "
                         "exchange without its codec");
    }
    std::uint64_t operations = 0;
    for (Rank rank = 0; rank < job.RankCount() && !collectives; ++rank)
    {
        for (const auto& chunk : job.chunks)
        {
            const auto& plan = *chunk.rounds.front().plan;
            const auto steps = plan.StepCount(rank);
            operations += 3ULL * steps;
            if (steps > 0 && plan.At(rank, 0).networkSum)
            {
                throw InputError("exchange.algorithm: '" + scenario.exchange.algorithm +
                                 "' adds in the network, which these formats cannot say; an "
                                 "exchange of hosts can be exported, and --collectives writes each "
                                 "as one all-reduce");
            }
        }
    }
    if (operations > MOST_OPERATIONS)
    {
        throw InputError(fmt::format("an export of more than {} million operations; fewer workers "
                                     "or larger buckets have fewer",
                                     MOST_OPERATIONS / 1'000'000));
    }
}

std::vector<ExportedOperation>
ExportRank(const Scenario& scenario, const TrainingJob& job, Rank rank, bool collectives)
{
    return RankExporter(scenario, job, rank, collectives).Export();
}

} // namespace inca
