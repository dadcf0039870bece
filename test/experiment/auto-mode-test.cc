/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What auto makes of drawn scenarios, beside packet level.
#include "experiment/drawn-scenario.h"
#include "experiment/run-experiment.h"
#include "record/detail-tables.h"
#include "record/precision.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace inca
{

class AutoMode : public testing::Test
{
  protected:
    /** @return the run at packet level */
    static RunRecord AtPacketLevel(Scenario scenario)
    {
        scenario.simulation.framesPerTrain = 1;
        return RunExperiment(scenario, {});
    }

    static RunRecord InAuto(Scenario scenario)
    {
        scenario.simulation.framesPerTrain.reset();
        return RunExperiment(scenario, {});
    }

    /** Where the row says so, rows of all tables are the same, to the picosecond. */
    static void ExpectSame(const RunRecord& record, const RunRecord& packetLevel)
    {
        EXPECT_THAT(PrecisionOf(record, packetLevel).differing, testing::IsEmpty());
        EXPECT_EQ(LayersCsv(record), LayersCsv(packetLevel));
        EXPECT_EQ(LinksCsv(record), LinksCsv(packetLevel));
        EXPECT_EQ(SwitchesCsv(record), SwitchesCsv(packetLevel));
    }

    static void Compare(const Scenario& scenario)
    {
        const auto record = InAuto(scenario);
        const auto packetLevel = AtPacketLevel(scenario);
        EXPECT_TRUE(PrecisionOf(record, packetLevel).IsSound(record.results.exact));
        if (record.results.exact)
        {
            ExpectSame(record, packetLevel);
        }
    }
};

TEST_F(AutoMode, IsSoundInDrawnScenarios)
{
    const DrawnTraces traces(testing::TempDir());
    for (std::uint32_t number = 0; number < 300; ++number)
    {
        const auto scenario = DrawnScenario(number, traces);
        SCOPED_TRACE(std::to_string(number) + ": " + SettingsOf(scenario));
        Compare(scenario);
    }
}

} // namespace inca
