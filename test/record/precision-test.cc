/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/precision.h"

#include "record/example-record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Precision, OfTheSameIsPerfect)
{
    const auto precision = PrecisionOf(ExampleRecord(), ExampleRecord());
    EXPECT_EQ(precision.iterationError, 0);
    EXPECT_EQ(precision.communicationError, 0);
    EXPECT_EQ(precision.exchangeError, 0);
    EXPECT_THAT(precision.differing, IsEmpty());
    EXPECT_TRUE(precision.IsSound(true));
}

/* How a run was made is no result. */
TEST(Precision, LeavesOutHowARunWasMade)
{
    auto record = ExampleRecord();
    record.results.exact = false;
    record.results.packetLevelShare = 0.25;
    EXPECT_THAT(PrecisionOf(record, ExampleRecord()).differing, IsEmpty());
}

/* An iteration of 1.5 s that is said to take 1.503: 0.2 %, within the bound of 0.5 % but not exact. 1.2 s
 * for the exchange of 1 s are 20 %. */
TEST(Precision, MeasuresErrorsAgainstPacketLevel)
{
    auto record = ExampleRecord();
    record.results.iterationTimePs += 3'000'000'000;
    auto precision = PrecisionOf(record, ExampleRecord());
    EXPECT_NEAR(precision.iterationError, 0.002, 1e-12);
    EXPECT_THAT(precision.differing, ElementsAre("iteration_time_s"));
    EXPECT_TRUE(precision.IsSound(false));
    EXPECT_FALSE(precision.IsSound(true));

    record.results.exchangeTimePs = 1'200'000'000'000;
    precision = PrecisionOf(record, ExampleRecord());
    EXPECT_NEAR(precision.exchangeError, 0.2, 1e-12);
    EXPECT_FALSE(precision.IsSound(false));
}

TEST(Precision, BearsNoOtherCounts)
{
    auto record = ExampleRecord();
    record.results.wireBytes += 1;
    EXPECT_FALSE(PrecisionOf(record, ExampleRecord()).sameCounts);
    EXPECT_FALSE(PrecisionOf(record, ExampleRecord()).IsSound(false));
}

} // namespace inca
