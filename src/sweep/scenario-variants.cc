/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/scenario-variants.h"

#include "base/errors.h"
#include "experiment/run-experiment.h"
#include "scenario/keys.h"
#include "scenario/scenario-reader.h"
#include "trace/trace-catalog.h"

#include <algorithm>

namespace inca
{

std::shared_ptr<const GradientTrace>
ReadTraces::Get(const std::string& name)
{
    auto& trace = m_traces[name];
    trace = trace ? trace : std::make_shared<const GradientTrace>(FindTrace(name));
    return trace;
}

std::shared_ptr<const GradientTrace>
ReadTraces::Known(const std::string& name) const
{
    const auto known = m_traces.find(name);
    return known == m_traces.end() ? nullptr : known->second;
}

ScenarioVariants::ScenarioVariants(const std::string& path)
    : m_name(ScenarioName(path)),
      m_text(ReadScenarioText(path))
{
}

LoadedScenario
ScenarioVariants::Make(const std::vector<std::string>& settings, const std::vector<Varied>& varied)
{
    auto loaded = ParseScenario(m_text, m_name, settings, varied);
    auto& training = loaded.scenario.training;
    training.readTrace = m_traces.Get(training.trace);
    if (m_cpuPs && loaded.givenKeys.count("simulation.max_cpu_time") == 0)
    {
        loaded.scenario.simulation.maxCpuPs = *m_cpuPs;
    }
    return loaded;
}

void
IdleInAll::Add(const LoadedScenario& loaded)
{
    ++m_scenarios;
    for (std::size_t i = 0; i < loaded.warnings.size(); ++i)
    {
        auto& [scenarios, texts] = m_warnings[loaded.idleKeys[i]];
        ++scenarios;
        AddOnce(texts, {loaded.warnings[i]});
    }
}

std::vector<std::string>
IdleInAll::Warnings() const
{
    std::vector<std::string> all;
    for (const auto& [key, warnings] : m_warnings)
    {
        AddOnce(all, warnings.first == m_scenarios ? warnings.second : std::vector<std::string>());
    }
    return all;
}

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

std::vector<std::string>
WithoutKeysOf(const std::vector<std::string>& settings, const std::vector<std::string>& others)
{
    const auto keyOf = [](const std::string& setting) {
        return PlainName(setting.substr(0, setting.find('=')));
    };
    std::vector<std::string> left;
    for (const auto& setting : settings)
    {
        const bool isOther = std::any_of(others.begin(), others.end(), [&](const auto& other) {
            return keyOf(other) == keyOf(setting);
        });
        if (!isOther)
        {
            left.push_back(setting);
        }
    }
    return left;
}

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
