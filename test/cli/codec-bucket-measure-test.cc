/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/codec-bucket-measure.h"

#include "codec-fixture.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

namespace inca
{

namespace
{

using testing::HasSubstr;

constexpr std::size_t g_rows = 64;
constexpr std::size_t g_lanes = 1024;

using CodecBucketMeasureTest = CodecFixture;

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
TEST_F(CodecBucketMeasureTest, MeasuresWhatDecodesWithoutLoss)
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
TEST_F(CodecBucketMeasureTest, MeasuresTheErrorOfEstimates)
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
TEST_F(CodecBucketMeasureTest, ShowsALostNumberAsAnInfiniteError)
{
    std::vector<float> values(2 * g_lanes, 1.0F);
    values[0] = NAN;
    const auto measured = MeasureBucket(WithRatio(2), values.data(), values.size());
    EXPECT_EQ(measured.nonFinite, 1U);
    EXPECT_EQ(measured.largestError, INFINITY);
}

TEST_F(CodecBucketMeasureTest, PrintsEachIndexAndWritesThemAsCsv)
{
    PutFloats("in.f32", OneRow());
    const auto text = Run({"measure", "--codec", "homomorphic", "--csv", "@out.csv", "@in.f32"});
    EXPECT_THAT(text, HasSubstr("65537 fp32 values"));
    EXPECT_THAT(text, HasSubstr("64 rows of 1024 and 1 values behind them"));
    for (const auto* index : {"bits-1", "bits-4", "bloom"})
    {
        EXPECT_THAT(text, HasSubstr(index));
    }
    const auto csv = Bytes("out.csv");
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 4);
    // 7 counter rows: (64 * 128 + 7 * 4096 + 4) / 65537 bytes per value, load 1 / 7
    EXPECT_THAT(csv, HasSubstr(",65537,bits-1,10,64,7,1,0.015625,0.142857143,"));
    EXPECT_THAT(csv, HasSubstr(",0.562552451,"));
    const auto one = Run({"measure", "--ratio", "2", "--index", "4", "@in.f32"});
    EXPECT_THAT(one, HasSubstr("bits-4      2            32  0.031"));
    EXPECT_THAT(one, testing::Not(HasSubstr("bits-1")));
    EXPECT_THAT(Run({"measure", "--ratio", "safe", "@in.f32"}), HasSubstr("100.0 %"));
}

TEST_F(CodecBucketMeasureTest, RefusesWhatDoesNotGoTogether)
{
    PutFloats("in.f32", OneRow());
    Put("empty.f32", "");
    EXPECT_THAT(Refusal({"measure"}), HasSubstr("needs a file"));
    EXPECT_THAT(Refusal({"measure", "--csv", "@out.csv", "@in.f32"}),
                HasSubstr("--csv is of codec 'homomorphic'"));
    EXPECT_THAT(Refusal({"measure", "--table", "@in.f32"}), HasSubstr("neither a file"));
    EXPECT_THAT(Refusal({"measure", "--table", "--ratio", "2"}), HasSubstr("nor an argument"));
    EXPECT_THAT(Refusal({"measure", "--table", "--codec", "cast"}), HasSubstr("is of codec"));
    EXPECT_THAT(Refusal({"measure", "--codec", "homomorphic", "@empty.f32"}),
                HasSubstr("has no values to measure"));
}

} // namespace inca
