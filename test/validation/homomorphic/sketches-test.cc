/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/homomorphic/sketches.h"

#include "validation/homomorphic/scenarios.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

constexpr std::uint64_t g_values = 1ULL << 27U;

/* 1 bit: 4 / (1/8 + 4/r) = 6.33 => r = 4 / (4/6.33 - 1/8) = 7.891; 4 bits: 4 / (4/6.33 - 1/2) = 30.32.
 * Counter rows are whole: 131,072 rows at 30 are 4369.07, so a row more or less is 0.02 %. */
TEST(RatioByBytes, SolvesIndexAndCounters)
{
    EXPECT_NEAR(RatioByBytes("bits-1", 6.33).value(), 7.891, 0.002);
    EXPECT_NEAR(RatioByBytes("bits-4", 6.33).value(), 30.32, 0.01);
}

/* An index of 4 bits alone is an eighth of the values. */
TEST(RatioByBytes, IsNoneBeyondTheIndexAlone)
{
    EXPECT_TRUE(RatioByBytes("bits-4", 7.9).has_value());
    EXPECT_FALSE(RatioByBytes("bits-4", 8.1).has_value());
}

/* 2^27 values are 131,072 rows: at ratio 10 13,108 counter rows (131,072 / 10 = 13,107.2) of 1024, and
 * 2^27 / 8 index words of 4 bits. Load: 0.05 x 131,072 / 13,108 = 0.49997. */
TEST(SketchesOf, CountTheBenchmark)
{
    const auto sketches = SketchesOf(BenchmarkCompressed({"bits-4", "dependent", 10}, 10));
    EXPECT_EQ(sketches.values, g_values);
    EXPECT_EQ(sketches.indexWords, g_values / 8);
    EXPECT_EQ(sketches.otherWords, 13'108U * 1024U);
    EXPECT_NEAR(sketches.load, 0.49997, 1e-5);
    EXPECT_NEAR(sketches.ratio.value(), 131'072.0 / 13'108, 1e-9);
    EXPECT_LT(sketches.estimatedShare, 1e-3);
    const double words = 131'072.0 * 128 + 13'108.0 * 1024;
    EXPECT_DOUBLE_EQ(sketches.Reduction(), static_cast<double>(g_values) / words);
    EXPECT_DOUBLE_EQ(sketches.IndexShare(), 131'072.0 * 128 / words);
}

/* VGG-19: 68 % set in each of four workers leave 1 % zeros in their union; no ratio is safe. */
TEST(SketchesOf, LeaveDenseUnionsUncoded)
{
    const auto sketches = SketchesOf(ModelCompressed({"vgg-19", "ring", 10}, {{}, false}, true));
    EXPECT_FALSE(sketches.ratio.has_value());
    EXPECT_EQ(sketches.indexWords, 0U);
    EXPECT_EQ(sketches.otherWords, sketches.values);
    EXPECT_EQ(sketches.Reduction(), 1);
    EXPECT_EQ(sketches.estimatedShare, 0);
}

} // namespace

} // namespace inca
