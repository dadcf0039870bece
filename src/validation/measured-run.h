/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_MEASURED_RUN_H
#define INCA_VALIDATION_MEASURED_RUN_H

#include "record/run-record.h"
#include "scenario/scenario.h"
#include "validation/validation-request.h"

#include <cstdint>
#include <vector>

namespace inca
{

/** What is kept of a run, with the scenario that gave it. */
struct MeasuredRun
{
    Scenario scenario;
    std::int64_t exchangePs{0};                ///< mean, first start to last end
    std::vector<std::int64_t> iterationEndsPs; ///< when the last worker ended each iteration
    TimeShares shares{};                       ///< of the worker that ends last
};

/** Runs a scenario and keeps the figures. @throws what @p run throws */
MeasuredRun Measure(const Scenario& scenario,
                    const ScenarioRunner& run,
                    const ValidationProgress& onProgress);

} // namespace inca

#endif // INCA_VALIDATION_MEASURED_RUN_H
