/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "export/exported-rank.h"

#include "base/errors.h"
#include "base/units.h"
#include "export/exchange-operations.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace inca
{

namespace
{

/** "l9: recv 8b from 0 tag 0", and what it requires; most steps have more than one. */
constexpr std::uint64_t LEAST_BYTES_PER_STEP = 40;

void
Append(Indices& all, const Indices& more)
{
    all.insert(all.end(), more.begin(), more.end());
}

class RankExporter
{
  public:
    RankExporter(const Scenario& scenario, const TrainingJob& job, Rank rank, bool collectives)
        : m_job(job),
          m_rank(rank),
          m_operations(scenario, job, rank, collectives)
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
                chunkEnds[chunk] = m_operations.AddExchange(chunk, ready[bucket], true);
            }
        }
        if (isWorker && !m_job.weightsReturn)
        {
            Updates(chunkEnds);
        }
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
    }

    /** @return the end of all */
    Indices Exchanges(const std::vector<std::uint32_t>& chunks, const Indices& ready, bool updates)
    {
        Indices ends;
        for (const auto chunk : chunks)
        {
            Append(ends, m_operations.AddExchange(chunk, ready, updates));
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

} // namespace

namespace
{

void
RequireHosts(const Scenario& scenario, const StepPlan& plan, Rank rank)
{
    if (plan.StepCount(rank) > 0 && plan.At(rank, 0).networkSum)
    {
        throw InputError("exchange.algorithm: '" + scenario.exchange.algorithm +
                         "' adds in the network, which these formats cannot say; an "
                         "exchange of hosts can be exported, and --collectives writes each "
                         "as one all-reduce");
    }
}

std::uint64_t
LeastBytes(const Scenario& scenario, const JobChunk& chunk, Rank rank, bool collectives)
{
    if (collectives)
    {
        return LEAST_BYTES_PER_STEP;
    }
    std::uint64_t steps = 0;
    for (const auto& round : chunk.rounds)
    {
        steps += round.plan->Elements() > 0 ? round.plan->StepCount(rank) : 0;
        RequireHosts(scenario, *round.plan, rank);
    }
    return steps * LEAST_BYTES_PER_STEP;
}

} // namespace

void
RequireExportable(const Scenario& scenario,
                  const TrainingJob& job,
                  bool collectives,
                  std::uint64_t mostBytes)
{
    if (scenario.training.values && scenario.codec.name != "none")
    {
        throw InputError(
            "training.values: an export has coded sizes by the trace's statistics, and not by "
            "values; --set training.values=false");
    }
    std::uint64_t bytes = 0;
    for (Rank rank = 0; rank < (collectives ? job.workers : job.RankCount()); ++rank)
    {
        for (const auto& chunk : job.chunks)
        {
            bytes += LeastBytes(scenario, chunk, rank, collectives) * job.exchangedBatches;
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
                       FormatBytes(mostBytes));
}

std::vector<ExportedOperation>
ExportRank(const Scenario& scenario, const TrainingJob& job, Rank rank, bool collectives)
{
    return RankExporter(scenario, job, rank, collectives).Export();
}

} // namespace inca
