/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_RUN_POOL_H
#define INCA_SWEEP_RUN_POOL_H

#include "record/run-record.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace inca
{

/** Called now and then with the share of the work that is done, 0..1. */
using RunProgress = std::function<void(double share)>;

/** One of many runs. */
struct PooledRun
{
    std::function<RunRecord(const RunProgress&)> run;
    double work{1}; ///< how long it takes, against the others
};

/**
 * Does all @p runs: @p jobs at once in other processes, or, for one job, one after the other in this process. The results
 * do not depend on which.
 * @param onProgress told how far all runs together are; may be empty
 * @return their results, in the order of @p runs
 * @throws the first error of a run, as what it is (TextTold); Interrupted. Nothing is left running.
 */
std::vector<RunResults> RunAll(const std::vector<PooledRun>& runs,
                               std::uint32_t jobs,
                               const RunProgress& onProgress);

} // namespace inca

#endif // INCA_SWEEP_RUN_POOL_H
