/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_SWEEP_H
#define INCA_SWEEP_SWEEP_H

#include "sweep/point-result.h"
#include "sweep/points.h"
#include "sweep/run-slots.h"

#include <cstddef>
#include <functional>

namespace inca
{

/** How far a sweep is. */
struct SweepProgress
{
    std::size_t done{0};   ///< points with a row
    std::size_t failed{0}; ///< of them, failed or timed out
    std::size_t points{0};
    double share{0}; ///< of the work, as estimated, 0..1
};

/** Who wants to know of a sweep. Each may be empty. */
struct SweepUser
{
    /** Called with every point in its order, as soon as those before it are there. */
    std::function<void(const SweepPoint&, const PointResult&)> onResult;
    /** Called once a second or more often. */
    std::function<void(const SweepProgress&)> onProgress;
};

/**
 * Runs the points, those that take longest first, so that the last ones to end are short.
 * @throws Interrupted, RunError if there are no processes to be had; nothing is left running
 */
void RunSweep(const SweepPlan& plan, const RunLimits& limits, const SweepUser& user);

} // namespace inca

#endif // INCA_SWEEP_SWEEP_H
