/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_WORKER_CHAIN_H
#define INCA_PLAN_WORKER_CHAIN_H

#include "job/training-job.h"
#include "plan/limited-time.h"
#include "scenario/scenario.h"
#include "trace/gradient-trace.h"

#include <vector>

namespace inca
{

/** What a worker does with the layers of a bucket. */
struct BucketWork
{
    LimitedTime forward;   ///< from its first layer to that of the next bucket
    LimitedTime gradients; ///< backward, from its last layer to its first
    LimitedTime backward;  ///< from its last layer to that of the next bucket, on the way back
    // -- with its gradients, or its weights
    LimitedTime reducing;
    LimitedTime sparsifying;
    LimitedTime copying;
};

/** What gradients go through before their exchange: one bucket after the other, in each stage. */
class Handover
{
  public:
    /** @return when a bucket may be exchanged whose gradients are there at @p gradients */
    const LimitedTime& Pass(const LimitedTime& gradients, const BucketWork& bucket);

  private:
    LimitedTime m_reduced;
    LimitedTime m_sparse;
    LimitedTime m_copied;
};

/** What a worker does around its exchanges, each part from where the one before it ends. */
struct WorkerChain
{
    LimitedTime forward;         ///< one batch, waiting for nothing
    LimitedTime backward;        ///< one batch
    LimitedTime moreBatches;     ///< the micro-batches whose gradients are not exchanged
    LimitedTime forwardUpdating; ///< from the end of all exchanges: forward, and what it waits for
    LimitedTime updating;        ///< from there to the end of the last update
    /** By bucket, from the start of the last backward pass until it may be exchanged. */
    std::vector<LimitedTime> ready;
    LimitedTime copies; ///< of all buckets, one after the other
    std::vector<BucketWork> buckets;
    LimitedTime head; ///< forward, of layers before those of any bucket
    LimitedTime tail; ///< backward, of layers behind those of any bucket
};

/**
 * @param scale of the trace's compute times
 * @param inOrder exchanges follow each other in the order of the job's chunks; else any may be the last
 */
WorkerChain MakeWorkerChain(const Scenario& scenario,
                            const GradientTrace& trace,
                            const TrainingJob& job,
                            double scale,
                            bool inOrder);

} // namespace inca

#endif // INCA_PLAN_WORKER_CHAIN_H
