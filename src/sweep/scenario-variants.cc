/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/scenario-variants.h"

#include "scenario/keys.h"
#include "scenario/scenario-reader.h"

#include <algorithm>

namespace inca
{

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

} // namespace inca
