/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/data-parallel.h"

#include "job/training-job.h"

#include <algorithm>
#include <utility>

namespace inca
{

namespace
{

/** Joins what several tasks wait for. */
TaskWaits
operator+(TaskWaits waits, const TaskWaits& more)
{
    waits.insert(waits.end(), more.begin(), more.end());
    return waits;
}

/** Builds the piece of one micro-batch, in the order in which a worker does it. */
class MicroBatch
{
  public:
    /** @param isFirst of its iteration @param isLast of its iteration */
    MicroBatch(const TrainingJob& job, bool isFirst, bool isLast)
        : m_job(job),
          m_layers(static_cast<std::uint32_t>(job.layers.size())),
          m_isLast(isLast),
          m_handsOut(isLast || job.exchangedBatches > 1),
          m_takesTurns(job.GathersWeights() && !job.overlap),
          m_bucketOf(m_layers, 0),
          m_gathered(job.chunks.size()),
          m_exchanged(job.chunks.size())
    {
        for (std::uint32_t bucket = 0; bucket < job.buckets.size(); ++bucket)
        {
            const auto& layers = job.buckets[bucket];
            std::fill(m_bucketOf.begin() + layers.firstLayer,
                      m_bucketOf.begin() + layers.lastLayer + 1,
                      bucket);
        }
        AddForward();
        AddBackward();
        if (isLast)
        {
            AddUpdates();
        }
        if (!isFirst)
        {
            m_forward.clear();
        }
    }

    /** Its forward passes, if it is the first of its iteration, wait for what @p before, the last one before it, updates. */
    void AwaitUpdatesOf(const MicroBatch& before)
    {
        for (std::uint32_t layer = 0; layer < m_forward.size(); ++layer)
        {
            // Where all passes wait for all updates, the first one does so for those that follow it.
            const auto awaited = layer == 0 ? before.m_end : before.m_updated[layer];
            m_graph->Await(m_forward[layer], {awaited, TaskEvent::END, 1});
        }
    }

    std::shared_ptr<const TaskGraph> Made() const
    {
        return m_graph;
    }

  private:
    void AddForward()
    {
        const auto& buckets = m_job.buckets;
        if (m_job.overlap)
        {
            Gather(buckets.back().forwardGathers, {});
        }
        for (std::uint32_t layer = 0; layer < m_layers; ++layer)
        {
            const auto bucket = m_bucketOf[layer];
            const bool entersBucket = layer == 0 || m_bucketOf[layer - 1] != bucket;
            const auto& gathers = buckets[bucket].forwardGathers;
            m_pass = {m_graph->Forward(
                layer, entersBucket ? WithWeights(gathers, m_pass, layer) : m_pass)};
            m_forward.push_back(m_pass.front().task);
            if (m_job.overlap && bucket > 0 && buckets[bucket].firstLayer == layer)
            {
                Gather(buckets[bucket - 1].forwardGathers, {{m_forward.back(), TaskEvent::BEGIN}});
            }
        }
    }

    void AddBackward()
    {
        const auto& buckets = m_job.buckets;
        std::uint32_t ready = 0; // buckets whose gradients are all there
        for (auto layer = m_layers; layer-- > 0;)
        {
            const auto bucket = m_bucketOf[layer];
            const bool entersBucket = layer + 1 == m_layers || m_bucketOf[layer + 1] != bucket;
            auto waits = m_pass;
            if (entersBucket)
            {
                if (m_takesTurns && bucket > 0)
                {
                    waits = waits + SumsOf(buckets[bucket - 1]);
                }
                waits = WithWeights(buckets[bucket].backwardGathers, waits, layer);
            }
            const auto pass = m_graph->Backward(layer, waits);
            m_pass = {pass};
            if (m_job.overlap && bucket + 1 < buckets.size() && buckets[bucket].lastLayer == layer)
            {
                Gather(buckets[bucket + 1].backwardGathers, {{pass, TaskEvent::BEGIN}});
            }
            for (; m_handsOut && ready < buckets.size() && buckets[ready].firstLayer == layer;
                 ++ready)
            {
                if (m_job.overlap || m_takesTurns)
                {
                    HandOut(buckets[ready]);
                }
            }
        }
        for (std::uint32_t bucket = 0; bucket < ready && !m_job.overlap && !m_takesTurns; ++bucket)
        {
            HandOut(buckets[bucket]);
        }
        m_graph->OpenNextAfter(m_pass.front().task);
    }

