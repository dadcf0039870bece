/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/bloom-index.h"

#include "base/errors.h"
#include "codec/bitmap-index.h"
#include "homomorphic-reference.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

constexpr std::size_t g_values = 1U << 18U;

std::vector<std::uint8_t>
Found(const BloomIndex& index, const std::vector<float>& values)
{
    std::vector<std::uint8_t> filter(index.Bytes());
    index.Mark(values.data(), filter.data());
    std::vector<std::uint8_t> bits(values.size() / 8);
    index.Find(filter.data(), bits.data());
    return bits;
}

double
ShareOfOnes(const std::vector<std::uint8_t>& bits)
{
    std::size_t ones = 0;
    for (const auto byte : bits)
    {
        for (unsigned i = 0; i < 8; ++i)
        {
            ones += byte >> i & 1U;
        }
    }
    return static_cast<double>(ones) / (static_cast<double>(bits.size()) * 8);
}

} // namespace

TEST(BloomIndex, TakesItsBitsPerValueInWholeBytes)
{
    EXPECT_EQ(BloomIndex({0.5, 7}, 1024).Bytes(), 64U);
    EXPECT_EQ(BloomIndex({0.3, 7}, 1024).Bytes(), 39U); // 307.2 bits
    EXPECT_EQ(BloomIndex({0.5, 7}, 0).Bytes(), 0U);
}

/* Value 0 of 1024 at 0.5 bits: m = 512. MurmurHash3(0) is 1EF30E51 with seed 3 and FE584167 with seed 4
 * (from an implementation of our own in Python), so g_1 = 1D4B4FB8; divided by 2^23: 61 and 58.   */
TEST(BloomIndex, SetsTheBitsThatItsHashesSay)
{
    std::vector<float> values(1024);
    values[0] = 1;
    std::vector<std::uint8_t> filter(64);
    BloomIndex({0.5, 2}, 1024).Mark(values.data(), filter.data());
    std::vector<std::uint8_t> expected(64);
    expected[61 / 8] = 1U << 61 % 8;
    expected[58 / 8] |= 1U << 58 % 8;
    EXPECT_EQ(filter, expected);
}

TEST(BloomIndex, MissesNothing)
{
    const auto values = SparseValues(g_values, 0.05, 1);
    std::vector<std::uint8_t> marked(g_values / 8);
    MarkBits(values.data(), g_values, marked.data());
    for (const BloomSettings& settings : {BloomSettings{0.5, 7}, BloomSettings{0.1, 1}})
    {
        const auto found = Found(BloomIndex(settings, g_values), values);
        for (std::size_t i = 0; i < found.size(); ++i)
        {
            EXPECT_EQ(marked[i] & ~found[i], 0) << i;
        }
    }
}

/* Drawn 262144 times, a share of 0.0082 has a standard deviation of 0.0002; a tenth is four of them. */
TEST(BloomIndex, FindsAsManyTooManyAsExpected)
{
    for (const BloomSettings& settings : {BloomSettings{0.5, 7}, BloomSettings{0.25, 3}})
    {
        const auto values = SparseValues(g_values, 0.05, 1);
        std::vector<std::uint8_t> marked(g_values / 8);
        MarkBits(values.data(), g_values, marked.data());
        const auto density = ShareOfOnes(marked);
        const auto expected = BloomFalsePositives(settings, density);
        const auto found = ShareOfOnes(Found(BloomIndex(settings, g_values), values));
        EXPECT_NEAR((found - density) / (1 - density), expected, expected / 10);
    }
}

/* 1 - e^(-1 * 0.5 / 1) = 0.39347 for one hash; nothing set, nothing found. */
TEST(BloomIndex, ForecastsFalsePositives)
{
    EXPECT_NEAR(BloomFalsePositives({1, 1}, 0.5), 0.39347, 1e-5);
    EXPECT_EQ(BloomFalsePositives({0.5, 7}, 0), 0.0);
}

TEST(BloomIndex, RefusesSettingsOutOfRange)
{
    EXPECT_THROW(BloomIndex({0, 7}, 8), InputError);
    EXPECT_THROW(BloomIndex({1.01, 7}, 8), InputError);
    EXPECT_THROW(BloomIndex({0.5, 0}, 8), InputError);
    EXPECT_THROW(BloomIndex({0.5, 17}, 8), InputError);
    EXPECT_THROW(BloomFalsePositives({0.5, 0}, 0.1), InputError);
}

} // namespace inca
