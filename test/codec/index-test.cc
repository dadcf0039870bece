/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/bitmap-index.h"

#include "base/errors.h"
#include "codec-test-values.h"
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

namespace
{

/** 64 zeros but for the values 1, 10 and 63. */
std::vector<float>
ThreeOf64()
{
    std::vector<float> values(64);
    values[1] = 2;
    values[10] = -3;
    values[63] = FromBits(1); // the smallest denormal
    return values;
}

std::vector<std::uint8_t>
Bits(const std::vector<float>& values)
{
    std::vector<std::uint8_t> bits(values.size() / 8);
    MarkBits(values.data(), values.size(), bits.data());
    return bits;
}

std::vector<std::uint8_t>
Nibbles(const std::vector<float>& values)
{
    std::vector<std::uint8_t> nibbles(values.size() / 2);
    MarkNibbles(values.data(), values.size(), nibbles.data());
    return nibbles;
}

} // namespace

/* Bit 1 of byte 0, bit 2 of byte 1, bit 7 of byte 7. */
TEST(BitmapIndex, SetsTheLeastSignificantBitFirst)
{
    EXPECT_EQ(Bits(ThreeOf64()), (std::vector<std::uint8_t>{0x02, 0x04, 0, 0, 0, 0, 0, 0x80}));
}

TEST(BitmapIndex, MarksAllButZerosOfBothSigns)
{
    auto values = SpecialValues(); // zeros of both signs first
    values.resize(32, 1.0F);
    EXPECT_EQ(Bits(values), (std::vector<std::uint8_t>{0xFC, 0xFF, 0xFF, 0xFF}));
}

TEST(BitmapIndex, AddsUpFifteenWorkersAndRefusesTheSixteenth)
{
    for (const auto mark : {std::uint8_t{0x01}, std::uint8_t{0x10}, std::uint8_t{0x11}})
    {
        std::uint8_t sum = 0;
        for (unsigned worker = 1; worker <= 15; ++worker)
        {
            AddNibbles(&mark, 1, &sum);
            EXPECT_EQ(sum, worker * mark);
        }
        EXPECT_THROW(AddNibbles(&mark, 1, &sum), InputError);
    }
}

TEST(BitmapIndex, CountsBits)
{
    std::vector<std::uint8_t> bits(16);
    bits[0] = 0x81;
    bits[15] = 0xF0;
    EXPECT_EQ(CountBits(bits.data(), 64), 2U);
    EXPECT_EQ(CountBits(bits.data(), 128), 6U);
    EXPECT_EQ(CountBits(nullptr, 0), 0U);
}

TEST(BitmapIndex, MakesBitsOfAnyNibbles)
{
    for (unsigned value = 0; value < 8; ++value)
    {
        for (unsigned nibble = 0; nibble < 16; ++nibble)
        {
            std::vector<std::uint8_t> nibbles(4);
            nibbles[value / 2] = static_cast<std::uint8_t>(nibble << (value % 2 * 4));
            std::uint8_t bits = 0xFF;
            BitsOfNibbles(nibbles.data(), 8, &bits);
            EXPECT_EQ(bits, nibble == 0 ? 0U : 1U << value) << value << ' ' << nibble;
        }
    }
    const auto values = AnyValues(512);
    std::vector<std::uint8_t> bits(64);
    BitsOfNibbles(Nibbles(values).data(), 512, bits.data());
    EXPECT_EQ(bits, Bits(values));
}

} // namespace inca
