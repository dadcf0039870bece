/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/sketch-results.h"

#include "plan/planned-sketches.h"

#include <gmock/gmock.h>

namespace inca
{

namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string>
WarningsOf(const std::vector<PlannedSketch>& sketches, const CountedValues& counted)
{
    Warnings warnings;
    WarnOfDensities(sketches, counted, warnings);
    return TextsOf(warnings);
}

} // namespace

TEST(SketchResultsOf, IsNothingWithoutSketches)
{
    EXPECT_FALSE(SketchResultsOf({}, std::nullopt));
}

/* 300 rows in 100 counter rows; the largest load, and with it rounds, is the second's; 40 + 60 marked. */
TEST(SketchResultsOf, SumsExchangesUp)
{
    const auto results = *SketchResultsOf(
        {Sketch(100, 50, 0.5, 40, 1), Sketch(200, 50, 0.75, 60, 2), Uncoded()}, std::nullopt);
    EXPECT_EQ(results.exchanges, 3U);
    EXPECT_EQ(results.coded, 2U);
    EXPECT_EQ(*results.ratio, 3);
    EXPECT_EQ(results.load, 0.75);
    EXPECT_EQ(results.rounds, 7.5);
    EXPECT_EQ(results.markedValues, 100);
    EXPECT_EQ(results.estimatedValues, 3);
    EXPECT_FALSE(results.counted);
}

TEST(SketchResultsOf, TakesWhatWasCounted)
{
    const auto results = *SketchResultsOf({Sketch(100, 50, 0.5, 40, 1)}, CountedValues{50, 7});
    EXPECT_EQ(results.markedValues, 50);
    EXPECT_EQ(results.estimatedValues, 7);
    EXPECT_TRUE(results.counted);
}

TEST(SketchResultsOf, HasNoRatioIfNothingIsCoded)
{
    EXPECT_FALSE(SketchResultsOf({Uncoded()}, std::nullopt)->ratio);
}

/* 20000 expected, 10 % off is 2000. Of few, 1000 more or less are nothing to speak of. */
TEST(WarnOfDensities, SaysThatValuesAreOtherwise)
{
    const std::vector<PlannedSketch> sketches{Sketch(100, 50, 0.5, 20000, 0)};
    EXPECT_THAT(WarningsOf(sketches, CountedValues{22000, 0}), IsEmpty());
    EXPECT_THAT(WarningsOf(sketches, CountedValues{22001, 0}),
                ElementsAre(testing::HasSubstr("have 22001 set positions")));
    EXPECT_THAT(WarningsOf({Sketch(100, 50, 0.5, 100, 0)}, CountedValues{1100, 0}), IsEmpty());
}

} // namespace inca
