/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/run-record.h"

#include "record/example-record.h"

#include <gtest/gtest.h>

namespace inca
{

TEST(RunRecord, FindsSettingsByColumn)
{
    const auto record = ExampleRecord();
    EXPECT_EQ(record.Setting("workers"), "4");
    EXPECT_EQ(record.Setting("nothing"), "");
}

TEST(RunRecord, SharesAddUpToTheMeasuredTime)
{
    const auto record = ExampleRecord();
    EXPECT_EQ(record.results.shares.TotalPs(),
              record.results.iterationTimePs * record.results.measuredIterations);
}

} // namespace inca
