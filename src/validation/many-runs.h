/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_MANY_RUNS_H
#define INCA_VALIDATION_MANY_RUNS_H

#include "scenario/scenario.h"
#include "validation/measured-run.h"
#include "validation/validation-request.h"

#include <vector>

namespace inca
{

/** One of many runs. */
struct PlannedRun
{
    Scenario scenario;
    double work{1}; ///< how long it takes, against the others
};

/**
 * All runs of @p planned, in their order; the request's jobs at once, each in a process of its own,
 * or one after the other in this one. The figures do not depend on which.
 * @throws the first error of a run; nothing is left running
 */
std::vector<MeasuredRun> MeasureAll(const std::vector<PlannedRun>& planned,
                                    const ValidationRequest& request);

} // namespace inca

#endif // INCA_VALIDATION_MANY_RUNS_H
