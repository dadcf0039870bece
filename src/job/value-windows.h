/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_VALUE_WINDOWS_H
#define INCA_JOB_VALUE_WINDOWS_H

#include "job/training-job.h"

#include <vector>

namespace inca
{

/**
 * @return the windows in which a replay goes through a chunk: whole blocks of what the network treats together, each
 *         within one of the network's parts; all of it where a codec has groups, which no window may cut
 */
std::vector<ElementRange> ValueWindows(const TrainingJob& job, const JobChunk& chunk);

} // namespace inca

#endif // INCA_JOB_VALUE_WINDOWS_H
