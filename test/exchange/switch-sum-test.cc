/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/switch-sum.h"

#include <gtest/gtest.h>

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

} // namespace inca
