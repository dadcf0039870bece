/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/inceptionn-widths.h"

#include "base/errors.h"
#include "codec-test-values.h"

#include <gtest/gtest.h>

#include <cmath>

namespace inca
{

namespace
{

/** One cell row of Table III, in percent, and 32 / mean width as derived from it. */
struct PublishedRow
{
    const char* model;
    unsigned bound;
    WidthShares percent;
    double ratio;
};

constexpr PublishedRow g_tableIII[] = {
    {"AlexNet", 10, {74.9, 3.9, 21.1, 0.1}, 5.59},
    {"AlexNet", 8, {82.5, 14.8, 2.6, 0.1}, 8.81},
    {"AlexNet", 6, {93.0, 7.0, 0.0, 0.1}, 12.34},
    {"HDC", 10, {92.0, 6.5, 1.5, 0.0}, 11.59},
    {"HDC", 8, {95.7, 3.4, 0.9, 0.0}, 13.25},
    {"HDC", 6, {98.1, 1.6, 0.4, 0.0}, 14.59},
    {"ResNet-50", 10, {81.6, 17.9, 0.5, 0.0}, 9.11},
    {"ResNet-50", 8, {92.3, 7.7, 0.1, 0.0}, 12.15},
    {"ResNet-50", 6, {97.6, 2.4, 0.0, 0.0}, 14.60},
    {"VGG-16", 10, {94.2, 0.9, 4.9, 0.0}, 11.20},
    {"VGG-16", 8, {96.2, 3.8, 0.0, 0.0}, 13.89},
    {"VGG-16", 6, {97.3, 2.7, 0.0, 0.0}, 14.44},
};

ValueStatistics
StatisticsOf(const PublishedRow& row)
{
    ValueStatistics statistics;
    for (std::size_t i = 0; i < row.percent.size(); ++i)
    {
        statistics.widths[row.bound][i] = row.percent[i] / 100;
    }
    return statistics;
}

} // namespace

TEST(InceptionnWidths, GiveTheRatiosOfTableIII)
{
    for (const auto& row : g_tableIII)
    {
        const auto shares = SharesAtBound(StatisticsOf(row), row.bound);
        ASSERT_TRUE(shares);
        EXPECT_NEAR(32 / MeanWidthBits(*shares), row.ratio, 0.005 + 1e-9)
            << row.model << " 2^-" << row.bound;
    }
}

/* 127 - B, 127 - B + ceil(B / 2) and 127, worked out by hand. */
TEST(InceptionnWidths, LimitsFollowTheFormula)
{
    const auto expectLimits = [](unsigned bound, unsigned oneByte, unsigned twoBytes) {
        const auto limits = LimitsAtBound(bound);
        EXPECT_EQ(limits.oneByte, oneByte) << bound;
        EXPECT_EQ(limits.twoBytes, twoBytes) << bound;
        EXPECT_EQ(limits.raw, 127U) << bound;
    };
    expectLimits(10, 117, 122);
    expectLimits(8, 119, 123);
    expectLimits(6, 121, 124);
    expectLimits(15, 112, 120);
    expectLimits(1, 126, 127); // no two-byte class
    EXPECT_THROW(LimitsAtBound(0), InputError);
    EXPECT_THROW(LimitsAtBound(16), InputError);
}

/* At 2^-10: below 2^-10 nothing, below 2^-5 a byte, below 1 two, from 1 on raw. */
TEST(InceptionnWidths, CountsEachClass)
{
    const std::vector<float> values{0.0F,
                                    -0.0F,
                                    1e-4F,
                                    -0.001F,
                                    0.01F,
                                    -0.03F,
                                    -0.03125F,
                                    0.999F,
                                    1.0F,
                                    FromBits(0x01),
                                    -INFINITY,
                                    NAN};
    EXPECT_EQ(CountWidths(values.data(), values.size(), 10), (WidthCounts{4, 3, 2, 3}));
    EXPECT_EQ(CountWidths(nullptr, 0, 10), (WidthCounts{0, 0, 0, 0}));
}

/* One, two and one of four values. */
TEST(InceptionnWidths, SharesAddUpToOne)
{
    EXPECT_EQ(SharesOf({1, 2, 1, 0}), (WidthShares{0.25, 0.5, 0.25, 0}));
    EXPECT_EQ(SharesOf({0, 0, 0, 0}), (WidthShares{0, 0, 0, 0}));
}

/* Exponent 116 is below 2^-10, 117 and 121 are in the byte class, 122 and 126 in the two-byte
 * class, 127 is raw; at 2^-6 121 to 123 are bytes, 124 to 126 two.                             */
TEST(InceptionnWidths, FollowFromTheExponentHistogram)
{
    ValueStatistics statistics;
    statistics.exponents = {{0, 0.25},
                            {116, 0.25},
                            {117, 0.125},
                            {121, 0.125},
                            {122, 0.0625},
                            {126, 0.0625},
                            {127, 0.0625},
                            {255, 0.0625}};
    EXPECT_EQ(SharesAtBound(statistics, 10), (WidthShares{0.5, 0.25, 0.125, 0.125}));
    EXPECT_EQ(SharesAtBound(statistics, 6), (WidthShares{0.625, 0.1875, 0.0625, 0.125}));
}

TEST(InceptionnWidths, ArePublishedRatherThanDerived)
{
    ValueStatistics statistics;
    EXPECT_FALSE(SharesAtBound(statistics, 10));
    statistics.widths[10] = {0.5, 0.5, 0, 0};
    EXPECT_FALSE(SharesAtBound(statistics, 8)) << "another bound's shares say nothing";
    statistics.exponents = {{0, 1.0}};
    EXPECT_EQ(SharesAtBound(statistics, 10), (WidthShares{0.5, 0.5, 0, 0}));
    EXPECT_EQ(SharesAtBound(statistics, 8), (WidthShares{1, 0, 0, 0}));
    EXPECT_THROW(SharesAtBound(statistics, 16), InputError);
}

} // namespace inca
