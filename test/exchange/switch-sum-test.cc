/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/switch-sum.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace inca
{

TEST(SwitchSum, EveryWorkerHandsAllToTheNetworkInOneStep)
{
    const auto plan = MakeSwitchSum({"switch-tree", 5, "flat", 1, 2}, 33);
    EXPECT_EQ(plan->WorkerCount(), 5U);
    EXPECT_EQ(plan->RankCount(), 5U);
    EXPECT_EQ(plan->Elements(), 33U);
    for (Rank worker = 0; worker < 5; ++worker)
    {
        ASSERT_EQ(plan->StepCount(worker), 1U);
        const auto step = plan->At(worker, 0);
        ASSERT_TRUE(step.networkSum.has_value());
        EXPECT_EQ(*step.networkSum, (ElementRange{0, 33}));
        EXPECT_TRUE(step.sends.empty() && step.receives.empty());
        EXPECT_FALSE(step.update);
    }
}

/* Worker w gets the sums of block w and makes weights of them; then all hand on theirs. Or one of both. */
TEST(SwitchSum, IsTwoStepsWhereSharded)
{
    ExchangeSpec spec;
    spec.workers = 3;
    spec.sharded = true;
    const auto halvesOf = [&spec](Halves halves) {
        spec.halves = halves;
        const auto plan = MakeSwitchSum(spec, 33);
        std::vector<Halves> steps;
        for (std::uint32_t step = 0; step < plan->StepCount(1); ++step)
        {
            EXPECT_EQ(*plan->At(1, step).networkSum, (ElementRange{0, 33}));
            steps.push_back(plan->At(1, step).networkHalves);
            EXPECT_EQ(plan->At(1, step).update, steps.back() == Halves::REDUCE_SCATTER);
        }
        return steps;
    };
    using Steps = std::vector<Halves>;
    EXPECT_EQ(halvesOf(Halves::BOTH), (Steps{Halves::REDUCE_SCATTER, Halves::ALL_GATHER}));
    EXPECT_EQ(halvesOf(Halves::REDUCE_SCATTER), Steps{Halves::REDUCE_SCATTER});
    EXPECT_EQ(halvesOf(Halves::ALL_GATHER), Steps{Halves::ALL_GATHER});
}

} // namespace inca
