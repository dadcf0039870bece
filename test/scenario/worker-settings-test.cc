/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/worker-settings.h"

#include "base/units.h"

#include <gtest/gtest.h>

namespace inca
{

TEST(WorkerSettings, KeepWorkersInOrder)
{
    Scenario scenario;
    SetWorker(scenario, "7.bandwidth", "1Gbps");
    SetWorker(scenario, "2.compute_scale", "1.5");
    SetWorker(scenario, "7.compute_scale", "2");
    ASSERT_EQ(scenario.cluster.overrides.size(), 2U);
    const auto settings = WorkerSettings(scenario);
    ASSERT_EQ(settings.size(), 3U);
    EXPECT_EQ(settings[0].key + "=" + settings[0].text, "2.compute_scale=1.5");
    EXPECT_EQ(settings[1].key + "=" + settings[1].text, "7.bandwidth=1Gbps");
    EXPECT_EQ(settings[2].key + "=" + settings[2].text, "7.compute_scale=2");
}

TEST(WorkerSettings, RefuseWhatIsNoWorkerAndNoKey)
{
    for (const auto* name :
         {"", "3", "x.bandwidth", ".bandwidth", "3.", "65536.bandwidth", "3.mtu"})
    {
        Scenario scenario;
        EXPECT_THROW(SetWorker(scenario, name, "1Gbps"), UnitError) << name;
        EXPECT_TRUE(scenario.cluster.overrides.empty()) << name;
    }
}

TEST(WorkerSettings, RefuseValuesOutOfRange)
{
    Scenario scenario;
    EXPECT_THROW(SetWorker(scenario, "1.compute_scale", "0"), UnitError);
    EXPECT_THROW(SetWorker(scenario, "1.compute_scale", "inf"), UnitError);
    EXPECT_THROW(SetWorker(scenario, "1.bandwidth", "0bps"), UnitError);
}

} // namespace inca
