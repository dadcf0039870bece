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
#include <limits>
#include <utility>

namespace inca
{

NS_LOG_COMPONENT_DEFINE("IncaWorker");

namespace
{

constexpr auto g_noBucket =
    std::numeric_limits<std::uint32_t>::max(); ///< of a layer without elements

} // namespace

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
                            "The last backward pass of a layer before an exchange has ended.",
                            ns3::MakeTraceSourceAccessor(&WorkerApplication::m_gradientReadyTrace),
                            "inca::WorkerApplication::LayerCallback")
            .AddTraceSource("BackwardEnd",
                            "The last backward pass of an iteration has ended.",
                            ns3::MakeTraceSourceAccessor(&WorkerApplication::m_backwardEndTrace),
                            "inca::WorkerApplication::LayerCallback")
            .AddTraceSource("LayerUpdated",
                            "A layer has its new weights.",
                            ns3::MakeTraceSourceAccessor(&WorkerApplication::m_layerUpdatedTrace),
                            "inca::WorkerApplication::LayerCallback")
            .AddTraceSource("IterationBegin",
                            "All is updated that an iteration's first pass needs: the iteration "
                            "before has ended for this worker. After the last one, too.",
                            ns3::MakeTraceSourceAccessor(&WorkerApplication::m_iterationBeginTrace),
                            "inca::WorkerApplication::IterationCallback")
            .AddTraceSource("WeightsAwaited",
                            "A pass of a layer begins that has waited for its weights to be "
                            "gathered: how long. (ps)",
                            ns3::MakeTraceSourceAccessor(&WorkerApplication::m_weightsAwaitedTrace),
                            "inca::WorkerApplication::WaitCallback")
            .AddTraceSource("WithinMachine",
                            "From when to when a chunk of an exchange is started and added up over "
                            "the worker's GPUs, or given to all of them.",
                            ns3::MakeTraceSourceAccessor(&WorkerApplication::m_withinMachineTrace),
                            "inca::WorkerApplication::WithinMachineCallback");
    return tid;
}

WorkerApplication::WorkerApplication()
    : m_local(GetHost().timeline, GetHost().clock, GetHost().worked),
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
    return std::max({m_local.BusyUntilPs(), m_copy.BusyUntilPs(), RankApplication::BusyUntilPs()});
}

std::string
WorkerApplication::State() const
{
    // After its last backward pass the GPU has no further iteration to be in.
    const auto current = std::min(m_iteration, GetJob().iterations - 1);
    const auto iteration = "iteration " + std::to_string(current) + " (from 0): ";
    const auto exchanges = RankApplication::State();
    if (!m_waitsFor)
    {
        return iteration + exchanges;
    }
    const auto* pass = *m_waitsFor == ComputePhase::FORWARD ? "forward" : "backward";
    return iteration + "the " + pass + " pass of layer " + std::to_string(m_waitingLayer) +
           " waits for its weights; " + exchanges;
}

void
WorkerApplication::DoStart()
{
    m_done.assign(ChunkCount(), 0);
    m_bucketOf.assign(LayerCount(), g_noBucket);
    for (std::uint32_t bucket = 0; bucket < GetJob().buckets.size(); ++bucket)
    {
        const auto& layers = GetJob().buckets[bucket];
        std::fill(m_bucketOf.begin() + layers.firstLayer,
                  m_bucketOf.begin() + layers.lastLayer + 1,
                  bucket);
    }
    m_layerMissing.assign(LayerCount(), 0);
    m_updates.assign(LayerCount(), 0);
    BeginBatch();
}

/** The one under way, of those that are exchanged, if it is one. */
std::uint32_t
WorkerApplication::Batch() const
{
    const auto exchanged = GetJob().exchangedBatches;
    return m_iteration * exchanged + m_microBatch % exchanged;
}

/** Whether the gradients of this micro-batch are exchanged. */
bool
WorkerApplication::HandsOut() const
{
    return GetJob().exchangedBatches > 1 || m_microBatch + 1 == GetJob().accumulation;
}

void
WorkerApplication::BeginBatch()
{
    m_nextBucket = 0;
    if (GetJob().overlap)
    {
        AskFor(GetJob().buckets.back().forwardGathers);
    }
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
    const auto bucket = m_bucketOf[layer];
    const auto& buckets = GetJob().buckets;
    if (bucket != g_noBucket)
    {
        AskFor(buckets[bucket].forwardGathers);
    }
    const bool lacksWeights = bucket != g_noBucket && !AreDone(buckets[bucket].forwardGathers);
    if (lacksWeights || !IsUpdated(layer))
    {
        StandBefore(ComputePhase::FORWARD, layer, lacksWeights);
        return;
    }
    BeginPass(layer);
    if (GetJob().overlap && bucket != g_noBucket && bucket > 0 &&
        buckets[bucket].firstLayer == layer)
    {
        AskFor(buckets[bucket - 1].forwardGathers);
    }
    GetHost().gpu.Run(
        Activity::FORWARD,
        ComputePs(m_iteration, layer, ComputePhase::FORWARD),
        [this, layer] { ForwardFrom(layer + 1); },
        layer);
}

