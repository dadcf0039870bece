/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_COMPUTE_CHAIN_H
#define INCA_PLAN_COMPUTE_CHAIN_H

#include "job/training-job.h"
#include "plan/bound-time.h"
#include "scenario/scenario.h"
#include "trace/gradient-trace.h"

#include <vector>

namespace inca
{

/** What a worker does around its exchanges, each part from where the one before it ends. */
struct ComputeChain
{
    BoundTime forward;         ///< one batch, waiting for nothing
    BoundTime backward;        ///< one batch
    BoundTime moreBatches;     ///< the micro-batches whose gradients are not exchanged
    BoundTime updating;        ///< from the end of all exchanges to the end of the last update
    BoundTime forwardUpdating; ///< from there to the end of the next forward pass
    /** By bucket, from the start of the last backward pass until it may be exchanged. */
    std::vector<BoundTime> ready;
    BoundTime copies; ///< of all buckets, one after the other
};

/**
 * @param scale of the trace's compute times
 * @param inOrder exchanges follow each other in the order of the job's chunks; else any may be the last
 */
ComputeChain MakeComputeChain(const Scenario& scenario,
                              const GradientTrace& trace,
                              const TrainingJob& job,
                              double scale,
                              bool inOrder);

} // namespace inca

#endif // INCA_PLAN_COMPUTE_CHAIN_H
