/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_TRACE_TIMES_H
#define INCA_PLAN_TRACE_TIMES_H

#include "job/training-job.h"
#include "trace/gradient-trace.h"

#include <cstdint>

namespace inca
{

/** A trace's times over all layers, of one batch. (ps) */
struct TraceTimes
{
    std::int64_t forwardPs{0};
    std::int64_t backwardPs{0};
    std::int64_t updatePs{0}; ///< on a worker
};

TraceTimes SumTimes(const GradientTrace& trace);

/**
 * From the moment when all gradients are exchanged to the end of the next forward pass: layers are
 * updated one after the other from the input side on, and each layer's forward pass waits for its
 * own update, or for all with a barrier. (ps)
 * @param updates false: the weights come from an aggregator, nothing is updated
 */
std::int64_t ForwardAfterUpdatesPs(const GradientTrace& trace, bool updates, bool barrier);

/**
 * What the replay would take with one worker and nobody to exchange with: the mean over the
 * iterations after the warm-up, at the trace's own times @p scale times. A layer's update begins when
 * its gradient is there (at the end of backward without overlap), beside the rest of backward; it is
 * the faster of the worker's own and, where an aggregator updates, the aggregator's. (ps)
 */
std::int64_t SingleWorkerPs(const GradientTrace& trace,
                            const TrainingJob& job,
                            std::uint32_t warmup,
                            double scale = 1);

} // namespace inca

#endif // INCA_PLAN_TRACE_TIMES_H
