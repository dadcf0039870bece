/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/other-orders.h"

#include "base/errors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

namespace inca
{

namespace
{

/** Of 3 workers with values 2^24, 1 and 1, @p elements times. */
std::shared_ptr<TrainingJob>
JobOfThree(const std::string& algorithm, std::uint64_t elements)
{
    ExchangeSpec spec;
    spec.algorithm = algorithm;
    spec.workers = 3;
    auto job = MakeTensorJob(spec, elements);
    job->ownGradient = [](Rank worker, ElementRange range, float* out) {
        std::fill_n(out, range.count, worker == 0 ? 0x1p24F : 1);
    };
    return job;
}

/** @param block values that are added together */
std::shared_ptr<TrainingJob>
JobOverSwitches(WordSum adder, std::uint32_t block)
{
    auto job = JobOfThree("switch-slots", 10);
    ReductionSpec spec;
    spec.workers = 3;
    spec.adder = adder;
    spec.valuesPerPacket = block;
    job->chunks.front().rounds.front().hooks.network = MakeNetworkReduction(spec);
    return job;
}

} // namespace

/* (2^24 + 1) + 1 is 2^24 in fp32; 1 + 1 + 2^24, as rotated, is 2^24 + 2: all values change, on 3 workers. Of integers none does. */
TEST(OtherOrders, ChangeWhatSwitchesRound)
{
    const auto changes = ReplayInOtherOrders(*JobOverSwitches(WordSum::FP32, 1), true);
    EXPECT_EQ(changes.values, 30U);
    EXPECT_EQ(changes.changed, 30U);
    EXPECT_THROW(ReplayInOtherOrders(*JobOverSwitches(WordSum::FP32, 1), false), InvariantError);
    EXPECT_EQ(ReplayInOtherOrders(*JobOverSwitches(WordSum::INT32, 4), false).changed, 0U);
}

/* Hosts wait for what their plan adds next. */
TEST(OtherOrders, ChangeNothingOnHosts)
{
    for (const auto* algorithm : {"ring", "tree", "worker-aggregator", "parameter-server"})
    {
        const auto changes = ReplayInOtherOrders(*JobOfThree(algorithm, 10), false);
        EXPECT_EQ(changes.values, 30U) << algorithm;
        EXPECT_EQ(changes.changed, 0U) << algorithm;
    }
}

/* NaN is NaN, whatever is in it. */
TEST(OtherOrders, TakeNanAsANumberLikeOthers)
{
    auto job = JobOverSwitches(WordSum::FP32, 1);
    job->ownGradient = [](Rank worker, ElementRange range, float* out) {
        std::fill_n(out, range.count, std::nanf(worker == 0 ? "1" : "2"));
    };
    EXPECT_EQ(ReplayInOtherOrders(*job, false).changed, 0U);
}

} // namespace inca
