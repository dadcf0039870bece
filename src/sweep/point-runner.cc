/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/point-runner.h"

#include "base/errors.h"
#include "experiment/run-experiment.h"

namespace inca
{

PointOutcome
RunPoint(const Scenario& scenario)
{
    const auto firstLine = [](const std::string& text) { return text.substr(0, text.find('\n')); };
    try
    {
        return {RunExperiment(scenario, {}), {}};
    }
    catch (const InputError& error)
    {
        return {{}, firstLine(error.what())};
    }
    catch (const RunError& error)
    {
        return {{}, firstLine(error.what())};
    }
}

} // namespace inca
