/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/sum-rounding.h"

#include <gtest/gtest.h>

namespace inca
{

/* 256 + 1 + 1 is 258. In bf16, which has steps of 2 there, hosts that round each time hold 256 + 1 = 256, and
 * 256 again: 2 off. With u = 2^-8 up to 2 u 258 = 2.02 may be lost; in fp32 next to nothing. */
TEST(SumRounding, DependsOnTheType)
{
    const auto bf16 = GradientTypeNamed("bf16");
    EXPECT_TRUE(IsOfSomeOrder(2, 258, 3, bf16));
    EXPECT_FALSE(IsOfSomeOrder(2.1, 258, 3, bf16));
    EXPECT_FALSE(IsOfSomeOrder(2, 258, 3));
    EXPECT_FALSE(IsOfSomeOrder(2, 258, 3, GradientTypeNamed("fp16")));
}

/* 65504 is the largest fp16: partial sums of 60000 stay below it, of 65500 some may be infinite. */
TEST(SumRounding, LetsOverflowPass)
{
    const auto fp16 = GradientTypeNamed("fp16");
    EXPECT_FALSE(IsOfSomeOrder(1e9, 60'000, 3, fp16));
    EXPECT_TRUE(IsOfSomeOrder(1e9, 65'500, 3, fp16));
    EXPECT_FALSE(IsOfSomeOrder(1e9, 65'500, 3));
}

} // namespace inca
