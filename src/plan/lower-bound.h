/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_LOWER_BOUND_H
#define INCA_PLAN_LOWER_BOUND_H

#include "inca/plan/plan.h"

namespace inca
{

/**
 * The least time of an iteration, in closed form (docs/model.md, "Lower bound"): the largest of these terms, each of which
 * holds in every run that LowerBound::isProven speaks of.
 * - Compute: all passes of a worker, one after the other.
 * - Latency times rounds: where exchanges follow each other, the sum of their critical paths (CriticalPath), each
 *   begun when its gradients are ready and the one before has ended.
 * - Link, engine, host, adder: each resource of a rank works without a pause, from the time when gradients are ready, for all
 *   exchanges; likewise trunks, and the slots and adders of switches.
 *
 * After a warm-up it is a bound of the mean of many iterations.
 * @param plan that is complete but for its bound, and for warnings
 */
LowerBound ComputeLowerBound(const PlannedJob& planned);

} // namespace inca

#endif // INCA_PLAN_LOWER_BOUND_H
