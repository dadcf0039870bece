/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/homomorphic-shape.h"

#include "base/errors.h"
#include "codec/peeling-forecast.h"

#include <gmock/gmock.h>

#include <cmath>

namespace inca
{

namespace
{

HomomorphicSettings
SettingsOf(double ratio, HomomorphicIndex index = HomomorphicIndex::BITS_1)
{
    HomomorphicSettings settings;
    settings.ratio = ratio;
    settings.index = index;
    return settings;
}

} // namespace

/* 2^20 + 5 values: 1024 rows and 5; R = ceil(1024 / 10) = 103; 2^17 + 103 * 4096 + 20 bytes. */
TEST(HomomorphicShape, HasIndexSketchAndTail)
{
    const auto shape = ShapeOf(SettingsOf(10), (1U << 20U) + 5);
    EXPECT_EQ(shape.rows, 1024U);
    EXPECT_EQ(shape.counterRows, 103U);
    EXPECT_EQ(shape.tail, 5U);
    EXPECT_EQ(shape.RowValues(), 1U << 20U);
    EXPECT_EQ(shape.indexBytes, 131072U);
    EXPECT_EQ(shape.SketchBytes(), 421888U);
    EXPECT_EQ(shape.TailBytes(), 20U);
    EXPECT_EQ(shape.Bytes(), 131072U + 421888 + 20);
}

TEST(HomomorphicShape, RoundsCounterRowsUp)
{
    EXPECT_EQ(ShapeOf(SettingsOf(10), 1024 * 10).counterRows, 1U);
    EXPECT_EQ(ShapeOf(SettingsOf(10), 1024 * 11).counterRows, 2U);
    EXPECT_EQ(ShapeOf(SettingsOf(1e9), 1024).counterRows, 1U);
    EXPECT_EQ(ShapeOf(SettingsOf(0.5), 1024 * 3).counterRows, 6U);
}

TEST(HomomorphicShape, RefusesWhatItCannotSketch)
{
    for (const auto ratio : {0.49, 0.0, -1.0, static_cast<double>(INFINITY), std::nan("")})
    {
        EXPECT_THROW(ShapeOf(SettingsOf(ratio), 1024), InputError) << ratio;
    }
    EXPECT_THROW(ShapeOf(SettingsOf(10), std::uint64_t{1} << 32U), InputError);
    EXPECT_EQ(ShapeOf(SettingsOf(10), (std::uint64_t{1} << 32U) - 1).tail, 1023U);
}

TEST(HomomorphicShape, NamesItsIndices)
{
    EXPECT_EQ(HomomorphicIndexName(HomomorphicIndex::BITS_4), "bits-4");
    for (const auto& name : HomomorphicIndexNames())
    {
        EXPECT_EQ(HomomorphicIndexName(FindHomomorphicIndex(name)), name);
    }
    EXPECT_THAT([] { FindHomomorphicIndex("blom"); },
                testing::ThrowsMessage<InputError>("index: unknown 'blom'; did you mean 'bloom'?"));
}

TEST(HomomorphicShape, KnowsHowManyWorkersAnIndexTellsOf)
{
    EXPECT_NO_THROW(CheckWorkers(HomomorphicIndex::BITS_4, 15));
    EXPECT_THROW(CheckWorkers(HomomorphicIndex::BITS_4, 16), InputError);
    EXPECT_NO_THROW(CheckWorkers(HomomorphicIndex::BITS_1, 4096));
    EXPECT_THROW(CheckWorkers(HomomorphicIndex::BITS_1, 0), InputError);
}

/* 10240 rows at ratio 10: R = 1024, a row of the table; union density 0.05 is load 0.5. 10485760 values;
 * 4 bytes each for the index; 4 + 24 * 0.02 each for the sketch.                                */
TEST(HomomorphicTraffic, FollowsFromValuesMarksAndRounds)
{
    constexpr std::uint64_t count = 10240 * 1024;
    const auto traffic = TrafficOf({}, count + 1000, 0.02, 0.05);
    const auto figures = ForecastPeeling(1024, 0.5);
    EXPECT_DOUBLE_EQ(traffic.indexBytes, 4.0 * count);
    EXPECT_DOUBLE_EQ(traffic.sketchBytes, 4.48 * count);
    EXPECT_DOUBLE_EQ(traffic.rounds, figures.bucketRounds);
    EXPECT_NEAR(traffic.peelBytes / count,
                4 * figures.bucketRounds + 28 * 0.05 * (1 - figures.leftShare),
                1e-9);
}

} // namespace inca
