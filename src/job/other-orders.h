/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_OTHER_ORDERS_H
#define INCA_JOB_OTHER_ORDERS_H

#include "inca/job/clockless-replay.h"
#include "inca/job/training-job.h"

#include <cstdint>

namespace inca
{

/** What workers end with, and how much of it is something else when messages arrive in another order. */
struct OrderChanges
{
    std::uint64_t values{0};
    std::uint64_t changed{0}; ///< other bits, but for those of NaN
};

/**
 * Replays the same gradients in two other orders of arrival: in both, whatever host is ready last goes on first; switches add
 * the workers' words from the last to the first, or beginning with worker 1. It looks at 65,536 elements of each bucket at
 * most; where more must be replayed for them, as with sketches and codecs of groups, of the first bucket only.
 * @param mayChange whether the order matters
 * @throws InvariantError if a value changes though it may not; Interrupted
 */
OrderChanges ReplayInOtherOrders(const TrainingJob& job, bool mayChange);

} // namespace inca

#endif // INCA_JOB_OTHER_ORDERS_H
