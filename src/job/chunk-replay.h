/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_CHUNK_REPLAY_H
#define INCA_JOB_CHUNK_REPLAY_H

#include "inca/job/clockless-replay.h"
#include "inca/job/training-job.h"

#include <memory>

namespace inca
{

/** @return what the network does to values of messages of @p job, which outlives it; empty where no codec codes them */
Wire WireOf(const TrainingJob& job);

/**
 * The exchange of a chunk of values, without a clock.
 * @param job outlives it, as does @p chunk
 * @param onCoded is told of the messages that a codec encodes for others; may be empty
 */
std::unique_ptr<ClocklessReplay> ReplayOf(const TrainingJob& job,
                                          const JobChunk& chunk,
                                          WorkerWords own,
                                          const SendSeen& onCoded = {});

} // namespace inca

#endif // INCA_JOB_CHUNK_REPLAY_H
