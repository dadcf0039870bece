/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/sweep.h"

#include "base/errors.h"
#include "experiment/run-experiment.h"
#include "scenario/grid.h"
#include "scenario/scenario-reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace inca
{

namespace
{

void
AddOnce(std::vector<std::string>& all, const std::vector<std::string>& more)
{
    for (const auto& text : more)
    {
        if (std::find(all.begin(), all.end(), text) == all.end())
        {
            all.push_back(text);
        }
    }
}

RunRecord
RunPoint(const SweepPoint& point, const std::function<void(double share)>& onProgress)
{
    try
    {
        return RunExperiment(point.scenario, onProgress);
    }
    catch (const InputError& error)
    {
        throw InputError(fmt::format("at {}: {}", fmt::join(point.varied, " "), error.what()));
    }
}

} // namespace

SweepPlan
PlanSweep(const std::string& scenarioPath,
          const std::vector<std::string>& settings,
          const std::vector<std::string>& vary)
{
    SweepPlan plan;
    std::vector<std::string> complaints;
    for (const auto& varied : ExpandGrid(vary))
    {
        try
        {
            auto loaded = ReadScenario(scenarioPath, settings, varied);
            AddOnce(plan.warnings, loaded.warnings);
            plan.points.push_back({varied, std::move(loaded.scenario)});
        }
        catch (const InputError& error)
        {
            AddOnce(complaints, error.Complaints());
        }
    }
    if (!complaints.empty())
    {
        throw InputError(complaints);
    }
    return plan;
}

void
RunSweep(const SweepPlan& plan,
         const std::function<void(const SweepPoint&, const RunRecord&)>& onRecord,
         const std::function<void(double share)>& onProgress)
{
    const auto count = static_cast<double>(plan.points.size());
    for (std::size_t i = 0; i < plan.points.size(); ++i)
    {
        const auto record = RunPoint(plan.points[i], [&](double share) {
            onProgress((static_cast<double>(i) + share) / count);
        });
        onRecord(plan.points[i], record);
    }
}

} // namespace inca
