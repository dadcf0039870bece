/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/validation-request.h"

#include "base/errors.h"
#include "base/nearest.h"
#include "scenario/scenario-reader.h"

#include <algorithm>

namespace inca
{

namespace
{

bool
Contains(const std::vector<std::string>& names, const std::string& name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
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

} // namespace inca
