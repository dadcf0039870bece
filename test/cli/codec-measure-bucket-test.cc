/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec-fixture.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace inca
{

namespace
{

using testing::HasSubstr;

constexpr std::size_t g_rows = 64;
constexpr std::size_t g_lanes = 1024;

using CodecMeasureBucketTest = CodecFixture;

/** 64 rows of which one is set, and a tail of one. */
std::vector<float>
OneRow()
{
    std::vector<float> values(g_rows * g_lanes + 1);
    std::fill_n(values.begin(), g_lanes, 0.5F);
    values.back() = 2.0F;
    return values;
}

} // namespace

TEST_F(CodecMeasureBucketTest, PrintsEachIndexAndWritesThemAsCsv)
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

TEST_F(CodecMeasureBucketTest, RefusesWhatDoesNotGoTogether)
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
