/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_LOWER_BOUND_H
#define INCA_PLAN_LOWER_BOUND_H

#include "job/training-job.h"
#include "plan/limit.h"
#include "plan/network-speed.h"
#include "scenario/scenario.h"
#include "trace/gradient-trace.h"

#include <array>
#include <cstdint>
#include <string>

namespace inca
{

/** No iteration can be faster than this, on average, and what it is that holds it up most. */
struct LowerBound
{
    std::int64_t iterationPs{0};
    /** LimitName of the limit whose raising shortens the bound most. */
    std::string limitedBy;
    /** The same of an iteration's exchanges alone, without their computation. */
    std::string communicationLimitedBy;
    /** By Limit: what of iterationPs is due to it, as far as raising it says (LimitedTime::Part). */
    std::array<std::int64_t, LIMITS> partsPs{};
};

/**
 * The least time of a resolved scenario: every rank takes its steps as soon as it can, messages are in
 * nobody's way but on their receiver's link, engine and host, and nothing waits in a queue. With jitter
 * it holds for the mean times; after a warm-up, which queues may end late, for the mean of many iterations.
 *
 * Exchanges that follow each other are walked through one after the other (ExchangeWalk), over a few
 * iterations; what an iteration adds then is added for all others. Where exchanges overlap, an iteration
 * takes as long as the busiest part of the busiest rank, and as the exchanges do if as many as may be
 * in flight always are; nothing is added up that different parts do.
 *
 * Where weights are gathered before they are used, iterations are walked through exchange by exchange and bucket by
 * bucket (GatherWalk).
 *
 * What hosts on different switches send each other also takes the trunks of the busiest of these
 * switches as long as it takes all of them together.
 *
 * With every limit raised (LimitedTime), it says what limits the iteration.
 *
 * @param ranks the first ones, that stand for all (FoldChoice); all of them if none does
 */
LowerBound ComputeLowerBound(const Scenario& scenario,
                             const GradientTrace& trace,
                             const TrainingJob& job,
                             const NetworkSpeed& network,
                             Rank ranks);

} // namespace inca

#endif // INCA_PLAN_LOWER_BOUND_H
