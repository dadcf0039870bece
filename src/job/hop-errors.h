/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_HOP_ERRORS_H
#define INCA_JOB_HOP_ERRORS_H

#include "inca/job/clockless-replay.h"
#include "inca/job/sum-errors.h"
#include "inca/job/training-job.h"

#include <vector>

namespace inca
{

/**
 * What each hop of a codec costs, where hosts add what they decode.
 *
 * A *hop* is a coding in series: what is made of values that were coded h times at most, coded once more, has gone through
 * h + 1 hops. What is handed on as it came has not, though it is coded again. So a ring of n has n hops, n - 1 of partial
 * sums and one of the finished ones; a server that returns its sums has 2.
 *
 * A sample of each bucket is replayed three times without a clock: with counts of hops in place of values; without codec, in
 * fp32; and as it is, which is set beside the second: messages come in the same order, whatever they carry. The sample is up
 * to 65,536 elements of the bucket's first chunk, fewer with more than 128 workers: evenly spaced windows, or, where a codec
 * has groups, which no window may cut, evenly spaced elements. Memory is that of a replay, and 12 bytes for each message of
 * each element that is looked at together.
 * @param wire what a message's values go through on their way
 * @return by bucket, by hop: what has arrived after it; last what workers end with, or the owners of shards
 * @throws Interrupted
 */
std::vector<std::vector<ErrorSums>> MeasureHops(const TrainingJob& job);

} // namespace inca

#endif // INCA_JOB_HOP_ERRORS_H