/** Whether what the iteration before has made of a layer is there. */
bool
WorkerApplication::IsUpdated(std::uint32_t layer) const
{
    if (m_microBatch > 0)
    {
        return true;
    }
    return GetJob().AwaitsAllUpdates()
               ? m_updatesDone == static_cast<std::uint64_t>(m_iteration) * LayerCount()
               : m_updates[layer] == m_iteration;
}

/** @return whether all of @p chunks have brought what they bring in this micro-batch */
bool
WorkerApplication::AreDone(const std::vector<std::uint32_t>& chunks) const
{
    return std::all_of(chunks.begin(), chunks.end(), [this](std::uint32_t chunk) {
        return m_done[chunk] > Batch();
    });
}

/** The GPU waits, for weights that are gathered or for what comes before them. */
void
WorkerApplication::StandBefore(ComputePhase pass, std::uint32_t layer, bool lacksWeights)
{
    m_waitsFor = pass;
    m_waitingLayer = layer;
    if (lacksWeights && !m_lacksWeightsSincePs)
    {
        m_lacksWeightsSincePs = GetClock().NowPs();
    }
}

void
WorkerApplication::BeginPass(std::uint32_t layer)
{
    m_waitsFor.reset();
    if (m_lacksWeightsSincePs)
    {
        const auto waitedPs = GetClock().NowPs() - *m_lacksWeightsSincePs;
        m_lacksWeightsSincePs.reset();
        m_weightsAwaitedTrace(GetRank(), m_iteration, layer, waitedPs);
    }
}

/** The pass that waits tries again. */
void
WorkerApplication::GoOn()
{
    if (m_waitsFor)
    {
        *m_waitsFor == ComputePhase::FORWARD ? ForwardFrom(m_waitingLayer)
                                             : Backward(m_waitingLayer);
    }
}

/** Layers from @p layer on have had their backward pass of this micro-batch. */
void
WorkerApplication::BackwardFrom(std::uint32_t layer)
{
    if (layer < LayerCount() && HandsOut())
    {
        GradientReady(layer);
    }
    if (layer > 0)
    {
        Backward(layer - 1);
        return;
    }
    if (++m_microBatch == GetJob().accumulation)
    {
        EndBackward();
        return;
    }
    BeginBatch();
}

void
WorkerApplication::Backward(std::uint32_t layer)
{
    const auto bucket = m_bucketOf[layer];
    const auto& buckets = GetJob().buckets;
    if (bucket != g_noBucket && TakesTurns() && bucket > 0 && !AreDone(buckets[bucket - 1].chunks))
    {
        StandBefore(ComputePhase::BACKWARD, layer, false);
        return;
    }
    if (bucket != g_noBucket)
    {
        AskFor(buckets[bucket].backwardGathers);
    }
    if (bucket != g_noBucket && !AreDone(buckets[bucket].backwardGathers))
    {
        StandBefore(ComputePhase::BACKWARD, layer, true);
        return;
    }
    BeginPass(layer);
    if (GetJob().overlap && bucket != g_noBucket && bucket + 1 < buckets.size() &&
        buckets[bucket].lastLayer == layer)
    {
        AskFor(buckets[bucket + 1].backwardGathers);
    }
    GetHost().gpu.Run(
        Activity::BACKWARD,
        ComputePs(m_iteration, layer, ComputePhase::BACKWARD),
        [this, layer] { BackwardFrom(layer); },
        layer);
}

/** Whether passes wait for the exchanges of units, and those for passes. */
bool
WorkerApplication::TakesTurns() const
{
    return GetJob().GathersWeights() && !GetJob().overlap;
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
        if (GetJob().overlap || TakesTurns())
        {
            BucketReady(m_nextBucket - 1);
        }
    }
}

void
WorkerApplication::EndBackward()
{
    m_microBatch = 0;
    m_backwardEndTrace(GetRank(), m_iteration, 0);
    const bool atEnd = !GetJob().overlap && !TakesTurns();
    for (std::uint32_t bucket = 0; atEnd && bucket < m_nextBucket; ++bucket)
    {
        BucketReady(bucket);
    }
    ++m_iteration;
    if (m_iteration < GetJob().iterations)
    {
        BeginBatch();
    }
}

