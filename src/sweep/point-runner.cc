/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/point-runner.h"

#include "base/errors.h"
#include "experiment/run-experiment.h"

#include <memory>
#include <utility>

namespace inca
{

namespace
{

PointOutcome
RunPoint(const Scenario& scenario)
{
    try
    {
        return {RunExperiment(scenario, {}), {}};
    }
    catch (const InputError& error)
    {
        return {{}, FirstLine(error.what())};
    }
    catch (const RunError& error)
    {
        return {{}, FirstLine(error.what())};
    }
}

} // namespace

std::vector<PointOutcome>
RunPoints(const std::vector<Scenario>& scenarios)
{
    return TellingRunner([](std::size_t) {})(scenarios);
}

PointRunner
TellingRunner(std::function<void(std::size_t runs)> onRun)
{
    return [onRun = std::move(onRun),
            runs = std::make_shared<std::size_t>(0)](const std::vector<Scenario>& scenarios) {
        std::vector<PointOutcome> outcomes;
        for (const auto& scenario : scenarios)
        {
            outcomes.push_back(RunPoint(scenario));
            onRun(++*runs);
        }
        return outcomes;
    };
}

std::string
FirstLine(const std::string& text)
{
    return text.substr(0, text.find('\n'));
}

} // namespace inca
