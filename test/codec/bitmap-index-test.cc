/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/bitmap-index.h"

#include "base/errors.h"
#include "codec-test-values.h"

#include <gtest/gtest.h>

namespace inca
{

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

/* Value 1 is the high nibble of byte 0, value 10 the low one of byte 5, value 63 the high one of 31. */
TEST(BitmapIndex, PutsEvenValuesInLowNibbles)
{
    std::vector<std::uint8_t> expected(32);
    expected[0] = 0x10;
    expected[5] = 0x01;
    expected[31] = 0x10;
    EXPECT_EQ(Nibbles(ThreeOf64()), expected);
}

TEST(BitmapIndex, MarksAllButZerosOfBothSigns)
{
    auto values = SpecialValues(); // zeros of both signs first
    values.resize(32, 1.0F);
    EXPECT_EQ(Bits(values), (std::vector<std::uint8_t>{0xFC, 0xFF, 0xFF, 0xFF}));
}

TEST(BitmapIndex, CombinesByOr)
{
    std::vector<std::uint8_t> sum{0x01, 0xF0};
    const std::vector<std::uint8_t> other{0x81, 0x0F};
    OrBits(other.data(), 2, sum.data());
    EXPECT_EQ(sum, (std::vector<std::uint8_t>{0x81, 0xFF}));
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
