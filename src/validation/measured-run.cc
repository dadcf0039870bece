/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/measured-run.h"

namespace inca
{

MeasuredRun
Measure(const Scenario& scenario, const ScenarioRunner& run, const ValidationProgress& onProgress)
{
    const auto results = run(scenario, onProgress).results;
    return {scenario, results.exchangeTimePs.value_or(0), results.iterationEndsPs, results.shares};
}

} // namespace inca
