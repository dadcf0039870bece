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

constexpr std::uint32_t g_rows = 256;
constexpr std::size_t g_values = g_rows * g_sketchLanes;

std::vector<std::uint8_t>
Found(const BloomSettings& settings, const std::vector<float>& values)
{
    const BloomIndex index(settings);
    std::vector<std::uint8_t> filters(g_rows * BloomRowBytes(settings));
    index.Mark(values.data(), g_rows, filters.data());
    std::vector<std::uint8_t> bits(values.size() / 8);
    index.Find(filters.data(), g_rows, bits.data());
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
    EXPECT_EQ(BloomRowBytes({0.5, 7}), 64U);
    EXPECT_EQ(BloomRowBytes({0.3, 7}), 39U); // 307.2 bits
    EXPECT_EQ(BloomRowBytes({1, 7}), 128U);
    EXPECT_EQ(BloomRowBytes({1e-9, 7}), 1U);
}

/* Lane 0 at 0.5 bits per value: m = 512. MurmurHash3(0) is 1EF30E51 with seed 3 and FE584167 with seed
 * 4 (from an implementation of our own in Python), divided by 2^23: 61 and 508.
 * The second row's filter begins at byte 64.                                                     */
TEST(BloomIndex, SetsTheBitsThatItsHashesSay)
{
    std::vector<float> values(2048);
    values[1024] = 1;
    std::vector<std::uint8_t> filters(128);
    BloomIndex({0.5, 2}).Mark(values.data(), 2, filters.data());
    std::vector<std::uint8_t> expected(128);
    expected[64 + 61 / 8] = 1U << 61 % 8;
    expected[64 + 508 / 8] = 1U << 508 % 8;
    EXPECT_EQ(filters, expected);
}

TEST(BloomIndex, MissesNothing)
{
    const auto values = SparseValues(g_values, 0.05, 1);
    std::vector<std::uint8_t> marked(g_values / 8);
    MarkBits(values.data(), g_values, marked.data());
    for (const BloomSettings& settings : {BloomSettings{0.5, 7}, BloomSettings{0.1, 1}})
    {
        const auto found = Found(settings, values);
        for (std::size_t i = 0; i < found.size(); ++i)
        {
            EXPECT_EQ(marked[i] & ~found[i], 0) << i;
        }
    }
}

/* The formula takes a value's bits as different, which two of 7 among 512 are not in 4 % of the lanes,
 * where twice as many are found; and 1024 lanes are a sample: a fifth.                                                                                */
TEST(BloomIndex, FindsAsManyTooManyAsExpected)
{
    for (const BloomSettings& settings : {BloomSettings{0.5, 7}, BloomSettings{0.25, 3}})
    {
        const auto values = SparseValues(g_values, 0.05, 1);
        std::vector<std::uint8_t> marked(g_values / 8);
        MarkBits(values.data(), g_values, marked.data());
        const auto density = ShareOfOnes(marked);
        const auto expected = BloomFalsePositives(settings, density);
        const auto found = ShareOfOnes(Found(settings, values));
        EXPECT_NEAR((found - density) / (1 - density), expected, expected / 5);
    }
}

/* One hash, m = 1024, n = 512, standard deviation 16: 1 - e^-0.5 = 0.39347, less 0.6065 / 2 * (16 /
 * 1024)^2 for the spread. Nothing set, nothing found.                                            */
TEST(BloomIndex, ForecastsFalsePositives)
{
    EXPECT_NEAR(BloomFalsePositives({1, 1}, 0.5), 0.39347 - 0.6065 / 8192, 1e-5);
    EXPECT_EQ(BloomFalsePositives({0.5, 7}, 0), 0.0);
}

TEST(BloomIndex, RefusesSettingsOutOfRange)
{
    for (const BloomSettings& settings : {BloomSettings{0, 7},
                                          BloomSettings{1.01, 7},
                                          BloomSettings{0.5, 0},
                                          BloomSettings{0.5, 17}})
    {
        EXPECT_THROW(BloomRowBytes(settings), InputError);
        EXPECT_THROW(BloomIndex index(settings), InputError);
    }
    EXPECT_THROW(BloomFalsePositives({0.5, 0}, 0.1), InputError);
}

} // namespace inca
