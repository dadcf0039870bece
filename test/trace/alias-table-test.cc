/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/alias-table.h"

#include "base/random.h"
#include "base/word.h"

#include <gtest/gtest.h>

#include <cmath>

namespace inca
{

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
