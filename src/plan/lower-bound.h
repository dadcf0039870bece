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

/** No iteration can be faster than this, on average, and what it is that holds it up most. */
struct LowerBound
{
    std::int64_t iterationPs{0};
    /** LimitName of the largest part of what makes the bound. */
    std::string limitedBy;
    /** The same of an iteration's exchanges alone, without their computation. */
    std::string communicationLimitedBy;
};

/**
 * The least time of a resolved scenario, in closed form: the largest of what holds of every run. Nothing waits in
 * a queue but for what is told here. With jitter it holds for the mean times; after a warm-up, which queues may
 * end late, for the mean of many iterations.
 *
 * - A worker's computation alone, one pass after the other.
 * - Computation that nothing overlaps, and between it each part of a rank (link, engines, host, adder) at
 *   work without a pause from when the first gradients are ready; so do trunks, and the slots and adders of switches.
 * - Where exchanges follow each other, computation and the critical path of each exchange (exchange/critical-path.h).
 */
LowerBound ComputeLowerBound(const Scenario& scenario,
                             const GradientTrace& trace,
                             const TrainingJob& job,
                             const NetworkSpeed& network);

} // namespace inca

#endif // INCA_PLAN_LOWER_BOUND_H
