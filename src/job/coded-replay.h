/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_CODED_REPLAY_H
#define INCA_JOB_CODED_REPLAY_H

#include "inca/job/training-job.h"

#include <vector>

namespace inca
{

/** What every worker must hold when a coded chunk's exchange has ended. */
struct CodedReference
{
    std::vector<float> values; ///< of the whole chunk (JobChunk::ValueCount)
    ChunkReport report;
    double errorBound{0}; ///< ChunkCoding::ErrorBound
};

/**
 * The second opinion on a coded chunk: all workers' words, each round without clock and network
 * (ClocklessReplay), and what they decode to; of shards, their owners. Memory: all workers' words of a round, and
 * some of one worker.
 * @throws InvariantError if workers end with different words, or of shards a word is not one worker's; Interrupted
 */
CodedReference ReplayCoded(const TrainingJob& job, const JobChunk& chunk);

/**
 * The same where the order of arrival decides how sums of fp32 are rounded: looks at the words that a
 * worker, or the owners of all shards, have decoded, and decodes them again.
 * @param held the results of all rounds
 * @throws InvariantError if a word of fp32 is none that some order of additions makes of the workers'
 *         words, or another word is not what the replay gives; Interrupted
 */
CodedReference CheckCodedWords(const TrainingJob& job,
                               const JobChunk& chunk,
                               const std::vector<RoundResult>& held);

} // namespace inca

#endif // INCA_JOB_CODED_REPLAY_H