    /** What a pass waits for that needs what @p gathers bring. @param waits all else */
    TaskWaits WithWeights(const std::vector<std::uint32_t>& gathers,
                          const TaskWaits& waits,
                          std::uint32_t layer)
    {
        if (gathers.empty())
        {
            return waits;
        }
        m_graph->Point(waits, TaskMark::WEIGHTS_AWAITED, layer);
        Gather(gathers, waits);
        TaskWaits here;
        for (const auto chunk : gathers)
        {
            here.emplace_back(*m_gathered[chunk]);
        }
        return waits + TaskWaits{m_graph->Point(here, TaskMark::WEIGHTS_HERE, layer)};
    }

    /** Gathers weights, unless that was done in this micro-batch, and gives them to all of the worker's GPUs. */
    void Gather(const std::vector<std::uint32_t>& gathers, const TaskWaits& waits)
    {
        for (const auto chunk : gathers)
        {
            if (!m_gathered[chunk])
            {
                const auto exchange = m_graph->Exchange(chunk, Started(chunk, waits));
                const auto copy = m_graph->Copy(chunk, {exchange}, true);
                m_gathered[chunk] = WithinMachine(chunk, m_job.chunks[chunk].gatherPs, copy);
            }
        }
    }

    /** What an exchange waits for that waits for @p waits: these, or the start of its protocol after them. */
    TaskWaits Started(std::uint32_t chunk, const TaskWaits& waits)
    {
        const bool isEarly = !m_isLast && !m_job.earlyChunks.empty();
        const auto startPs = (isEarly ? m_job.earlyChunks : m_job.chunks)[chunk].startPs;
        return startPs == 0 ? waits
                            : TaskWaits{m_graph->Occupy(
                                  Resource::PROTOCOL, Activity::COPY, startPs, chunk, waits)};
    }

    /**
     * The gradients of a bucket are ready: when their cycle begins they are added up within the machine, sparsified,
     * copied, and exchanged.
     */
    void HandOut(const JobBucket& bucket)
    {
        const auto begun =
            m_job.cyclePs > 0 ? m_graph->Cycle(bucket.chunks.front(), m_pass) : m_pass.front().task;
        std::vector<TaskId> ready;
        for (const auto chunk : bucket.chunks)
        {
            const auto added = WithinMachine(chunk, m_job.chunks[chunk].reducePs, begun);
            ready.push_back(Started(chunk, {added}).front().task);
        }
        if (bucket.sparsifyPs > 0) // the largest values of a whole bucket stay
        {
            const auto first = bucket.chunks.front();
            const auto sparse = m_graph->Occupy(
                Resource::CODEC, Activity::CODEC, bucket.sparsifyPs, first, {ready.back()});
            ready.assign(ready.size(), sparse);
        }
        for (std::size_t i = 0; i < ready.size(); ++i)
        {
            const auto chunk = bucket.chunks[i];
            const auto exchange = m_graph->Exchange(chunk, {m_graph->Copy(chunk, {ready[i]})});
            m_exchanged[chunk] = WithinMachine(chunk, m_job.chunks[chunk].gatherPs, exchange);
        }
    }

    /** @return the work of @p durationPs within the machine, after @p before, which it is if there is none */
    TaskId WithinMachine(std::uint32_t chunk, std::int64_t durationPs, TaskId before)
    {
        return durationPs == 0
                   ? before
                   : m_graph->Occupy(
                         Resource::GPU_LINKS, Activity::COPY, durationPs, chunk, {before});
    }

    /** This worker's sums of a bucket are there; shards that are all updated together wait for that. */
    TaskWaits SumsOf(const JobBucket& bucket) const
    {
        TaskWaits waits;
        for (const auto chunk : bucket.chunks)
        {
            const auto summed = TaskWait(*m_graph->ExchangeOf(chunk), TaskEvent::SUMMED);
            waits.push_back(m_isLast && m_job.UpdatesShardsAtEnd() ? summed
                                                                   : TaskWait(m_exchanged[chunk]));
        }
        return waits;
    }