void
WorkerApplication::BucketReady(std::uint32_t bucket)
{
    const auto& stages = GetJob().buckets[bucket];
    for (const auto chunk : stages.chunks)
    {
        const bool isLast = chunk == stages.chunks.back();
        RunWithinMachine(Batch() * ChunkCount() + chunk,
                         GetJob().chunks[chunk].reducePs,
                         [this, &stages, chunk, isLast] {
                             if (stages.sparsifyPs == 0)
                             {
                                 CopyOut(chunk);
                             }
                             else if (isLast)
                             {
                                 Sparsify(stages);
                             }
                         });
    }
}

/** The largest values of a whole bucket stay. */
void
WorkerApplication::Sparsify(const JobBucket& bucket)
{
    GetHost().codec.Run(Activity::CODEC, bucket.sparsifyPs, [this, &bucket] {
        for (const auto chunk : bucket.chunks)
        {
            CopyOut(chunk);
        }
    });
}

/** A chunk may be exchanged when it is where the host, or the NIC, takes it. */
void
WorkerApplication::CopyOut(std::uint32_t chunk)
{
    m_copy.Run(
        Activity::COPY, WorkPs(BytesOf(chunk), m_copyRate), [this, chunk] { MakeReady({chunk}); });
}

void
WorkerApplication::RunWithinMachine(std::uint32_t exchange,
                                    std::int64_t durationPs,
                                    std::function<void()> done)
{
    RunIfAny(m_local, Activity::COPY, durationPs, std::move(done));
    if (durationPs > 0)
    {
        const auto endPs = m_local.BusyUntilPs();
        m_withinMachineTrace(GetRank(), exchange, {endPs - durationPs, endPs});
    }
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

std::uint64_t
WorkerApplication::BytesOf(std::uint32_t chunk) const
{
    return GetJob().chunks[chunk].range.count * GetJob().gradientType.bytes;
}

/** Those that were not asked for in this micro-batch may begin. */
void
WorkerApplication::AskFor(const std::vector<std::uint32_t>& gathers)
{
    if (!gathers.empty() && ReadyBatches(gathers.front()) <= Batch())
    {
        MakeReady(gathers);
    }
}

/** What a gather has brought, to all of the worker's GPUs. */
void
WorkerApplication::CopyWeights(std::uint32_t exchange)
{
    const auto chunk = exchange % ChunkCount();
    RunIfAny(m_copy, Activity::COPY, WorkPs(BytesOf(chunk), m_copyRate), [this, exchange, chunk] {
        RunWithinMachine(exchange, GetJob().chunks[chunk].gatherPs, [this, chunk] {
            ++m_done[chunk];
            GoOn();
        });
    });
}

void
WorkerApplication::DoExchanged(std::uint32_t batch, std::uint32_t chunk)
{
    const auto exchange = batch * ChunkCount() + chunk;
    if (GetJob().chunks[chunk].purpose != ExchangePurpose::GRADIENTS)
    {
        CopyWeights(exchange);
        return;
    }
    RunWithinMachine(exchange, GetJob().chunks[chunk].gatherPs, [this, batch, chunk] {
        ChunkDone(batch, chunk);
    });
}

void
WorkerApplication::DoShardSummed(std::uint32_t batch, std::uint32_t chunk)
{
    m_done[chunk] = batch + 1;
    GoOn();
}

/** Its sums, or weights, are on all of the worker's GPUs. */
void
WorkerApplication::ChunkDone(std::uint32_t batch, std::uint32_t chunk)
{
    const auto exchange = batch * ChunkCount() + chunk;
    m_done[chunk] = batch + 1;
    if (GetJob().IsOfLastBatch(exchange))
    {
        LayersExchanged(GetJob().IterationOf(exchange), GetJob().chunks[chunk]);
    }
    GoOn();
}

void
WorkerApplication::LayersExchanged(std::uint32_t iteration, const JobChunk& chunk)
{
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
    }
    else if (!GetJob().updatesAtEnd)
    {
        Update(iteration, layer);
    }
    else if (++m_layersExchanged == LayerCount())
    {
        m_layersExchanged = 0;
        for (std::uint32_t i = 0; i < LayerCount(); ++i)
        {
            Update(iteration, i);
        }
    }
}

void
WorkerApplication::Update(std::uint32_t iteration, std::uint32_t layer)
{
    GetHost().Updater().Run(
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
    if (m_begun < m_iteration && IsUpdated(0))
    {
        m_begun = m_iteration;
        m_iterationBeginTrace(GetRank(), m_iteration);
    }
    GoOn();
    LeaveIfFinished();
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
