/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_RUN_POOL_H
#define INCA_SWEEP_RUN_POOL_H

#include "record/run-record.h"
#include "sweep/run-process.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace inca
{

/** One of many runs. */
struct PooledRun
{
    std::function<RunRecord(const RunProgress&)> run;
    double work{1}; ///< how long it takes, against the others
};

/** Called with the place of a run among all runs, and its record. */
using RecordUser = std::function<void(std::size_t index, RunRecord record)>;

/**
 * Does all @p runs: @p jobs at once, each in a process of its own, or, for one job, one after the other
 * in this process. The records do not depend on which.
 * @param onRecord takes the records in the order of @p runs, each as soon as those before it are there
 * @param onProgress told how far all runs together are; may be empty
 * @throws the first error of a run, as what it is (run-process.h); Interrupted. Nothing is left running.
 */
void RunAll(const std::vector<PooledRun>& runs,
            std::uint32_t jobs,
            const RecordUser& onRecord,
            const RunProgress& onProgress);

} // namespace inca

#endif // INCA_SWEEP_RUN_POOL_H
