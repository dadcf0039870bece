/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/sketch-warnings.h"

#include "plan/planned-sketches.h"

#include <gmock/gmock.h>

namespace inca
{

namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string>
WarningsOf(std::optional<double> ratio, const std::vector<PlannedSketch>& sketches)
{
    Scenario scenario;
    scenario.codec.ratio = ratio;
    Warnings warnings;
    WarnOfSketches(scenario, sketches, warnings);
    return TextsOf(warnings);
}

} // namespace

/* Safe is up to one value in a thousand: 0.1 of 100. */
TEST(WarnOfSketches, SaysWhichRatioWouldBeSafe)
{
    EXPECT_THAT(WarningsOf(10, {Sketch(100, 50, 0.5, 100, 0.1)}), IsEmpty());
    EXPECT_THAT(
        WarningsOf(10, {Sketch(100, 50, 0.5, 100, 0), Sketch(100, 10, 2.5, 100, 50)}),
        ElementsAre("codec.ratio: too large for 1 of 2 exchanges: with 100 rows of 1024 "
                    "values in 10 counter rows, and 25 % of them set on some worker, the "
                    "load is 2.5, and 50 % of the set values are expected to be estimates; "
                    "up to 3 is safe. With \"safe\" each takes what it bears, or travels as "
                    "it is"));
}

TEST(WarnOfSketches, SaysThatNoRatioIsSafe)
{
    auto sketch = Sketch(10, 5, 0.5, 100, 50);
    sketch.safeRatio.reset();
    EXPECT_THAT(WarningsOf(2, {sketch}),
                ElementsAre(testing::HasSubstr("no ratio from 0.5 on is safe")));
}

TEST(WarnOfSketches, SaysWhatSafeRatiosLeaveAlone)
{
    EXPECT_THAT(WarningsOf(10, {Uncoded()}), IsEmpty());
    EXPECT_THAT(
        WarningsOf(std::nullopt, {Uncoded(), Sketch(100, 50, 0.5, 100, 0)}),
        ElementsAre("codec.ratio: 1 of 2 exchanges travel as they are: too many of their "
                    "values are set on some worker, or they are too short, for a safe ratio "
                    "to make them smaller"));
}

TEST(WarnOfSketches, SaysThatLayersMayBeSkipped)
{
    Scenario scenario;
    scenario.codec.ratio.reset();
    scenario.codec.skipDensity = 0.5;
    Warnings warnings;
    WarnOfSketches(scenario, {Uncoded()}, warnings);
    EXPECT_THAT(TextsOf(warnings),
                ElementsAre(testing::HasSubstr("codec.skip_density leaves all of them out")));
}

} // namespace inca
