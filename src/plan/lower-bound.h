/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_LOWER_BOUND_H
#define INCA_PLAN_LOWER_BOUND_H

#include "job/training-job.h"
#include "plan/network-speed.h"
#include "scenario/scenario.h"
#include "trace/gradient-trace.h"

#include <cstdint>
#include <string>

namespace inca
{

/** No iteration can be faster than this, in the mean; and what limits it. */
struct LowerBound
{
    std::int64_t iterationPs{0};
    /** LimitName of the largest part of the term that is the bound. */
    std::string limitedBy;
    /** The same of an iteration's exchanges alone, without their computation. */
    std::string communicationLimitedBy;
};

/**
 * The least time of an iteration, in closed form (docs/model.md, "Lower bound"): the largest of these terms, each of which
 * holds in every run.
 * - Compute: all passes of a worker, one after the other.
 * - Latency times rounds: where exchanges follow each other, the sum of their critical paths (exchange/critical-path.h), each
 *   begun when its gradients are ready and the one before has ended.
 * - Link, engine, host, adder: each resource of a rank works without a pause, from the time when gradients are ready, for all
 *   exchanges; likewise trunks, and the slots and adders of switches.
 *
 * With jitter it is a bound of the mean times; after a warm-up, of the mean of many iterations.
 */
LowerBound ComputeLowerBound(const Scenario& scenario,
                             const GradientTrace& trace,
                             const TrainingJob& job,
                             const NetworkSpeed& network);

} // namespace inca

#endif // INCA_PLAN_LOWER_BOUND_H
