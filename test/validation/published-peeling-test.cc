/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/published-peeling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace inca
{

namespace
{

using testing::HasSubstr;

PeelingComparison
Compared(double load, double published, double measured)
{
    PeelingComparison comparison{};
    comparison.published = {1024, 103, load, 0.9, published, 10.0, 26};
    comparison.measured = {measured, 0.9, 10, 30};
    return comparison;
}

} // namespace

TEST(CodecPeeling, JudgesSharesByAFactorOfTwo)
{
    EXPECT_EQ(JudgePeeling(Compared(0.5, 0.1, 0.2)), PeelingVerdict::AGREES);
    EXPECT_EQ(JudgePeeling(Compared(0.5, 0.1, 0.21)), PeelingVerdict::DIFFERS);
    EXPECT_EQ(JudgePeeling(Compared(0.5, 0.1, 0.05)), PeelingVerdict::AGREES);
    EXPECT_EQ(JudgePeeling(Compared(0.5, 0.1, 0.04)), PeelingVerdict::DIFFERS);
    EXPECT_EQ(JudgePeeling(Compared(0.8, 0.1, 0.5)), PeelingVerdict::NOT_JUDGED);
}

TEST(CodecPeeling, JudgesRoundsByTheirDifference)
{
    auto comparison = Compared(0.5, 0.1, 0.1);
    comparison.measured.laneRounds = 12;
    EXPECT_EQ(JudgePeeling(comparison), PeelingVerdict::AGREES);
    comparison.measured.laneRounds = 7.9;
    EXPECT_EQ(JudgePeeling(comparison), PeelingVerdict::DIFFERS);
    comparison.published.meanRounds.reset();
    EXPECT_EQ(JudgePeeling(comparison), PeelingVerdict::AGREES);
}

/* 3 of 256 lanes are 1.17 %. */
TEST(CodecPeeling, JudgesAPublishedZeroByTheLanesThatStop)
{
    auto comparison = Compared(0.7, 0, 0.01);
    comparison.measured.decodedLanes = 0.989;
    EXPECT_EQ(JudgePeeling(comparison), PeelingVerdict::AGREES);
    comparison.measured.decodedLanes = 0.988;
    EXPECT_EQ(JudgePeeling(comparison), PeelingVerdict::DIFFERS);
}

/* Those that take little time. 1024 rows at load 0.5 are known to differ: what was published is one
 * bucket, of 256 lanes, whose share left scatters by more than a factor of 2 (docs/validation.md). */
TEST(CodecPeeling, MeasuresWhatWasPublished)
{
    std::vector<PeelingComparison> comparisons;
    for (const auto& published : PublishedPeelings())
    {
        if (published.rows <= 256 || (published.rows == 1024 && published.load == 0.5))
        {
            comparisons.push_back(ComparePeeling(published));
        }
    }
    ASSERT_EQ(comparisons.size(), 4U);
    for (const auto& comparison : comparisons)
    {
        EXPECT_EQ(comparison.buckets * comparison.published.rows, 65'536U);
        EXPECT_LE(comparison.fewestLeft, comparison.measured.leftShare);
        EXPECT_GE(comparison.mostLeft, comparison.measured.leftShare);
        const bool isKnown = comparison.published.rows == 1024;
        EXPECT_EQ(JudgePeeling(comparison),
                  isKnown ? PeelingVerdict::DIFFERS : PeelingVerdict::AGREES);
    }
    EXPECT_THAT(PeelingText(comparisons), HasSubstr("3 of 4 judged rows agree"));
    EXPECT_THAT(PeelingText(comparisons), HasSubstr("1024 (103)"));
    const auto csv = PeelingCsv(comparisons);
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 5);
    EXPECT_THAT(csv, HasSubstr("\n256,128,0.1,256,,0,,,measured,"));
}

} // namespace inca
