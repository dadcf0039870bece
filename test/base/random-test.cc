/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/random.h"

#include <gtest/gtest.h>

#include <set>

namespace inca
{

namespace
{

constexpr int g_draws = 1'000'000;

/** Mean, variance and fourth moment about 0 of a million numbers. */
struct Moments
{
    double mean{0};
    double second{0};
    double fourth{0};
};

template <typename Draw>
Moments
MomentsOf(Draw draw)
{
    Moments moments;
    for (int i = 0; i < g_draws; ++i)
    {
        const double x = draw();
        moments.mean += x / g_draws;
        moments.second += x * x / g_draws;
        moments.fourth += x * x * x * x / g_draws;
    }
    return moments;
}

} // namespace

/* The published first outputs of SplitMix64 from state 1234567. */
TEST(Random, MixIsSplitMix64)
{
    EXPECT_EQ(MixBits(1234567 + g_randomStep), 6457827717110365317U);
    EXPECT_EQ(MixBits(1234567 + 2 * g_randomStep), 3203168211198807973U);
}

TEST(Random, BitsDependOnEveryPartOfTheKeyAndItsPlace)
{
    std::set<std::uint64_t> seen;
    for (std::uint64_t key = 0; key < 256; ++key)
    {
        seen.insert(RandomBits(key & 3U, (key >> 2U) & 3U, (key >> 4U) & 3U, key >> 6U));
    }
    EXPECT_EQ(seen.size(), 256U);
    EXPECT_EQ(RandomBits(1, 2, 3, 4), RandomBits(1, 2, 3, 4));
}

TEST(Random, FirstNumbersArePinned)
{
    EXPECT_EQ(RandomBits(1, 2, 3, 4), 15374388949593934587U);
    RandomStream stream(1, 7);
    EXPECT_EQ(stream.Bits(), 5691148814360256687U);
    EXPECT_EQ(stream.Uniform(), 0x1.1586eb84019ffp-1);
    EXPECT_EQ(stream.Normal(), -0x1.17cd90a26ad6ep-1);
    EXPECT_EQ(stream.Normal(), 0x1.e78045cc24b1p-1);
    EXPECT_EQ(stream.LogNormalFactor(0.1), 0x1.e0c9bfd29f319p-1);
}

/*
 * Of n = 10^6 numbers; bounds are 5 sd. Uniform in [0, 1): mean 1/2 with sd sqrt(1/12 / n) = 0.00029, second moment 1/3 with
 * sd sqrt((1/5 - 1/9) / n) = 0.0003, fourth 1/5 with sd sqrt((1/9 - 1/25) / n) = 0.00027. Normal: 0, 1 and 3 with sd
 * sqrt(1/n), sqrt(2/n), sqrt(96/n) = 0.001, 0.0014, 0.0098. Factors of 0.2: mean 1 and second moment 1 + 0.2^2 = 1.04; with
 * v = ln 1.04 the fourth is exp(6 v) = 1.2653, with an sd of sqrt((exp(28 v) - exp(12 v)) / n) = 0.0012.
 */
TEST(Random, NumbersHaveTheirMoments)
{
    struct Row
    {
        double (*draw)(RandomStream&);
        Moments expected;
        Moments bounds;
    };

    const Row rows[] = {
        {[](RandomStream& stream) { return stream.Uniform(); },
         {0.5, 1.0 / 3, 0.2},
         {0.00145, 0.0015, 0.00135}},
        {[](RandomStream& stream) { return stream.Normal(); }, {0, 1, 3}, {0.005, 0.0071, 0.049}},
        {[](RandomStream& stream) { return stream.LogNormalFactor(0.2); },
         {1, 1.04, 1.2653},
         {0.001, 0.00215, 0.006}},
    };
    for (const auto& row : rows)
    {
        RandomStream stream(1, 0);
        const auto moments = MomentsOf([&] { return row.draw(stream); });
        EXPECT_NEAR(moments.mean, row.expected.mean, row.bounds.mean);
        EXPECT_NEAR(moments.second, row.expected.second, row.bounds.second);
        EXPECT_NEAR(moments.fourth, row.expected.fourth, row.bounds.fourth);
    }
    EXPECT_EQ(RandomStream(1, 0).LogNormalFactor(0), 1);
}

} // namespace inca
