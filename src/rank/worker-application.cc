/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank/worker-application.h"

#include "base/units.h"

#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace inca
{

NS_LOG_COMPONENT_DEFINE("IncaWorker");

NS_OBJECT_ENSURE_REGISTERED(WorkerApplication);

ns3::TypeId
WorkerApplication::GetTypeId()
{
    static ns3::TypeId tid =
        ns3::TypeId("inca::WorkerApplication")
            .SetParent<RankApplication>()
            .SetGroupName("Inca")
            .AddConstructor<WorkerApplication>()
            .AddAttribute("CopyRate",
                          "Bytes of gradients per second between GPU and host memory, both ways "
                          "counted once; 0: at no cost.",
                          ns3::UintegerValue(0),
                          ns3::MakeUintegerAccessor(&WorkerApplication::m_copyRate),
                          ns3::MakeUintegerChecker<std::uint64_t>())
            .AddTraceSource("GradientReady",
                            "The last backward pass of a layer before its exchange has ended.",
                            ns3::MakeTraceSourceAccessor(&WorkerApplication::m_gradientReadyTrace),
                            "inca::WorkerApplication::LayerCallback")
            .AddTraceSource("BackwardEnd",
                            "The last backward pass of an iteration has ended.",
                            ns3::MakeTraceSourceAccessor(&WorkerApplication::m_backwardEndTrace),
                            "inca::WorkerApplication::LayerCallback")
            .AddTraceSource("LayerUpdated",
                            "A layer has its new weights.",
                            ns3::MakeTraceSourceAccessor(&WorkerApplication::m_layerUpdatedTrace),
                            "inca::WorkerApplication::LayerCallback");
    return tid;
}

WorkerApplication::WorkerApplication()
    : m_gpu(GetHost().timeline, GetHost().clock, GetHost().worked),
      m_local(GetHost().timeline, GetHost().clock, GetHost().worked),
      m_copy(GetHost().timeline, GetHost().clock, GetHost().worked)
{
}

bool
WorkerApplication::IsFinished() const
{
    return m_updatesDone == static_cast<std::uint64_t>(GetJob().iterations) * LayerCount();
}

std::int64_t
WorkerApplication::BusyUntilPs() const
{
    return std::max({m_gpu.BusyUntilPs(),
                     m_local.BusyUntilPs(),
                     m_copy.BusyUntilPs(),
                     RankApplication::BusyUntilPs()});
}

std::string
WorkerApplication::State() const
{
    // After its last backward pass the GPU has no further iteration to be in.
    const auto current = std::min(m_iteration, GetJob().iterations - 1);
    const auto iteration = "iteration " + std::to_string(current) + " (from 0): ";
    const auto exchanges = RankApplication::State();
    return m_waitsForUpdate
               ? iteration + "the forward pass of layer " + std::to_string(m_waitingLayer) +
                     " waits for its weights; " + exchanges
               : iteration + exchanges;
}

void
WorkerApplication::DoStart()
{
    m_ready.assign(ChunkCount(), 0);
    m_layerMissing.assign(LayerCount(), 0);
    m_updates.assign(LayerCount(), 0);
    BeginIteration();
}

bool
WorkerApplication::DoChooses() const
{
    return true;
}

bool
WorkerApplication::DoIsReady(std::uint32_t iteration, std::uint32_t chunk) const
{
    return m_ready[chunk] > iteration;
}

void
WorkerApplication::BeginIteration()
{
    m_microBatch = 0;
    m_nextBucket = 0;
    ForwardFrom(0);
}

void
WorkerApplication::ForwardFrom(std::uint32_t layer)
{
    if (layer == LayerCount())
    {
        BackwardFrom(layer);
        return;
    }
    m_waitsForUpdate = !MayForward(layer);
    m_waitingLayer = layer;
    if (!m_waitsForUpdate)
    {
        m_gpu.Run(
            Activity::FORWARD,
            ComputePs(m_iteration, layer, ComputePhase::FORWARD),
            [this, layer] { ForwardFrom(layer + 1); },
            layer);
    }
}

bool
WorkerApplication::MayForward(std::uint32_t layer) const
{
    if (m_microBatch > 0)
    {
        return true;
    }
    return GetJob().barrier
               ? m_updatesDone == static_cast<std::uint64_t>(m_iteration) * LayerCount()
               : m_updates[layer] == m_iteration;
}

/** Layers from @p layer on have had their backward pass of this micro-batch. */
void
WorkerApplication::BackwardFrom(std::uint32_t layer)
{
    const bool last = m_microBatch + 1 == GetJob().accumulation;
    if (last && layer < LayerCount())
    {
        GradientReady(layer);
    }
    if (layer > 0)
    {
        m_gpu.Run(
            Activity::BACKWARD,
            ComputePs(m_iteration, layer - 1, ComputePhase::BACKWARD),
            [this, layer] { BackwardFrom(layer - 1); },
            layer - 1);
        return;
    }
    if (last)
    {
        EndBackward();
        return;
    }
    ++m_microBatch;
    ForwardFrom(0);
}

void
WorkerApplication::GradientReady(std::uint32_t layer)
{
    m_layerMissing[layer] = GetJob().layers[layer].range.count;
    NS_LOG_INFO(GetJob().NameOf(GetRank()) << " has the gradient of layer " << layer);
    m_gradientReadyTrace(GetRank(), m_iteration, layer);
    const auto& buckets = GetJob().buckets;
    while (m_nextBucket < buckets.size() && buckets[m_nextBucket].firstLayer == layer)
    {
        ++m_nextBucket;
        if (GetJob().overlap)
        {
            BucketReady(m_nextBucket - 1);
        }
    }
}

void
WorkerApplication::EndBackward()
{
    m_backwardEndTrace(GetRank(), m_iteration, 0);
    for (std::uint32_t bucket = 0; !GetJob().overlap && bucket < m_nextBucket; ++bucket)
    {
        BucketReady(bucket);
    }
    ++m_iteration;
    if (m_iteration < GetJob().iterations)
    {
        BeginIteration();
    }
}

void
WorkerApplication::BucketReady(std::uint32_t bucket)
{
    const auto& stages = GetJob().buckets[bucket];
    RunIfAny(m_local, Activity::COPY, stages.reducePs, [this, bucket, &stages] {
        RunIfAny(GetHost().codec, Activity::CODEC, stages.sparsifyPs, [this, bucket] {
            CopyBucket(bucket);
        });
    });
}

void
WorkerApplication::RunIfAny(RankResource& resource,
                            Activity activity,
                            std::int64_t durationPs,
                            std::function<void()> done)
{
    if (durationPs == 0)
    {
        done();
        return;
    }
    resource.Run(activity, durationPs, std::move(done));
}

void
WorkerApplication::CopyBucket(std::uint32_t bucket)
{
    std::uint64_t bytes = 0;
    for (const auto chunk : GetJob().buckets[bucket].chunks)
    {
        bytes += GetJob().chunks[chunk].range.count * GetJob().gradientType.bytes;
    }
    m_copy.Run(Activity::COPY, WorkPs(bytes, m_copyRate), [this, bucket] {
        for (const auto chunk : GetJob().buckets[bucket].chunks)
        {
            ReportReady(m_ready[chunk], chunk);
            ++m_ready[chunk];
        }
        // Not at once: of all that becomes ready at this instant, the lowest layer is to go first.
        ns3::Simulator::ScheduleNow([this] { StartExchanges(); });
    });
}

void
WorkerApplication::DoExchanged(std::uint32_t iteration, std::uint32_t chunk)
{
    RunIfAny(m_local, Activity::COPY, GetJob().chunks[chunk].gatherPs, [this, iteration, chunk] {
        ChunkDone(iteration, chunk);
    });
}

/** Its sums, or weights, are on all of the worker's GPUs. */
void
WorkerApplication::ChunkDone(std::uint32_t iteration, std::uint32_t chunkIndex)
{
    const auto& chunk = GetJob().chunks[chunkIndex];
    const auto chunkEnd = chunk.range.begin + chunk.range.count;
    for (auto layer = chunk.firstLayer; layer <= chunk.lastLayer; ++layer)
    {
        const auto& range = GetJob().layers[layer].range;
        const auto begin = std::max(range.begin, chunk.range.begin);
        const auto end = std::min(range.begin + range.count, chunkEnd);
        m_layerMissing[layer] -= end - begin;
        if (m_layerMissing[layer] == 0)
        {
            LayerExchanged(iteration, layer);
        }
    }
}

void
WorkerApplication::LayerExchanged(std::uint32_t iteration, std::uint32_t layer)
{
    if (GetJob().weightsReturn)
    {
        LayerUpdated(iteration, layer);
        return;
    }
    GetHost().update.Run(
        Activity::UPDATE,
        ComputePs(iteration, layer, ComputePhase::UPDATE),
        [this, iteration, layer] { LayerUpdated(iteration, layer); },
        layer);
}

void
WorkerApplication::LayerUpdated(std::uint32_t iteration, std::uint32_t layer)
{
    ++m_updates[layer];
    ++m_updatesDone;
    NS_LOG_INFO(GetJob().NameOf(GetRank()) << " has updated layer " << layer);
    m_layerUpdatedTrace(GetRank(), iteration, layer);
    if (m_waitsForUpdate && MayForward(m_waitingLayer))
    {
        ForwardFrom(m_waitingLayer);
    }
}

std::int64_t
WorkerApplication::ComputePs(std::uint32_t iteration, std::uint32_t layer, ComputePhase phase) const
{
    return GetJob().computePs(
        {GetRank(), iteration, phase == ComputePhase::UPDATE ? 0 : m_microBatch, layer, phase});
}

std::uint32_t
WorkerApplication::LayerCount() const
{
    return static_cast<std::uint32_t>(GetJob().layers.size());
}

} // namespace inca
