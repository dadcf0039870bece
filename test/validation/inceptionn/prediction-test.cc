/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/inceptionn/prediction.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

constexpr std::int64_t g_ms = 1'000'000'000; ///< in ps

RunRecord
Record()
{
    RunRecord record;
    record.results.shares.forwardPs = 7 * g_ms;
    record.results.shares.sumPs = 20 * g_ms;
    record.results.shares.communicationPs = 90 * g_ms;
    record.results.achievedRatio = 5.5;
    return record;
}

TEST(PredictionOf, IsTheCommunicationOfTheBreakdown)
{
    const auto prediction = PredictionOf(Record(), InceptionnSystem::RING);
    EXPECT_DOUBLE_EQ(prediction.communicationSeconds, 0.090);
}

/* The breakdown covers both iterations: 90 / 2 = 45 ms. */
TEST(PredictionOf, IsPerIteration)
{
    auto record = Record();
    record.results.measuredIterations = 2;
    const auto prediction = PredictionOf(record, InceptionnSystem::RING);
    EXPECT_DOUBLE_EQ(prediction.communicationSeconds, 0.045);
}

TEST(PredictionOf, HasARatioWhereSomethingIsCompressed)
{
    const auto ratio = [](InceptionnSystem system) { return PredictionOf(Record(), system).ratio; };
    EXPECT_EQ(ratio(InceptionnSystem::RING_COMPRESSED), 5.5);
    EXPECT_EQ(ratio(InceptionnSystem::WA_COMPRESSED), 5.5);
    EXPECT_FALSE(ratio(InceptionnSystem::RING));
    EXPECT_FALSE(ratio(InceptionnSystem::WA));
}

} // namespace

} // namespace inca
