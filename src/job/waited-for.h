/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_WAITED_FOR_H
#define INCA_JOB_WAITED_FOR_H

#include "exchange/step-plan.h"
#include "job/span-set.h"
#include "job/timeline.h"

#include <vector>

namespace inca
{

/** When others sum, or update, while a rank waits for them; a host that only waits itself passes it on. */
struct WaitedFor
{
    SpanSet summing;
    SpanSet updating; ///< and do not sum
};

/**
 * All ranks' at once, in one pass over what changes: n changes take O(n log n), and each rank's part of it
 * as often as something changes meanwhile.
 * @param timelines by rank, of all of them or of those who stand for the others
 */
std::vector<WaitedFor> WaitedForByRank(const std::vector<const Timeline*>& timelines);

} // namespace inca

#endif // INCA_JOB_WAITED_FOR_H
