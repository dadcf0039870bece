/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/rank-load.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

/** A chain: in each step a message of 10 values from the worker before, and one to the worker behind. */
class LongChain : public StepPlan
{
  public:
    LongChain()
        : StepPlan(3, 0, 10'000'000'000)
    {
    }

    std::uint32_t StepCount(Rank /*rank*/) const override
    {
        return 1'000'000'000;
    }

    Step At(Rank rank, std::uint32_t step) const override
    {
        ++asked;
        Step one;
        one.receives = {{rank - 1, {10ULL * step, 10}, PayloadKind::GRADIENT}};
        one.sends = {{rank + 1, {10ULL * step, 10}, PayloadKind::GRADIENT}};
        return one;
    }

    mutable std::uint64_t asked{0};
};

} // namespace

/* A tree over 1 TB in chunks of 64 KiB took 15 s of CPU time to be refused: each of 15 million steps was asked for. */
TEST(HugePlansAreWalkedBeforeTheyAreRefused, AFewStepsTellWhatAllMove)
{
    const LongChain plan;
    const auto [traffic, times] = SampleLoad(plan, 1, 1000);
    EXPECT_LE(plan.asked, 1000U);
    EXPECT_DOUBLE_EQ(times * static_cast<double>(traffic.gradient.receivedMessages), 1e9);
    EXPECT_DOUBLE_EQ(times * static_cast<double>(traffic.gradient.receivedElements), 1e10);
}

} // namespace inca
