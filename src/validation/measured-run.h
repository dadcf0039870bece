/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_MEASURED_RUN_H
#define INCA_VALIDATION_MEASURED_RUN_H

#include "record/run-record.h"
#include "scenario/scenario.h"
#include "validation/validation-request.h"

#include <cstdint>
#include <string>
#include <vector>

namespace inca
{

/** A run that a validation needs. */
struct PlannedRun
{
    Scenario scenario;
    double work{1}; ///< how long it takes, against the others
};

/** What is kept of a run, with the scenario that gave it. */
struct MeasuredRun
{
    Scenario scenario;
    RunResults results;

    /** Mean, first start to last end; 0 if nothing was exchanged. */
    std::int64_t ExchangePs() const
    {
        return results.exchangeTimePs.value_or(0);
    }
};

/**
 * Changes all scenarios of @p planned by the request's settings and runs them, as many at once as it says.
 * @param validation what complaints call the scenarios
 * @return the runs in their order
 * @throws InputError as WithSettings does, before anything runs; else as RunAll does
 */
std::vector<MeasuredRun> MeasureAll(const std::string& validation,
                                    const std::vector<PlannedRun>& planned,
                                    const ValidationRequest& request);

} // namespace inca

#endif // INCA_VALIDATION_MEASURED_RUN_H
