/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_LOWER_BOUND_H
#define INCA_PLAN_LOWER_BOUND_H

#include "job/training-job.h"
#include "plan/network-speed.h"
#include "scenario/scenario.h"
#include "trace/gradient-trace.h"

#include <cstdint>
#include <string>

namespace inca
{

/** No iteration can be faster than this, on average, and what it is that holds it up most. */
struct LowerBound
{
    std::int64_t iterationPs{0};
    std::string limitedBy; ///< link, engine, host, compute or switch
};

/**
 * The closed form of a resolved scenario: every rank moves its bytes over its own link, engine and host at
 * their full speed, and nothing waits for latency, windows or queues. With jitter it holds for the
 * mean times.
 *
 * One direction takes the slowest of link, engine and host. Exchanges that follow each other
 * (exchange.concurrent = 1) take a worker X = the longer direction, the shorter one times
 * 1 - duplex, and what it encodes, decodes and adds in between; if links differ, or exchanges
 * overlap, that work may hide behind the transfer, and the longer of both counts. An
 * aggregator receives, adds, updates, then sends; a server receives, adds, encodes, then sends. From
 * its second exchange on, it may receive while it still sends the one before: only the last worker's
 * gradients, or the first worker's weights or sums, are then sure to be extra.
 *
 * Where switches add, a worker's link carries every packet once up and once down, both at once; the
 * cable above a switch does so for all workers below; and a switch adds what all its children send.
 * All begin when the fastest worker does.
 *
 * With all gradients in one exchange, an iteration is compute + copy + X + update, where the updates
 * of all but the last measured iteration overlap with the next forward pass as far as the layers'
 * order allows. With several exchanges it is the larger of compute alone, and X after the first
 * bucket is ready. Every worker counts with its own compute_scale.
 */
LowerBound ComputeLowerBound(const Scenario& scenario,
                             const GradientTrace& trace,
                             const TrainingJob& job,
                             const NetworkSpeed& network);

} // namespace inca

#endif // INCA_PLAN_LOWER_BOUND_H