    void AddUpdates()
    {
        const auto updater = m_job.updatesOnHost ? Resource::PROCESSOR : Resource::GPU;
        auto sums = ExchangesOfLayers();
        if (m_job.updatesAtEnd && !m_job.weightsReturn)
        {
            TaskWaits all;
            for (const auto& waits : sums)
            {
                all = std::move(all) + waits;
            }
            sums.assign(m_layers, {m_graph->Point(all)});
        }
        TaskWaits updated;
        for (std::uint32_t layer = 0; layer < m_layers; ++layer)
        {
            m_updated.push_back(m_job.weightsReturn
                                    ? m_graph->Point(sums[layer], TaskMark::LAYER_UPDATED, layer)
                                    : m_graph->Update(layer, sums[layer], updater));
            updated.emplace_back(m_updated.back());
        }
        m_end = m_graph->Point(m_job.AwaitsAllUpdates() ? updated : TaskWaits{updated.front()},
                               TaskMark::ITERATION_END);
    }

    /** @return by layer: the ends of all exchanges that bring a part of it */
    std::vector<TaskWaits> ExchangesOfLayers() const
    {
        std::vector<TaskWaits> exchanges(m_layers);
        for (const auto& bucket : m_job.buckets)
        {
            for (const auto index : bucket.chunks)
            {
                const auto& chunk = m_job.chunks[index];
                for (auto layer = chunk.firstLayer; layer <= chunk.lastLayer; ++layer)
                {
                    exchanges[layer].emplace_back(m_exchanged[index]);
                }
            }
        }
        return exchanges;
    }

    const TrainingJob& m_job;
    std::uint32_t m_layers;
    bool m_isLast;
    bool m_handsOut;   ///< Gradients of this micro-batch are exchanged.
    bool m_takesTurns; ///< Passes wait for the exchanges of units, and those for passes.
    std::shared_ptr<TaskGraph> m_graph{std::make_shared<TaskGraph>()};
    std::vector<std::uint32_t> m_bucketOf;         ///< by layer: the last one that it lies in
    std::vector<std::optional<TaskId>> m_gathered; ///< by chunk of weights: when the GPUs have them
    std::vector<TaskId>
        m_exchanged;               ///< by chunk of gradients: when the GPUs have what came of them
    TaskWaits m_pass;              ///< the latest
    std::vector<TaskId> m_forward; ///< by layer
    std::vector<TaskId> m_updated; ///< by layer
    TaskId m_end{0};
};

class DataParallelProgram final : public RankProgram
{
  public:
    explicit DataParallelProgram(const TrainingJob& job)
        : m_iterations(job.iterations),
          m_microBatches(job.accumulation),
          m_exchangedBatches(job.exchangedBatches)
    {
        const bool isOne = m_microBatches == 1;
        MicroBatch last(job, isOne, true);
        if (isOne)
        {
            last.AwaitUpdatesOf(last);
            m_first = m_last = last.Made();
            return;
        }
        MicroBatch first(job, true, false);
        first.AwaitUpdatesOf(last);
        m_first = first.Made();
        m_middle = MicroBatch(job, false, false).Made();
        m_last = last.Made();
    }

    std::uint64_t PieceCount() const override
    {
        return std::uint64_t{m_iterations} * m_microBatches;
    }

    ProgramPiece At(std::uint64_t number) const override
    {
        const auto iteration = static_cast<std::uint32_t>(number / m_microBatches);
        const auto microBatch = static_cast<std::uint32_t>(number % m_microBatches);
        const auto& piece = microBatch + 1 == m_microBatches ? m_last
                            : microBatch == 0                ? m_first
                                                             : m_middle;
        return {piece,
                iteration,
                microBatch,
                iteration * m_exchangedBatches + microBatch % m_exchangedBatches};
    }

  private:
    std::uint32_t m_iterations;
    std::uint32_t m_microBatches;
    std::uint32_t m_exchangedBatches;
    std::shared_ptr<const TaskGraph> m_first; ///< of the micro-batches of an iteration
    std::shared_ptr<const TaskGraph> m_middle;
    std::shared_ptr<const TaskGraph> m_last;
};

} // namespace

std::shared_ptr<const RankProgram>
MakeDataParallelProgram(const TrainingJob& job)
{
    return std::make_shared<DataParallelProgram>(job);
}

} // namespace inca
