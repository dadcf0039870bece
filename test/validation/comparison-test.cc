/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/comparison.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

Comparison
Make(FigureUnit unit, double predicted, double from, double to, std::optional<double> limit)
{
    Comparison comparison;
    comparison.unit = unit;
    comparison.predicted = predicted;
    comparison.published = PublishedValue{from, to, PublishedClass::PRINTED, "a table"};
    comparison.limit = limit;
    return comparison;
}

/* 0.9 s instead of 1.2 s: (0.9 - 1.2) / 1.2 = -0.25. */
TEST(ErrorOf, IsRelativeToThePublishedNumber)
{
    EXPECT_DOUBLE_EQ(*ErrorOf(Make(FigureUnit::SECONDS, 0.9, 1.2, 1.2, {})), -0.25);
}

/* 58.5 % instead of 55 % are 3.5 points, not 6 %. */
TEST(ErrorOf, OfAPercentageIsInPoints)
{
    EXPECT_DOUBLE_EQ(*ErrorOf(Make(FigureUnit::PERCENT, 58.5, 55, 55, {})), 3.5);
}

/* 2..4: 3 lies within; 5 is 25 % over 4; 1 is 50 % under 2. */
TEST(ErrorOf, CountsFromTheNearestEndOfARange)
{
    EXPECT_DOUBLE_EQ(*ErrorOf(Make(FigureUnit::TIMES, 3, 2, 4, {})), 0);
    EXPECT_DOUBLE_EQ(*ErrorOf(Make(FigureUnit::TIMES, 5, 2, 4, {})), 0.25);
    EXPECT_DOUBLE_EQ(*ErrorOf(Make(FigureUnit::TIMES, 1, 2, 4, {})), -0.5);
}

/* 1.3 s with a deviation of 0.1 s lie 3 deviations over 1 s, whatever the unit. */
TEST(ErrorOf, OfADrawnFigureIsInItsDeviations)
{
    auto comparison = Make(FigureUnit::SECONDS, 1.3, 1, 1, 3.5);
    comparison.deviation = 0.1;
    EXPECT_EQ(ErrorScaleOf(comparison), ErrorScale::DEVIATIONS);
    EXPECT_NEAR(*ErrorOf(comparison), 3, 1e-12);
    EXPECT_FALSE(Misses(comparison));
    comparison.predicted = 0.6;
    EXPECT_NEAR(*ErrorOf(comparison), -4, 1e-12);
    EXPECT_TRUE(Misses(comparison));
}

TEST(ErrorOf, IsEmptyWhereNothingWasPublished)
{
    EXPECT_FALSE(ErrorOf(Comparison{}));
}

/* 8 and 12 instead of 10 are 20 % off in either direction. */
TEST(Misses, OnlyBeyondTheLimit)
{
    EXPECT_FALSE(Misses(Make(FigureUnit::SECONDS, 9, 10, 10, 0.15)));
    EXPECT_TRUE(Misses(Make(FigureUnit::SECONDS, 8, 10, 10, 0.15)));
    EXPECT_TRUE(Misses(Make(FigureUnit::SECONDS, 12, 10, 10, 0.15)));
}

TEST(Misses, NeverWithoutALimitOrAPublishedNumber)
{
    EXPECT_FALSE(Misses(Make(FigureUnit::SECONDS, 100, 10, 10, {})));
    Comparison unpublished;
    unpublished.predicted = 100;
    unpublished.limit = 0.05;
    EXPECT_FALSE(IsJudged(unpublished));
    EXPECT_FALSE(Misses(unpublished));
}

TEST(CountMisses, CountsJudgedFiguresAlone)
{
    const ValidationReport report{"name",
                                  "title",
                                  {Make(FigureUnit::SECONDS, 8, 10, 10, 0.15),
                                   Make(FigureUnit::SECONDS, 8, 10, 10, {}),
                                   Make(FigureUnit::SECONDS, 10, 10, 10, 0.15)}};
    EXPECT_EQ(CountMisses(report), 1U);
}

} // namespace

} // namespace inca
