/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_VALUE_WINDOWS_H
#define INCA_JOB_VALUE_WINDOWS_H

#include "inca/job/clockless-replay.h"
#include "inca/job/training-job.h"

#include <vector>

namespace inca
{

/**
 * Whether a chunk must be looked at as one: its codec has groups, which no window may cut, values change their places, or
 * switches inside nodes add it in blocks of their own.
 */
bool IsInOneWindow(const TrainingJob& job, const JobChunk& chunk);

/**
 * @return the windows in which a replay goes through a chunk: whole blocks of what the network treats together, each
 *         within one of the network's parts; all of it if IsInOneWindow
 */
std::vector<ElementRange> ValueWindows(const TrainingJob& job, const JobChunk& chunk);

/** Where words of a window are: by worker, or, where each makes a shard of the sums, of all shards together. */
struct HeldWords
{
    std::vector<const Word*> words;
    std::vector<Word> shards;
};

/** @return what of @p window of @p chunk the @p workers of one communicator end with */
HeldWords HeldOf(const Communicator& workers,
                 const JobChunk& chunk,
                 const WorkerValues& valuesOf,
                 ElementRange window);

} // namespace inca

#endif // INCA_JOB_VALUE_WINDOWS_H
