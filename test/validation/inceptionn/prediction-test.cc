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

RunResults
Results()
{
    RunResults results;
    results.shares.forwardPs = 7 * g_ms;
    results.shares.sumPs = 20 * g_ms;
    results.shares.communicationPs = 90 * g_ms;
    results.achievedRatio = 5.5;
    return results;
}

TEST(PredictionOf, IsTheCommunicationOfTheBreakdown)
{
    const auto prediction = PredictionOf(Results(), InceptionnSystem::RING);
    EXPECT_DOUBLE_EQ(prediction.communicationSeconds, 0.090);
}

/* The breakdown covers both iterations: 90 / 2 = 45 ms. */
TEST(PredictionOf, IsPerIteration)
{
    auto results = Results();
    results.measuredIterations = 2;
    const auto prediction = PredictionOf(results, InceptionnSystem::RING);
    EXPECT_DOUBLE_EQ(prediction.communicationSeconds, 0.045);
}

TEST(PredictionOf, HasARatioWhereSomethingIsCompressed)
{
    const auto ratio = [](InceptionnSystem system) {
        return PredictionOf(Results(), system).ratio;
    };
    EXPECT_EQ(ratio(InceptionnSystem::RING_COMPRESSED), 5.5);
    EXPECT_EQ(ratio(InceptionnSystem::WA_COMPRESSED), 5.5);
    EXPECT_FALSE(ratio(InceptionnSystem::RING));
    EXPECT_FALSE(ratio(InceptionnSystem::WA));
}

} // namespace

} // namespace inca
