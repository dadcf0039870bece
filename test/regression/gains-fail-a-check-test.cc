/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/precision.h"

#include "record/example-record.h"

#include <gtest/gtest.h>

namespace inca
{

/* `inca run --check` compares with a run that is compared with nothing itself. */
TEST(GainsFailACheck, UnlessTheyAreNoResultOfTheRun)
{
    auto record = ExampleRecord();
    record.results.gain = Gain{2, "ring"};
    record.results.gain16Bit = Gain{1.5, "tree"};
    auto packetLevel = ExampleRecord();
    packetLevel.results.gain.reset();
    packetLevel.results.gain16Bit.reset();
    EXPECT_TRUE(PrecisionOf(record, packetLevel).IsSound(true));
}

} // namespace inca
