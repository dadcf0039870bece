/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/validation.h"

#include "base/errors.h"
#include "base/nearest.h"
#include "scenario/scenario-reader.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace inca
{

namespace
{

/**
 * @return those of @p known that are asked for, in the order of @p known; all of them if none is
 * @throws InputError if one that is asked for is not known, naming the nearest
 */
std::vector<std::string>
ChosenModels(const std::vector<std::string>& asked, const std::vector<std::string>& known)
{
    for (const auto& name : asked)
    {
        if (!IsAmong(name, known))
        {
            throw InputError("--model: " + UnknownName(name, known));
        }
    }
    std::vector<std::string> chosen;
    for (const auto& name : known)
    {
        if (asked.empty() || IsAmong(name, asked))
        {
            chosen.push_back(name);
        }
    }
    return chosen;
}

/** @throws InputError if a setting cannot be applied; @p validation is what it calls the scenario */
Scenario
WithSettings(const Scenario& scenario,
             const std::string& validation,
             const std::vector<std::string>& settings)
{
    if (settings.empty())
    {
        return scenario;
    }
    auto changed = ParseScenario(FormatScenario(scenario), validation, settings).scenario;
    changed.training.readTrace = scenario.training.readTrace; // which no file says
    return changed;
}

/** @throws InputError if one of @p settings is of one of @p keys */
void
RefuseKeys(const std::vector<std::string>& settings, const std::vector<std::string>& keys)
{
    for (const auto& setting : settings)
    {
        const auto key = setting.substr(0, setting.find('='));
        if (IsAmong(key, keys))
        {
            throw InputError("--set: " + key + ": the validation sets it in every run");
        }
    }
}

/** A report's first lines: @p title, and a line for every setting, of the mode of simulation always. */
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

/** Changes all scenarios of @p planned by the request's settings and runs them, one after the other. Says how far all are. */
std::vector<MeasuredRun>
MeasureAll(const std::string& validation,
           const std::vector<PlannedRun>& planned,
           const ValidationRequest& request)
{
    const auto add = [](double sum, const PlannedRun& run) { return sum + run.work; };
    const auto whole = std::accumulate(planned.begin(), planned.end(), 0.0, add);
    double done = 0;
    std::vector<MeasuredRun> measured;
    for (const auto& [original, work] : planned)
    {
        const auto scenario = WithSettings(original, validation, request.settings);
        const auto onProgress = [&, ofRun = work](double share) {
            request.onProgress((done + share * ofRun) / whole);
        };
        measured.push_back({scenario, request.run(scenario, onProgress).results});
        done += work;
        onProgress(0);
    }
    return measured;
}

} // namespace

const std::vector<Validation>&
ValidationCatalog()
{
    static const std::vector<Validation> validations{
        InceptionnValidation(), SwitchValidation(), HomomorphicValidation(), MlperfValidation()};
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
    auto ofParts = request;
    ofParts.run = [&](const Scenario& scenario, const RunProgress& onProgress) {
        return request.run(WithSettings(scenario, validation.name, request.settings), onProgress);
    };
    std::vector<ValidationPart> parts;
    std::vector<PlannedRun> planned;
    for (const auto& model : ChosenModels(request.models, validation.models))
    {
        parts.push_back(validation.part(model, ofParts));
        planned.insert(planned.end(), parts.back().runs.begin(), parts.back().runs.end());
    }
    const auto measured = MeasureAll(validation.name, planned, request);
    ValidationReport report{validation.name,
                            planned.empty() && request.settings.empty()
                                ? validation.title
                                : TitleWithSettings(validation.title, request.settings),
                            {}};
    auto begin = measured.begin();
    for (const auto& part : parts)
    {
        const auto end = begin + static_cast<std::ptrdiff_t>(part.runs.size());
        const auto found = part.compare({begin, end});
        report.comparisons.insert(report.comparisons.end(), found.begin(), found.end());
        begin = end;
    }
    return report;
}

} // namespace inca
