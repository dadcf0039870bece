/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/exponent-law.h"

#include "base/random.h"
#include "base/word.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace inca
{

namespace
{

/** Share of the exponents from @p first to before @p end. */
double
Share(const ExponentLaw& law, std::size_t first, std::size_t end)
{
    return std::accumulate(law.begin() + static_cast<std::ptrdiff_t>(first),
                           law.begin() + static_cast<std::ptrdiff_t>(end),
                           0.0);
}

} // namespace

/* Bound 2^-10: eb = 117, and the 18-bit class begins at 117 + ceil(10 / 2) = 122. Zero is one of
 * eleven equally likely outcomes of the shortest width. */
TEST(ExponentLaw, OfWidthsIsUniformInEachClass)
{
    LayerStatistics statistics;
    statistics.widths[10] = {0.66, 0.2, 0.1, 0.04};
    const auto law = MakeExponentLaw(statistics, 10).value();
    EXPECT_NEAR(law[0], 0.06, 1e-12);
    EXPECT_NEAR(law[107], 0.06, 1e-12);
    EXPECT_NEAR(law[116], 0.06, 1e-12);
    EXPECT_EQ(law[106], 0);
    EXPECT_NEAR(law[117], 0.04, 1e-12);
    EXPECT_NEAR(law[121], 0.04, 1e-12);
    EXPECT_NEAR(law[122], 0.02, 1e-12);
    EXPECT_NEAR(law[126], 0.02, 1e-12);
    EXPECT_NEAR(law[127], 0.02, 1e-12);
    EXPECT_NEAR(law[128], 0.02, 1e-12);
    EXPECT_NEAR(Share(law, 0, 256), 1, 1e-12);
}

/* An odd bound: eb = 120, and 120 + ceil(7 / 2) = 124. */
TEST(ExponentLaw, MiddleIsRoundedUpAsInThePaper)
{
    LayerStatistics statistics;
    statistics.widths[7] = {0, 0.5, 0.5, 0};
    const auto law = MakeExponentLaw(statistics, 7).value();
    EXPECT_NEAR(Share(law, 120, 124), 0.5, 1e-12);
    EXPECT_NEAR(Share(law, 124, 127), 0.5, 1e-12);
}

TEST(ExponentLaw, DensitySaysHowManyAreZero)
{
    LayerStatistics statistics;
    statistics.density = 0.5;
    statistics.widths[10] = {0.6, 0.4, 0, 0};
    const auto law = MakeExponentLaw(statistics, 10).value();
    EXPECT_NEAR(law[0], 0.5, 1e-12);
    EXPECT_NEAR(Share(law, 107, 117), 0.1, 1e-12);
    const auto others = WithoutZero(law);
    EXPECT_EQ(others[0], 0);
    EXPECT_NEAR(Share(others, 107, 117), 0.2, 1e-12);
    EXPECT_NEAR(Share(others, 117, 122), 0.8, 1e-12);
}

/* Of the 60 % at exponent 0, density leaves 50 % as zeros; the rest were denormal. */
TEST(ExponentLaw, DenormalsBecomeTheSmallestNormal)
{
    LayerStatistics statistics;
    statistics.density = 0.5;
    statistics.exponents = {{0, 0.6}, {117, 0.4}};
    const auto law = MakeExponentLaw(statistics, 10).value();
    EXPECT_NEAR(law[0], 0.5, 1e-12);
    EXPECT_NEAR(law[1], 0.1, 1e-12);
    EXPECT_NEAR(law[117], 0.4, 1e-12);
}

TEST(ExponentLaw, WidthsAtTheBoundWinThenTheHistogramThenTheNearestBound)
{
    LayerStatistics statistics;
    statistics.widths = {{6, {0, 1, 0, 0}}, {8, {0, 0, 1, 0}}};
    // eb = 119: 18 bits are 123 to 126. eb = 121: 10 bits are 121 to 123.
    EXPECT_NEAR(Share(*MakeExponentLaw(statistics, 6), 121, 124), 1, 1e-12);
    EXPECT_NEAR(Share(*MakeExponentLaw(statistics, 10), 123, 127), 1, 1e-12);
    EXPECT_NEAR(Share(*MakeExponentLaw(statistics, 7), 123, 127), 1, 1e-12); // the finer of two
    statistics.exponents = {{100, 1}};
    EXPECT_NEAR((*MakeExponentLaw(statistics, 10))[100], 1, 1e-12);
    EXPECT_NEAR(Share(*MakeExponentLaw(statistics, 8), 123, 127), 1, 1e-12);
}

TEST(ExponentLaw, DensityAloneIsNoLaw)
{
    LayerStatistics statistics;
    statistics.density = 0.5;
    EXPECT_FALSE(MakeExponentLaw(statistics, 10));
}

/* Bound 2^-1: eb = 126, so no exponent has 18 bits; what is left keeps its proportions. */
TEST(ExponentLaw, ClassWithoutExponentsIsLeftOut)
{
    LayerStatistics statistics;
    statistics.widths[1] = {0, 0.6, 0.2, 0.2};
    const auto law = MakeExponentLaw(statistics, 1).value();
    EXPECT_NEAR(law[126], 0.75, 1e-12);
    EXPECT_NEAR(Share(law, 127, 129), 0.25, 1e-12);
}

/* One value in each of 2^24 equal steps of the 40 bits that pick the exponent: an exponent's count
 * is its share within one step at each end of each column it has a part of. */
TEST(AliasTable, ExponentsHaveTheirShares)
{
    ExponentLaw law{};
    law[0] = 0.5;
    law[117] = 0.3;
    law[118] = 0.2 - 1e-4;
    law[254] = 1e-4;
    const AliasTable table(law);
    std::array<double, g_exponentCount> counts{};
    constexpr std::uint64_t fractions = 1U << 16U;
    for (std::uint64_t column = 0; column < g_exponentCount; ++column)
    {
        for (std::uint64_t fraction = 0; fraction < fractions; ++fraction)
        {
            counts[table.Draw(column | fraction << 24U) >> 23U] += 1;
        }
    }
    for (std::size_t i = 0; i < g_exponentCount; ++i)
    {
        EXPECT_NEAR(counts[i] / (fractions * g_exponentCount), law[i], 2.0 / fractions) << i;
    }
}

/* 10^5 values of exponent 127: mantissas of mean 1/2 with sd sqrt(1/12 / n) = 0.0009, signs with
 * sd 0.0016; bounds are 5 sd. */
TEST(AliasTable, MantissaAndSignAreUniform)
{
    ExponentLaw law{};
    law[127] = 1;
    const AliasTable table(law);
    RandomStream stream(1, 0);
    constexpr int count = 100'000;
    double mantissas = 0;
    double negative = 0;
    for (int i = 0; i < count; ++i)
    {
        const auto bits = table.Draw(stream.Bits());
        EXPECT_EQ(bits >> 23U & 0xffU, 127U);
        mantissas += std::ldexp(bits & 0x7fffffU, -23) / count;
        negative += (bits >> 31U) != 0 ? 1.0 / count : 0;
    }
    EXPECT_NEAR(mantissas, 0.5, 0.0046);
    EXPECT_NEAR(negative, 0.5, 0.008);
}

TEST(AliasTable, ZeroHasNeitherSignNorMantissa)
{
    ExponentLaw law{};
    law[0] = 1;
    EXPECT_EQ(AliasTable(law).Draw(~0ULL << 40U), 0U);
}

/* Exponents 0, 117 and 118 in shares that leave columns with two exponents, drawn by vectors or one by one. */
TEST(AliasTable, DrawsTheSameManyAtOnce)
{
    ExponentLaw law{};
    law[0] = 0.3;
    law[117] = 0.5;
    law[118] = 0.2;
    const AliasTable table(law);
    constexpr std::uint64_t key = 5;
    constexpr std::uint64_t begin = 1000;
    std::array<float, AliasTable::BLOCK> values{};
    table.DrawBlock(key, begin, values.data());
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        EXPECT_EQ(BitsOf(values[i]), table.Draw(BitsAt(key, begin + i))) << i;
    }
}

} // namespace inca
