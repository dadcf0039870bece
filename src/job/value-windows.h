/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_VALUE_WINDOWS_H
#define INCA_JOB_VALUE_WINDOWS_H

#include "job/clockless-replay.h"
#include "job/training-job.h"

#include <functional>
#include <vector>

namespace inca
{

/**
 * @return the windows in which a replay goes through a chunk: whole blocks of what the network treats together, each
 *         within one of the network's parts; all of it where a codec has groups, which no window may cut
 */
std::vector<ElementRange> ValueWindows(const TrainingJob& job, const JobChunk& chunk);

/** Calls @p use with what of @p window each worker ends with; where each keeps a shard, once with what the owners have. */
void ForEachHeld(const TrainingJob& job,
                 const ClocklessReplay& replay,
                 ElementRange window,
                 const std::function<void(const Word* held)>& use);

} // namespace inca

#endif // INCA_JOB_VALUE_WINDOWS_H
