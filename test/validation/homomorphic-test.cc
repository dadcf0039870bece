/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation-fixture.h"

#include <gmock/gmock.h>

namespace inca
{

namespace
{

std::vector<Comparison>
FiguresOf(const std::string& model)
{
    FakeRuns fake([](const Scenario&) { return RunResults(); });
    auto figures = Validate(HomomorphicValidation(), fake.Request({model})).comparisons;
    EXPECT_TRUE(fake.scenarios.empty());
    return figures;
}

/* Two ratios, then each model with the reported zeros, then each as in its trace: not judged. 1 bit: 4 / (1/8 + 4/r) = 6.33
 * => r = 4 / (4/6.33 - 1/8) = 7.891; 4 bits: 4 / (4/6.33 - 1/2) = 30.32. Counter rows are whole: 131,072 rows at 30 are
 * 4369.07, so a row more or less is 0.02 %. VGG-19: 68 % set in each of four workers leave 1 % zeros in their union; no ratio
 * is safe, and nothing is coded. */
TEST(ValidateHomomorphic, JudgesBytesByArithmetic)
{
    const auto figures = FiguresOf("bytes");
    ASSERT_EQ(figures.size(), 10U);
    for (std::size_t i = 0; i < figures.size(); ++i)
    {
        EXPECT_EQ(IsJudged(figures[i]), i < 6) << figures[i].figure;
        EXPECT_FALSE(Misses(figures[i])) << figures[i].figure;
        EXPECT_EQ(figures[i].published->publishedClass, PublishedClass::DERIVED);
    }
    EXPECT_NEAR(figures[0].predicted, 7.891, 0.002);
    EXPECT_NEAR(figures[1].predicted, 30.32, 0.01);
    EXPECT_EQ(
        FindFigure(figures, "vgg-19", "bytes reduced, zeros as reported, in all layers").predicted,
        1);
}

/* Of 13 published rows two are at a load of 0.8 and more. Of the 11 others 6 have 1 % of their values left or more, of which
 * 8192 rows at 0.75 are one; 8 say how many lanes were decoded, and 8 how many rounds that took. The forecast, which runs
 * use where only sizes travel, is within half a point of what is measured. */
TEST(ValidateHomomorphic, JudgesHowSketchesDecode)
{
    const auto figures = FiguresOf("peeling");
    EXPECT_EQ(std::count_if(figures.begin(), figures.end(), IsJudged), 4 + 8 + 8);
    EXPECT_EQ(std::count_if(figures.begin(), figures.end(), Misses), 0);
    const auto& all =
        FindFigure(figures, "65536 rows, 6554 of counters, load 0.5", "lanes decoded");
    EXPECT_EQ(all.predicted, 100);
    EXPECT_NEAR(*all.limit, 1.17, 0.01);
    EXPECT_FALSE(FindFigure(figures, "1024 rows, 103 of counters, load 0.5", "values left").limit);
    EXPECT_FALSE(
        FindFigure(figures, "65536 rows, 6554 of counters, load 0.8", "lanes decoded").limit);
}

} // namespace

} // namespace inca
