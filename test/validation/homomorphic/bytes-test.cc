/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/homomorphic/bytes.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace inca
{

namespace
{

TEST(HomomorphicBytes, AgreeWithArithmetic)
{
    const auto figures = HomomorphicBytes("bytes");
    EXPECT_EQ(std::count_if(figures.begin(), figures.end(), IsJudged), 6);
    EXPECT_EQ(std::count_if(figures.begin(), figures.end(), Misses), 0);
}

/* Two ratios, then each model with the reported zeros, then each as in its trace: not judged. */
TEST(HomomorphicBytes, JudgeNoTrace)
{
    const auto figures = HomomorphicBytes("bytes");
    ASSERT_EQ(figures.size(), 10U);
    for (std::size_t i = 0; i < figures.size(); ++i)
    {
        EXPECT_EQ(IsJudged(figures[i]), i < 6) << figures[i].figure;
        EXPECT_TRUE(figures[i].published.has_value());
        EXPECT_EQ(figures[i].published->publishedClass, PublishedClass::DERIVED);
    }
}

} // namespace

} // namespace inca
