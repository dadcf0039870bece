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
