/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_VALIDATION_VALIDATION_FIXTURE_H
#define INCA_TEST_VALIDATION_VALIDATION_FIXTURE_H

#include "scenario/keys.h"
#include "scenario/scenario-reader.h"
#include "validation/validation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

/** Every setting, defaults included, a line each. */
inline std::string
SettingsText(const Scenario& scenario)
{
    std::string text;
    for (const auto& setting : ResolvedSettings(scenario))
    {
        text += setting.table + "." + setting.key + " = " + setting.text + "\n";
    }
    return text;
}

/** @p scenario must be one that a file can say, without warnings. */
inline void
ExpectReadAsMade(const Scenario& scenario)
{
    const auto read = ParseScenario(FormatScenario(scenario), "made", {});
    EXPECT_EQ(SettingsText(read.scenario), SettingsText(scenario));
    EXPECT_TRUE(read.warnings.empty()) << read.warnings.front();
}

/** Remembers what was run; what a run gives is made up. */
class FakeRuns
{
  public:
    explicit FakeRuns(std::function<RunResults(const Scenario&)> results)
        : m_results(std::move(results))
    {
    }

    ValidationRequest Request(std::vector<std::string> models,
                              std::vector<std::string> settings = {})
    {
        ValidationRequest request;
        request.models = std::move(models);
        request.settings = std::move(settings);
        request.seeds = 2;
        request.run = [this](const Scenario& scenario, const RunProgress& onProgress) {
            scenarios.push_back(scenario);
            if (onProgress)
            {
                onProgress(0.5);
            }
            RunRecord record;
            record.results = m_results(scenario);
            return record;
        };
        request.onProgress = [this](double share) { progress.push_back(share); };
        return request;
    }

    std::vector<Scenario> scenarios;
    std::vector<double> progress;

  private:
    std::function<RunResults(const Scenario&)> m_results;
};

/** @return the first of @p figures of that name, of that source where one is given */
inline const Comparison&
FindFigure(const std::vector<Comparison>& figures,
           const std::string& system,
           const std::string& figure,
           const std::string& source = "")
{
    const auto found = std::find_if(figures.begin(), figures.end(), [&](const Comparison& one) {
        return one.system == system && one.figure == figure &&
               (source.empty() || (one.published && one.published->source == source));
    });
    if (found == figures.end())
    {
        throw std::out_of_range(system + ", " + figure + ", " + source);
    }
    return *found;
}

} // namespace inca

#endif // INCA_TEST_VALIDATION_VALIDATION_FIXTURE_H
