/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RANK_WORKER_APPLICATION_H
#define INCA_RANK_WORKER_APPLICATION_H

#include "rank/rank-application.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/**
 * A rank that trains: forward passes layer by layer, backward passes in the other direction,
 * gradients copied to the host and exchanged as the job says, weights updated. Its GPU does one thing
 * at a time: a pass of a layer, or an update; copies go on beside it.
 *
 * Weights are updated when the sums of all gradients are here, or each layer's as they come
 * (TrainingJob::updatesAtEnd). An iteration's first forward pass of a layer waits for that layer's update
 * of the iteration before (for all updates with the job's barrier). With accumulation, the last micro-batch's
 * backward pass hands out gradients, or every one's (TrainingJob::exchangedBatches).
 *
 * Where workers keep a shard of the weights (TrainingJob::GathersWeights), those of a bucket's layers are
 * gathered, copied to the GPU and used, and forgotten: each forward and backward pass waits for them, but the first
 * backward pass, whose weights are kept. The next bucket's gather may begin when a pass begins this one; without
 * overlap when a pass is to begin its own bucket, and backward then waits for the gradients of the bucket before, too.
 * All gathers of a micro-batch come after all exchanges of the one before, so they hand on what was updated.
 *
 * A worker of several GPUs is their machine: a bucket's gradients are added up over them before,
 * and given back to all of them after, its exchange (JobBucket::reducePs, JobChunk::gatherPs).
 */
class WorkerApplication : public RankApplication
{
  public:
    static ns3::TypeId GetTypeId();

    WorkerApplication();

    bool IsFinished() const override;
    std::int64_t BusyUntilPs() const override;
    std::string State() const override;

    /** Signature of GradientReady, LayerUpdated and BackwardEnd (layer 0). */
    using LayerCallback = void (*)(Rank worker, std::uint32_t iteration, std::uint32_t layer);
    /** Signature of IterationBegin. */
    using IterationCallback = void (*)(Rank worker, std::uint32_t iteration);
    /** Signature of WeightsAwaited. */
    using WaitCallback = void (*)(Rank worker,
                                  std::uint32_t iteration,
                                  std::uint32_t layer,
                                  std::int64_t waitedPs);
    /** Signature of WithinMachine. */
    using WithinMachineCallback = void (*)(Rank worker, std::uint32_t exchange, Span span);

  private:
    void DoStart() override;
    void DoExchanged(std::uint32_t batch, std::uint32_t chunk) override;
    void DoShardSummed(std::uint32_t batch, std::uint32_t chunk) override;

    void BeginBatch();
    void ForwardFrom(std::uint32_t layer);
    void BackwardFrom(std::uint32_t layer);
    void Backward(std::uint32_t layer);
    void GoOn();
    void StandBefore(ComputePhase pass, std::uint32_t layer, bool lacksWeights);
    void BeginPass(std::uint32_t layer);
    void EndBackward();
    void GradientReady(std::uint32_t layer);
    void BucketReady(std::uint32_t bucket);
    void Sparsify(const JobBucket& bucket);
    void CopyOut(std::uint32_t chunk);
    void AskFor(const std::vector<std::uint32_t>& gathers);
    void CopyWeights(std::uint32_t exchange);
    void ChunkDone(std::uint32_t batch, std::uint32_t chunk);
    void LayersExchanged(std::uint32_t iteration, const JobChunk& chunk);
    static void RunIfAny(RankResource& resource,
                         Activity activity,
                         std::int64_t durationPs,
                         std::function<void()> done);
    void RunWithinMachine(std::uint32_t exchange,
                          std::int64_t durationPs,
                          std::function<void()> done);
    void LayerExchanged(std::uint32_t iteration, std::uint32_t layer);
    void Update(std::uint32_t iteration, std::uint32_t layer);
    void LayerUpdated(std::uint32_t iteration, std::uint32_t layer);
    bool IsUpdated(std::uint32_t layer) const;
    bool AreDone(const std::vector<std::uint32_t>& chunks) const;
    bool HandsOut() const;
    bool TakesTurns() const;
    std::uint32_t Batch() const;
    std::uint64_t BytesOf(std::uint32_t chunk) const;
    std::int64_t ComputePs(std::uint32_t iteration, std::uint32_t layer, ComputePhase phase) const;
    std::uint32_t LayerCount() const;

    std::uint64_t m_copyRate{0}; ///< attribute
    RankResource m_local;        ///< links between the worker's GPUs
    RankResource m_copy;
    std::uint32_t m_iteration{0}; ///< of the GPU
    std::uint32_t m_microBatch{0};
    std::optional<ComputePhase> m_waitsFor; ///< the GPU stands before that pass of m_waitingLayer
    std::uint32_t m_waitingLayer{0};
    std::optional<std::int64_t> m_lacksWeightsSincePs;
    std::uint32_t m_nextBucket{0};         ///< of this micro-batch: the first that is not all there
    std::vector<std::uint32_t> m_done;     ///< by chunk: batches whose weights, or sums, are here
    std::vector<std::uint32_t> m_bucketOf; ///< by layer: the last one that it lies in
    std::vector<std::uint64_t> m_layerMissing; ///< by layer: elements still to be exchanged
    std::vector<std::uint32_t> m_updates;      ///< by layer: updates done
    std::uint64_t m_updatesDone{0};
    std::uint32_t m_layersExchanged{0}; ///< and not updated, where that waits for all
    std::uint32_t m_begun{0};           ///< the latest iteration that this worker was free to begin
    ns3::TracedCallback<Rank, std::uint32_t, std::uint32_t> m_gradientReadyTrace;
    ns3::TracedCallback<Rank, std::uint32_t, std::uint32_t> m_backwardEndTrace;
    ns3::TracedCallback<Rank, std::uint32_t, std::uint32_t> m_layerUpdatedTrace;
    ns3::TracedCallback<Rank, std::uint32_t> m_iterationBeginTrace;
    ns3::TracedCallback<Rank, std::uint32_t, std::uint32_t, std::int64_t> m_weightsAwaitedTrace;
    ns3::TracedCallback<Rank, std::uint32_t, Span> m_withinMachineTrace;
};

} // namespace inca

#endif // INCA_RANK_WORKER_APPLICATION_H
