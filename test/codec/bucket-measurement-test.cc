/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/bucket-measurement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace inca
{

namespace
{

constexpr std::size_t g_rows = 64;
constexpr std::size_t g_lanes = 1024;

/** 64 rows of which one is set, and a tail of one. */
std::vector<float>
OneRow()
{
    std::vector<float> values(g_rows * g_lanes + 1);
    std::fill_n(values.begin(), g_lanes, 0.5F);
    values.back() = 2.0F;
    return values;
}

HomomorphicSettings
WithRatio(double ratio)
{
    HomomorphicSettings settings;
    settings.ratio = ratio;
    return settings;
}

} // namespace

/* R = 32, one value per lane: density 1 / 64, load 1 / 32; peeled in the first of two rounds; 64 * 128
 * + 32 * 4096 + 4 bytes.                                                                          */
TEST(BucketMeasurement, MeasuresWhatDecodesWithoutLoss)
{
    const auto values = OneRow();
    const auto measured = MeasureBucket(WithRatio(2), values.data(), values.size());
    EXPECT_EQ(measured.density, 1.0 / 64);
    EXPECT_EQ(measured.load, 1.0 / 32);
    EXPECT_EQ(measured.report.peeled, g_lanes);
    EXPECT_EQ(measured.report.rounds, 2U);
    EXPECT_EQ(measured.bytes, 64 * 128 + 32 * 4096 + 4U);
    EXPECT_EQ(measured.forecast.load, 1.0 / 32);
    EXPECT_EQ(measured.largestError, 0);
    EXPECT_EQ(measured.rmsError, 0);
    EXPECT_EQ(measured.nonFinite, 0U);
}

/* R = 1: all three counters of a value are the one counter, so nothing can be peeled. A lane's only
 * value v has the signs' sum s = -3, -1, 1 or 3 in it: s v. The median of the signed counters is s v
 * or -s v, the sign of the majority: always |s| v. Row 0's hashes give s = 1 or 3 in all lanes.    */
TEST(BucketMeasurement, MeasuresTheErrorOfEstimates)
{
    auto values = OneRow();
    values.back() = INFINITY;
    const auto measured = MeasureBucket(WithRatio(64), values.data(), values.size());
    EXPECT_EQ(measured.report.estimated, g_lanes);
    EXPECT_EQ(measured.report.decodedLanes, 0U);
    EXPECT_EQ(measured.load, 1);
    EXPECT_EQ(measured.nonFinite, 1U);
    EXPECT_EQ(measured.rmsError, measured.largestError / 0.5) << "the same error in every lane";
}

/* A NaN spoils what shares a counter with it, which has no finite error. */
TEST(BucketMeasurement, ShowsALostNumberAsAnInfiniteError)
{
    std::vector<float> values(2 * g_lanes, 1.0F);
    values[0] = NAN;
    const auto measured = MeasureBucket(WithRatio(2), values.data(), values.size());
    EXPECT_EQ(measured.nonFinite, 1U);
    EXPECT_EQ(measured.largestError, INFINITY);
}

} // namespace inca
