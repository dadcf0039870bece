/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/sample.h"

#include <gtest/gtest.h>

namespace inca
{

/* 2, 4, 6: mean 4, deviation sqrt((4 + 0 + 4) / 2) = 2. Student's t with 2 degrees of freedom leaves 2.5 %
 * above 4.302653: the margin is 4.302653 * 2 / sqrt(3) = 4.968275. */
TEST(Sample, HasStudentsInterval)
{
    const auto sample = SampleOf({2, 4, 6});
    EXPECT_EQ(sample.count, 3U);
    EXPECT_DOUBLE_EQ(sample.mean, 4);
    EXPECT_DOUBLE_EQ(sample.deviation, 2);
    EXPECT_NEAR(sample.margin, 4.968275, 1e-5);
}

TEST(Sample, OfOneValueIsThatValue)
{
    const auto sample = SampleOf({5});
    EXPECT_DOUBLE_EQ(sample.mean, 5);
    EXPECT_EQ(sample.deviation, 0);
    EXPECT_EQ(sample.margin, 0);
}

} // namespace inca
