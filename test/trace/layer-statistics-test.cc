/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/layer-statistics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

namespace
{

LayerStatistics
Densities(double one, double all)
{
    LayerStatistics statistics;
    statistics.density = one;
    statistics.unionDensity = all;
    return statistics;
}

/** The columns that StatisticsComplaints names. */
std::vector<std::string>
BadColumns(const LayerStatistics& statistics, std::optional<std::uint32_t> statsWorkers = 4)
{
    std::vector<std::string> columns;
    for (const auto& complaint : StatisticsComplaints(statistics, statsWorkers))
    {
        columns.push_back(complaint.first);
    }
    return columns;
}

} // namespace

/* d = 0.1: independent (a = 1) 1 - 0.9^4 = 0.3439; same positions (a = 0) 0.1; in between (a = 1/2)
 * 1 - 0.9^2 = 0.19. */
TEST(LayerStatistics, UnionLiesBetweenSameAndIndependentPositions)
{
    EXPECT_NEAR(UnionDensity(0.1, 4, 1), 0.3439, 1e-12);
    EXPECT_NEAR(UnionDensity(0.1, 4, 0), 0.1, 1e-12);
    EXPECT_NEAR(UnionDensity(0.1, 4, 0.5), 0.19, 1e-12);
    EXPECT_EQ(UnionDensity(0, 4, 1), 0);
    EXPECT_EQ(UnionDensity(1, 4, 1), 1);
    EXPECT_NEAR(UnionDensity(0.1, 1, 0.5), 0.1, 1e-12);
}

TEST(LayerStatistics, FitInvertsTheUnion)
{
    for (const double exponent : {0.0, 0.25, 0.5, 1.0})
    {
        const auto statistics = Densities(0.02, UnionDensity(0.02, 8, exponent));
        EXPECT_NEAR(FitUnionExponent(statistics, 8).value(), exponent, 1e-9);
    }
    // four workers that avoid each other: 0.4 = 1 - 0.9^(4^a), a = ln(ln 0.6 / ln 0.9) / ln 4
    EXPECT_NEAR(FitUnionExponent(Densities(0.1, 0.4), 4).value(), 1.13874, 1e-5);
}

TEST(LayerStatistics, FitNeedsBothDensitiesInsideTheirRange)
{
    EXPECT_FALSE(FitUnionExponent(Densities(0.1, 0.3), std::nullopt));
    EXPECT_FALSE(FitUnionExponent(Densities(0, 0.3), 4));
    EXPECT_FALSE(FitUnionExponent(Densities(0.1, 1), 4));
    EXPECT_FALSE(FitUnionExponent({}, 4));
}

TEST(LayerStatistics, UnionsThatCannotBeAreComplainedOf)
{
    EXPECT_THAT(BadColumns(Densities(0.1, 0.3)), testing::IsEmpty());
    EXPECT_THAT(BadColumns(Densities(0.1, 0.05)), testing::ElementsAre("union_density"));
    EXPECT_THAT(BadColumns(Densities(0.1, 0.5)),
                testing::ElementsAre("union_density")); // > 4 * 0.1
    EXPECT_THAT(BadColumns(Densities(0.1, 0.3), std::nullopt),
                testing::ElementsAre("union_density"));
}

TEST(LayerStatistics, WidthsAddUpToOneWithinTheirDigits)
{
    LayerStatistics statistics;
    statistics.widths = {{10, {0.749, 0.039, 0.211, 0.001}}, {8, {0.8, 0.1, 0.1, 0.0049}}};
    EXPECT_THAT(BadColumns(statistics), testing::IsEmpty());
    statistics.widths = {{10, {0.8, 0.1, 0.1, 0.0051}}, {8, {0.8, 0.1, 0.0949, 0}}};
    EXPECT_THAT(BadColumns(statistics), testing::ElementsAre("b8_w2", "b10_w2"));
}

/* 70 % of the values are zero: 60 % at exponent 0, or in the shortest width, contradict that. */
TEST(LayerStatistics, ZerosMustShowInHistogramAndWidths)
{
    LayerStatistics statistics;
    statistics.density = 0.3;
    statistics.exponents = {{0, 0.6}, {117, 0.4}};
    statistics.widths = {{10, {0.6, 0.4, 0, 0}}};
    EXPECT_THAT(BadColumns(statistics), testing::ElementsAre("exponents", "b10_w2"));
    statistics.exponents = {{0, 0.7}, {117, 0.3}};
    statistics.widths = {{10, {0.8, 0.2, 0, 0}}};
    EXPECT_THAT(BadColumns(statistics), testing::IsEmpty());
}

} // namespace inca
