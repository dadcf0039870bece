/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/codec-measurement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace inca
{

/* Eight values at 2^-10: four without data, two of a byte, one of two bytes, one raw: with the tag
 * word 2 + 2 + 2 + 4 = 10 bytes for 32, which is 10 bits per value and a ratio of 3.2. Errors:
 * 0.0005 four times (dropped), 0.02 - 2/128 = 0.004375 twice, 0 and 0; mean 0.01075 / 8.       */
TEST(CodecMeasurement, FindsWidthsRatioAndErrors)
{
    const std::vector<float> values{0.0005F, -0.0005F, 0.0005F, 0.0005F, 0.02F, -0.02F, 0.5F, 2.0F};
    CodecSpec spec;
    spec.name = "inceptionn";
    CodecMeasurement measurement(spec);
    measurement.Add(values.data(), values.size());
    const double byteError = 0.02 - 2.0 / 128;
    EXPECT_NEAR(measurement.LargestError(), byteError, 1e-9);
    EXPECT_NEAR(measurement.MeanError(), (4 * 0.0005 + 2 * byteError) / 8, 1e-9);
    EXPECT_EQ(measurement.Values(), 8U);
    EXPECT_EQ(measurement.BitsPerValue(), 10);
    EXPECT_EQ(measurement.Widths().value(), (WidthShares{0.5, 0.25, 0.125, 0.125}));
    EXPECT_TRUE(measurement.MayExceedBound());
}

TEST(CodecMeasurement, HasWidthsOnlyWhereTheCodecHas)
{
    const CodecMeasurement measurement(CodecSpec{});
    EXPECT_EQ(measurement.Spec().name, "none");
    EXPECT_FALSE(measurement.Widths().has_value());
    EXPECT_FALSE(measurement.MayExceedBound());
}

/* fp16 overflows at 65520: the value is finite, its decoded form is not. */
TEST(CodecMeasurement, ShowsAnOverflowAsAnInfiniteError)
{
    CodecSpec spec;
    spec.name = "cast";
    spec.castTo = "fp16";
    CodecMeasurement measurement(spec);
    const std::vector<float> values{1e6F, NAN};
    measurement.Add(values.data(), values.size());
    EXPECT_EQ(measurement.LargestError(), INFINITY);
    EXPECT_EQ(measurement.NonFiniteValues(), 1U);
}

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
