/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/sweep.h"

#include "base/errors.h"
#include "experiment/run-experiment.h"
#include "scenario/grid.h"
#include "scenario/keys.h"
#include "scenario/scenario-reader.h"
#include "sweep/read-traces.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

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

/** Keys that have no effect, counted by point. */
class PointWarnings
{
  public:
    void Add(const LoadedScenario& loaded)
    {
        for (std::size_t i = 0; i < loaded.warnings.size(); ++i)
        {
            ++m_points[loaded.idleKeys[i]];
            AddOnce(m_texts[loaded.idleKeys[i]], {loaded.warnings[i]});
        }
    }

    /** Of keys that matter at none of @p points: a sweep's points differ in what matters to them. */
    std::vector<std::string> OfAllPoints(std::size_t points) const
    {
        std::vector<std::string> warnings;
        for (const auto& [key, count] : m_points)
        {
            AddOnce(warnings, count == points ? m_texts.at(key) : std::vector<std::string>());
        }
        return warnings;
    }

  private:
    std::map<std::string, std::size_t> m_points;
    std::map<std::string, std::vector<std::string>> m_texts;
};

/** What the file and the command line vary. */
std::vector<Varied>
VariedIn(const std::string& scenario,
         const std::string& name,
         const std::vector<std::string>& settings,
         const std::vector<std::string>& vary)
{
    std::vector<Varied> ofOptions;
    for (const auto& text : vary)
    {
        ofOptions.push_back({text});
    }
    const auto ofFile = ParseSweep(scenario, name);
    if (ofFile.empty() && ofOptions.empty())
    {
        throw InputError(InputPlace{name, 0, 0, SWEEP_KEY},
                         "nothing varies; say what, in the file as vary = "
                         "[\"cluster.workers=2..64:x2\"] or as --vary cluster.workers=2..64:x2");
    }
    return JoinSweeps(ofFile, ofOptions, settings);
}

std::vector<std::string>
TextsOf(const std::vector<Varied>& point)
{
    std::vector<std::string> texts;
    for (const auto& varied : point)
    {
        texts.push_back(varied.text);
    }
    return texts;
}

RunRecord
RunPoint(const SweepPoint& point, const RunProgress& onProgress)
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
    const auto text = ReadScenarioText(scenarioPath);
    const auto name = ScenarioName(scenarioPath);
    SweepPlan plan;
    std::vector<std::string> complaints;
    PointWarnings warnings;
    ReadTraces traces;
    for (const auto& varied : ExpandGrid(VariedIn(text, name, settings, vary)))
    {
        try
        {
            auto loaded = ParseScenario(text, name, settings, varied);
            loaded.scenario.training.readTrace = traces.Get(loaded.scenario.training.trace);
            warnings.Add(loaded);
            plan.points.push_back({TextsOf(varied), std::move(loaded.scenario)});
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
    plan.warnings = warnings.OfAllPoints(plan.points.size());
    return plan;
}

void
RunSweep(const SweepPlan& plan,
         const std::function<void(const SweepPoint&, const RunRecord&)>& onRecord,
         const RunProgress& onProgress)
{
    std::vector<PooledRun> runs;
    for (const auto& point : plan.points)
    {
        runs.push_back({[&point](const RunProgress& tell) { return RunPoint(point, tell); }});
    }
    constexpr std::uint32_t jobs = 1; // so that every run tells how far it is
    const auto hand = [&](std::size_t index, const RunRecord& record) {
        onRecord(plan.points[index], record);
    };
    RunAll(runs, jobs, hand, onProgress);
}

} // namespace inca
