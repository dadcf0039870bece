/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_VALUE_WINDOWS_H
#define INCA_JOB_VALUE_WINDOWS_H

#include "job/clockless-replay.h"
#include "job/training-job.h"

#include <vector>

namespace inca
{

/**
 * @return the windows in which a replay goes through a chunk: whole blocks of what the network treats together, each
 *         within one of the network's parts; all of it where a codec has groups, which no window may cut
 */
std::vector<ElementRange> ValueWindows(const TrainingJob& job, const JobChunk& chunk);

/** @return what of @p window each worker ends with, one after the other; where each keeps a shard, what the owners have */
std::vector<Word> HeldAtEnd(const TrainingJob& job,
                            const ClocklessReplay& replay,
                            ElementRange window);

} // namespace inca

#endif // INCA_JOB_VALUE_WINDOWS_H
