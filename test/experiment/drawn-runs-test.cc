/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What must hold of any run without loss and jitter.
#include "experiment/drawn-scenario.h"
#include "experiment/run-experiment.h"

#include <gtest/gtest.h>

#include <string>

namespace inca
{

TEST(DrawnRuns, KeepToTheirMeasures)
{
    const DrawnTraces traces(testing::TempDir());
    for (std::uint32_t number = 0; number < 400; ++number)
    {
        const auto scenario = DrawnScenario(number, traces);
        const auto record = RunExperiment(scenario, {});
        const auto& results = record.results;
        const auto what = std::to_string(number) + ": " + SettingsOf(scenario);
        EXPECT_EQ(results.retransmitted, 0U) << what;
        EXPECT_LE(*results.lowerBoundPs, results.iterationTimePs) << what;
        EXPECT_LE(results.scalingEfficiency.value_or(0), 1) << what;
        for (const auto& link : record.links)
        {
            EXPECT_LE(link.utilisation, 1) << link.link << " of " << what;
        }
    }
}

} // namespace inca
