/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_VALUES_ESTIMATE_H
#define INCA_PLAN_VALUES_ESTIMATE_H

#include "plan/run-estimate.h"

namespace inca
{

/**
 * Adds what values take, if @p job has any.
 * @param replayed beside the simulation, not carried by it
 */
void AddValues(const TrainingJob& job,
               bool replayed,
               const FoldChoice& fold,
               RunEstimate& estimate);

} // namespace inca

#endif // INCA_PLAN_VALUES_ESTIMATE_H
