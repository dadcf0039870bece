/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/inceptionn-prediction.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

constexpr std::int64_t g_ms = 1'000'000'000;             ///< in ps
constexpr std::uint64_t g_sumBytesPerSecond = 1'000'000; ///< 1000 bytes a millisecond

/** 4 workers, a gradient of 400 + 600 values = 4000 bytes, 90 ms of communication, 20 ms of sums. */
RunRecord
Record()
{
    RunRecord record;
    record.results.shares.forwardPs = 7 * g_ms;
    record.results.shares.sumPs = 20 * g_ms;
    record.results.shares.communicationPs = 90 * g_ms;
    record.results.achievedRatio = 5.5;
    for (std::uint32_t worker = 0; worker < 4; ++worker)
    {
        for (const std::uint64_t elements : {400, 600})
        {
            LayerRow row;
            row.worker = worker;
            row.elements = elements;
            record.layers.push_back(row);
        }
    }
    return record;
}

/* The aggregator adds 3 * 4000 bytes in 12 ms: 90 + 20 - 12 = 98 ms. */
TEST(PredictionOf, WaLessTheAggregatorsSums)
{
    const auto prediction = PredictionOf(Record(), InceptionnSystem::WA, g_sumBytesPerSecond);
    EXPECT_DOUBLE_EQ(prediction.communicationSeconds, 0.098);
}

/* A ring worker adds 3/4 * 4000 bytes in 3 ms: 90 + 20 - 3 = 107 ms. */
TEST(PredictionOf, RingLessAWorkersOwnSums)
{
    const auto prediction = PredictionOf(Record(), InceptionnSystem::RING, g_sumBytesPerSecond);
    EXPECT_DOUBLE_EQ(prediction.communicationSeconds, 0.107);
}

/* The breakdown covers both iterations: (90 + 20) / 2 - 3 = 52 ms. */
TEST(PredictionOf, IsPerIteration)
{
    auto record = Record();
    record.results.measuredIterations = 2;
    const auto prediction = PredictionOf(record, InceptionnSystem::RING, g_sumBytesPerSecond);
    EXPECT_DOUBLE_EQ(prediction.communicationSeconds, 0.052);
}

/* A rate of 0 means that a host adds at no cost: 90 + 20 ms remain. */
TEST(PredictionOf, SumsThatCostNothingTakeNothingAway)
{
    const auto prediction = PredictionOf(Record(), InceptionnSystem::RING, 0);
    EXPECT_DOUBLE_EQ(prediction.communicationSeconds, 0.110);
}

TEST(PredictionOf, HasARatioWhereSomethingIsCompressed)
{
    const auto ratio = [](InceptionnSystem system) {
        return PredictionOf(Record(), system, g_sumBytesPerSecond).ratio;
    };
    EXPECT_EQ(ratio(InceptionnSystem::RING_COMPRESSED), 5.5);
    EXPECT_EQ(ratio(InceptionnSystem::WA_COMPRESSED), 5.5);
    EXPECT_FALSE(ratio(InceptionnSystem::RING));
    EXPECT_FALSE(ratio(InceptionnSystem::WA));
}

} // namespace

} // namespace inca
