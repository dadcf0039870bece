/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/gradient-type.h"

#include "base/errors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace inca
{

/* 8 significant bits make 2^-8 of half a step, 11 make 2^-11; the largest bf16 is (2 - 2^-7) 2^127, the
 * largest fp16 (2 - 2^-10) 2^15. */
TEST(GradientType, KnowsItsPrecision)
{
    const auto bf16 = GradientTypeNamed("bf16");
    EXPECT_EQ(bf16.bytes, 2U);
    EXPECT_EQ(bf16.unitRoundoff, std::ldexp(1, -8));
    EXPECT_EQ(bf16.largest, std::ldexp(2 - std::ldexp(1, -7), 127));
    const auto fp16 = GradientTypeNamed("fp16");
    EXPECT_EQ(fp16.bytes, 2U);
    EXPECT_EQ(fp16.unitRoundoff, std::ldexp(1, -11));
    EXPECT_EQ(fp16.largest, 65504);
    const auto fp32 = GradientTypeNamed("fp32");
    EXPECT_EQ(fp32.bytes, 4U);
    EXPECT_EQ(fp32.unitRoundoff, std::ldexp(1, -24));
    EXPECT_EQ(fp32.narrow, nullptr);
    EXPECT_THROW(GradientTypeNamed("fp8"), InputError);
}

/* Above 256 bf16 counts in steps of 2, above 2048 fp16 does: halves go to the even neighbour. */
TEST(GradientType, RoundsToNearestEven)
{
    EXPECT_EQ(GradientTypeNamed("bf16").Rounded(257), 256);
    EXPECT_EQ(GradientTypeNamed("bf16").Rounded(259), 260);
    EXPECT_EQ(GradientTypeNamed("fp16").Rounded(2049), 2048);
    EXPECT_EQ(GradientTypeNamed("fp16").Rounded(65520), std::numeric_limits<float>::infinity());
    EXPECT_EQ(GradientTypeNamed("fp32").Rounded(257), 257);
}

} // namespace inca
