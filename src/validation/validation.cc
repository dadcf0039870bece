/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/validation.h"

#include "base/errors.h"
#include "base/nearest.h"
#include "record/share-parts.h"
#include "scenario/scenario-reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>

namespace inca
{

namespace
{

bool
Contains(const std::vector<std::string>& names, const std::string& name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

/** What MeasuredRun keeps, from one process to another. */
std::string
TextOf(const RunResults& results)
{
    auto json = nlohmann::json::array({results.measuredIterations,
                                       results.iterationEndsPs,
                                       results.exchangeTimePs.value_or(0),
                                       results.achievedRatio.value_or(0)});
    for (const auto& part : g_shareParts)
    {
        json.push_back(results.shares.*part.ps);
    }
    return json.dump();
}

RunResults
ResultsIn(const std::string& text)
{
    const auto json = nlohmann::json::parse(text);
    RunResults results;
    json.at(0).get_to(results.measuredIterations);
    json.at(1).get_to(results.iterationEndsPs);
    results.exchangeTimePs = json.at(2).get<std::int64_t>();
    if (const auto ratio = json.at(3).get<double>(); ratio > 0)
    {
        results.achievedRatio = ratio;
    }
    for (std::size_t i = 0; i < g_shareParts.size(); ++i)
    {
        json.at(4 + i).get_to(results.shares.*g_shareParts[i].ps);
    }
    return results;
}

} // namespace

std::vector<std::string>
ChosenModels(const std::vector<std::string>& asked, const std::vector<std::string>& known)
{
    for (const auto& name : asked)
    {
        if (!Contains(known, name))
        {
            throw InputError("--model: " + UnknownName(name, known));
        }
    }
    std::vector<std::string> chosen;
    for (const auto& name : known)
    {
        if (asked.empty() || Contains(asked, name))
        {
            chosen.push_back(name);
        }
    }
    return chosen;
}

Scenario
WithSettings(const Scenario& scenario,
             const std::string& validation,
             const std::vector<std::string>& settings)
{
    return settings.empty()
               ? scenario
               : ParseScenario(FormatScenario(scenario), validation, settings).scenario;
}

void
RefuseKeys(const std::vector<std::string>& settings, const std::vector<std::string>& keys)
{
    for (const auto& setting : settings)
    {
        const auto key = setting.substr(0, setting.find('='));
        if (Contains(keys, key))
        {
            throw InputError("--set: " + key + ": the validation sets it in every run");
        }
    }
}

std::string
TitleWithSettings(const std::string& title, const std::vector<std::string>& settings)
{
    const std::string modeKey = "simulation.mode=";
    const bool hasMode = std::any_of(settings.begin(), settings.end(), [&](const auto& setting) {
        return setting.rfind(modeKey, 0) == 0;
    });
    auto text = title;
    for (const auto& setting : settings)
    {
        text += "\n  with " + setting;
    }
    return hasMode ? text : text + "\n  with " + modeKey + "auto";
}

std::vector<MeasuredRun>
MeasureAll(const std::string& validation,
           const std::vector<PlannedRun>& planned,
           const ValidationRequest& request)
{
    std::vector<MeasuredRun> measured;
    for (const auto& run : planned)
    {
        measured.push_back({WithSettings(run.scenario, validation, request.settings), {}});
    }
    std::vector<PooledRun> runs;
    for (std::size_t i = 0; i < planned.size(); ++i)
    {
        const auto& scenario = measured[i].scenario;
        runs.push_back({[&scenario, &request](const RunProgress& onProgress) {
                            return TextOf(request.run(scenario, onProgress).results);
                        },
                        planned[i].work});
    }
    const auto results = RunAll(runs, request.jobs, request.onProgress);
    for (std::size_t i = 0; i < results.size(); ++i)
    {
        measured[i].results = ResultsIn(results[i]);
    }
    return measured;
}

ValidationRequest
Phase(const ValidationRequest& request, double from, double to)
{
    auto phase = request;
    if (request.onProgress)
    {
        phase.onProgress = [report = request.onProgress, from, to](double share) {
            report(from + (to - from) * share);
        };
    }
    return phase;
}

const std::vector<Validation>&
ValidationCatalog()
{
    static const std::vector<Validation> validations{
        InceptionnValidation(), SwitchValidation(), HomomorphicValidation()};
    return validations;
}

const Validation&
FindValidation(const std::string& name)
{
    std::vector<std::string> known;
    for (const auto& validation : ValidationCatalog())
    {
        if (name == validation.name)
        {
            return validation;
        }
        known.push_back(validation.name);
    }
    throw InputError("validation: " + UnknownName(name, known));
}

ValidationReport
Validate(const Validation& validation, const ValidationRequest& request)
{
    RefuseKeys(request.settings, validation.fixedKeys);
    const auto parts = validation.parts(ChosenModels(request.models, validation.models), request);
    std::vector<PlannedRun> planned;
    double done = 1; // of the whole work, when the planned runs have ended
    for (const auto& part : parts)
    {
        planned.insert(planned.end(), part.runs.begin(), part.runs.end());
        done -= part.searchShare;
    }
    const auto measured = MeasureAll(validation.name, planned, Phase(request, 0, done));
    ValidationReport report{
        validation.name, TitleWithSettings(validation.title, request.settings), {}};
    auto begin = measured.begin();
    for (const auto& part : parts)
    {
        const auto end = begin + static_cast<std::ptrdiff_t>(part.runs.size());
        const auto found =
            part.compare({begin, end}, Phase(request, done, done + part.searchShare));
        report.comparisons.insert(
            report.comparisons.end(), found.comparisons.begin(), found.comparisons.end());
        report.tables += found.tables;
        done += part.searchShare;
        begin = end;
    }
    return report;
}

} // namespace inca
