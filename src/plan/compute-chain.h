/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_COMPUTE_CHAIN_H
#define INCA_PLAN_COMPUTE_CHAIN_H

#include "job/training-job.h"
#include "plan/bound-time.h"
#include "scenario/scenario.h"
#include "trace/gradient-trace.h"

#include <cstdint>
#include <vector>

namespace inca
{

/** What a worker does around its exchanges. */
struct ComputeChain
{
    BoundTime
        before; ///< the last backward pass: forward, and the micro-batches that are not exchanged
    BoundTime compute;     ///< all passes of an iteration
    BoundTime updating;    ///< from the end of all exchanges to the end of the last update
    BoundTime beforeAgain; ///< from there to the next iteration's last backward pass
    BoundTime copies;      ///< of all buckets, one after the other
    /** By bucket, from the start of the last backward pass until it may be exchanged. */
    std::vector<BoundTime> ready;
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

/**
 * What an iteration takes with one worker and nobody to exchange with: the mean after the warm-up, at @p scale
 * times the trace's own times. A layer's update begins when its gradient is there (at the end of backward without
 * overlap), beside the rest of backward; it is the faster of the worker's own and, where an aggregator updates, the
 * aggregator's. (ps)
 */
std::int64_t SingleWorkerPs(const GradientTrace& trace,
                            const TrainingJob& job,
                            std::uint32_t warmup,
                            double scale = 1);

} // namespace inca

#endif // INCA_PLAN_COMPUTE_CHAIN_H
