/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/peeling-forecast.h"

#include "base/errors.h"
#include "codec/bitmap-index.h"
#include "codec/peeling-forecast.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace inca
{

namespace
{

/** @param row of R = 2^row */
PeelingCell
Cell(std::size_t row, double load)
{
    const auto* const at = std::find(PEELING_LOADS.begin(), PEELING_LOADS.end(), load);
    return PeelingTableCell(row, static_cast<std::size_t>(at - PEELING_LOADS.begin()));
}

} // namespace

TEST(PeelingForecast, IsTheTableAtItsCells)
{
    for (const auto load : {0.0, 0.5, 0.78, 1.0})
    {
        EXPECT_DOUBLE_EQ(ForecastPeeling(256, load).leftShare, Cell(8, load).leftShare);
        EXPECT_DOUBLE_EQ(ForecastPeeling(256, load).bucketRounds, Cell(8, load).bucketRounds);
    }
}

/* R = 16 * sqrt(2) = 22.6 lies half way between 16 and 32; 23 is log2(23 / 16) = 0.5236 of it. */
TEST(PeelingForecast, LiesBetweenTheCellsAround)
{
    const auto half = ForecastPeeling(256, 0.55).bucketRounds;
    EXPECT_DOUBLE_EQ(half, (Cell(8, 0.5).bucketRounds + Cell(8, 0.6).bucketRounds) / 2);
    const auto low = Cell(4, 0.5).leftShare;
    const auto high = Cell(5, 0.5).leftShare;
    EXPECT_NEAR(ForecastPeeling(23, 0.5).leftShare, low + (high - low) * 0.5236, 1e-4);
}

TEST(PeelingForecast, StopsAtTheEndsOfTheTable)
{
    EXPECT_EQ(ForecastPeeling(0, 0.0).leftShare, 0.0);
    EXPECT_EQ(ForecastPeeling(1U << 30U, 0.5).bucketRounds, Cell(13, 0.5).bucketRounds);
    EXPECT_EQ(ForecastPeeling(256, 99.0).leftShare, Cell(8, 4).leftShare);
}

/* 2^23 values = 8192 rows; at ratio 10 and density 0.05, R = 820 and the load is 409.6 / 820. */
TEST(PeelingForecast, TellsABucketsLoad)
{
    const auto forecast = ForecastBucket({}, 1U << 23U, 0.05);
    EXPECT_DOUBLE_EQ(forecast.load, 409.6 / 820);
    EXPECT_LT(forecast.figures.leftShare, 0.0005);
    EXPECT_EQ(ForecastBucket({}, 1023, 0.05).load, 0.0); // all of it is tail
}

/* k = 7 hashes at 0.5 bits per value: m = 512, n = 51.2 +- 6.974. (1 - e^(-k n / m))^7 is 0.00819 at the
 * mean, 0.00209 at 39.12 and 0.02182 at 63.28: 2/3, 1/6 and 1/6 of them are 0.00945.            */
TEST(PeelingForecast, AddsABloomFiltersFalsePositives)
{
    HomomorphicSettings settings;
    EXPECT_EQ(FoundDensity(settings, 0.05), 0.05);
    settings.index = HomomorphicIndex::BLOOM;
    EXPECT_NEAR(FoundDensity(settings, 0.05), 0.05 + 0.95 * 0.00945, 1e-5);
}

/* At large R the safe load is about 0.78: ratios 15.6, 8.0, 4.2, 2.3 and 1.4 for the unions of 1, 2,
 * 4, 8 and 16 workers of density 0.05, 1 - 0.95^W.                                              */
TEST(PeelingForecast, KnowsTheLargestSafeRatioOfManyRows)
{
    constexpr std::uint32_t rows = 1U << 20U;
    double zeros = 1;
    std::vector<double> ratios;
    for (unsigned worker = 1; worker <= 16; ++worker)
    {
        zeros *= 0.95;
        ratios.push_back(LargestSafeRatio(rows, 1 - zeros).value());
    }
    EXPECT_NEAR(ratios[0], 15.6, 0.1);
    EXPECT_NEAR(ratios[1], 8.0, 0.1);
    EXPECT_NEAR(ratios[3], 4.2, 0.1);
    EXPECT_NEAR(ratios[7], 2.3, 0.1);
    EXPECT_NEAR(ratios[15], 1.4, 0.1);
}

TEST(PeelingForecast, GivesFewRowsMoreSlack)
{
    const auto many = LargestSafeRatio(8192, 0.05).value();
    const auto some = LargestSafeRatio(1024, 0.05).value();
    const auto few = LargestSafeRatio(256, 0.05).value();
    EXPECT_LT(many, 15.6);
    EXPECT_LT(some, many);
    EXPECT_LT(few, some);
    EXPECT_FALSE(LargestSafeRatio(4, 0.5).has_value());
    EXPECT_FALSE(LargestSafeRatio(0, 0.5).has_value());
    EXPECT_EQ(LargestSafeRatio(64, 0.0).value(), 64.0); // nothing to decode: R = 1
}

/* What is called safe is measured: at most the share that it may leave, twice for the noise of the
 * few values that are left.                                                                     */
TEST(PeelingForecast, IsSafeWhenMeasured)
{
    for (const std::uint32_t rows : {700U, 3000U})
    {
        for (const auto density : {0.02, 0.1, 0.4})
        {
            const auto ratio = LargestSafeRatio(rows, density).value();
            HomomorphicSettings settings;
            settings.ratio = ratio;
            const auto safe = ShapeOf(settings, std::uint64_t{rows} * 1024).counterRows;
            EXPECT_LE(MeasurePeeling({rows, safe, density, 4, 3}).leftShare, 2 * g_safeLeftShare)
                << rows << ' ' << density;
        }
    }
}

/* The text of a ratio must not cost or save a counter row, whatever the rows. */
TEST(PeelingForecast, RoundsASafeRatioSoThatItsTextCostsNoRow)
{
    for (const std::uint32_t rows : {200U, 976U, 8192U, 131'072U})
    {
        for (const auto density : {0.001, 0.02, 0.3, 1.0})
        {
            HomomorphicSettings settings;
            settings.ratio = RoundedSafeRatio(rows, density).value();
            const auto counterRows = ShapeOf(settings, std::uint64_t{rows} * 1024).counterRows;
            EXPECT_EQ(counterRows, std::lround(rows / LargestSafeRatio(rows, density).value()))
                << rows << ' ' << density;
        }
    }
    EXPECT_FALSE(RoundedSafeRatio(4, 0.5).has_value());
}

TEST(PeelingForecast, RefusesDensitiesThatAreNone)
{
    EXPECT_THROW(LargestSafeRatio(8, -0.1), InputError);
    EXPECT_THROW(FoundDensity({}, 1.5), InputError);
}

TEST(PeelingMeasurement, RefusesWhatCannotBeMeasured)
{
    EXPECT_THROW(MeasurePeeling({0, 1, 0.1, 1, 1}), InputError);
    EXPECT_THROW(MeasurePeeling({1, 1, 0.1, 0, 1}), InputError);
    EXPECT_THROW(MeasurePeeling({1, 1, 1.1, 1, 1}), InputError);
}

namespace
{

/** Above, a cell takes up to a second, so that every fifth has to do. */
constexpr std::uint32_t g_mostCounterRows = 128;
constexpr std::size_t g_stride = 5;

/** Half a unit of the table's last digit, and as much again for how it was written down. */
constexpr double g_shareDigits = 1e-6;
constexpr double g_roundDigits = 1e-2;

/** What was measured for a cell, at the published benchmark's ratio of 10; one of load 0 has one bucket. */
PeelingExperiment
ExperimentOf(std::uint32_t counterRows, double load)
{
    constexpr std::uint32_t ratio = 10;
    constexpr double leastMarked = 1U << 18U; // of all buckets together
    const auto marked = std::max(1.0, counterRows * load * g_sketchLanes);
    const auto buckets = load == 0 ? 1.0 : std::ceil(leastMarked / marked);
    return {counterRows * ratio, counterRows, load / ratio, static_cast<std::uint32_t>(buckets), 1};
}

class PeelingTableRows : public testing::TestWithParam<std::size_t>
{
};

} // namespace

TEST_P(PeelingTableRows, AreMeasuredAgain)
{
    const auto row = GetParam();
    const auto counterRows = 1U << row;
    const std::size_t stride = counterRows <= g_mostCounterRows ? 1 : g_stride;
    for (std::size_t i = 0; i < PEELING_LOADS.size(); i += stride)
    {
        const auto load = PEELING_LOADS[i];
        const auto figures = PeelingTableCell(row, i);
        const auto measured = MeasurePeeling(ExperimentOf(counterRows, load));
        EXPECT_NEAR(figures.leftShare, measured.leftShare, g_shareDigits) << load;
        EXPECT_NEAR(figures.bucketRounds, measured.bucketRounds, g_roundDigits) << load;
    }
}

INSTANTIATE_TEST_SUITE_P(PeelingTable,
                         PeelingTableRows,
                         testing::Range<std::size_t>(0, PEELING_ROWS));

} // namespace inca
