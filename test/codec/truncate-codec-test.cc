/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/truncate-codec.h"

#include "base/errors.h"
#include "codec-test-values.h"

#include <gtest/gtest.h>

#include <cmath>

namespace inca
{

namespace
{

constexpr unsigned g_drops[] = {16, 22, 24};

} // namespace

/* 0xC0490FDB >> 22 is 0b11'0000'0001, 0x3F800000 >> 22 is 0b00'1111'1110. The first ten bits are
 * the first value's: byte 0 = 0000'0001; byte 1 = the second's low six bits 11'1110, then the
 * first's 11 = 1111'1011; byte 2 = padding, then the second's high four bits 0011.             */
TEST(TruncateCodec, PacksTheLeastSignificantBitFirst)
{
    const std::vector<float> values{FromBits(0xC0490FDB), 1.0F};
    const auto codec = MakeTruncateCodec(22);
    EXPECT_EQ(Encoded(*codec, values), (std::vector<std::uint8_t>{0x01, 0xFB, 0x03}));
    EXPECT_EQ(Encoded(*MakeTruncateCodec(16), values),
              (std::vector<std::uint8_t>{0x49, 0xC0, 0x80, 0x3F}));
    EXPECT_EQ(Encoded(*MakeTruncateCodec(24), values), (std::vector<std::uint8_t>{0xC0, 0x3F}));
}

TEST(TruncateCodec, CutsExactlyTheDroppedBitsAtEveryLength)
{
    for (const auto drop : g_drops)
    {
        const auto codec = MakeTruncateCodec(drop);
        for (std::size_t count = 0; count <= 33; ++count)
        {
            const auto values = AnyValues(count);
            const auto stream = Encoded(*codec, values);
            EXPECT_EQ(stream.size(), (count * (32 - drop) + 7) / 8);
            EXPECT_EQ(stream.size(), codec->CountBytes(values.data(), count));
            auto expected = ToBits(values);
            for (auto& bits : expected)
            {
                bits = bits >> drop << drop;
            }
            EXPECT_EQ(ToBits(Decoded(*codec, stream, count)), expected) << drop << ' ' << count;
        }
    }
}

TEST(TruncateCodec, DoesToSpecialValuesWhatTheHeaderSays)
{
    const std::vector<float> values{FromBits(0x7F800001), FromBits(0xFFC00000), -INFINITY};
    const auto kept = [&](unsigned drop) {
        return ToBits(ThereAndBack(*MakeTruncateCodec(drop), values));
    };
    EXPECT_EQ(kept(16), (std::vector<std::uint32_t>{0x7F800000, 0xFFC00000, 0xFF800000}));
    EXPECT_EQ(kept(22), (std::vector<std::uint32_t>{0x7F800000, 0xFFC00000, 0xFF800000}));
    EXPECT_EQ(kept(24), (std::vector<std::uint32_t>{0x7F000000, 0xFF000000, 0xFF000000}));
}

TEST(TruncateCodec, RefusesPadding)
{
    const auto codec = MakeTruncateCodec(22);
    EXPECT_THROW(Decoded(*codec, {0, 0, 0x10}, 2),
                 InputError); // bit 20 is the first of the padding
    EXPECT_EQ(ToBits(Decoded(*codec, {0, 0, 0x08}, 2)[1]), 1U << 31U);
}

TEST(TruncateCodec, RefusesOtherWidths)
{
    for (const auto drop : {0U, 8U, 17U, 32U})
    {
        EXPECT_THROW(MakeTruncateCodec(drop), InputError) << drop;
    }
}

/* 1.0 is 0x3F800000: its lowest byte travels first. */
TEST(NullCodec, WritesLittleEndianWordsAndKeepsEveryBit)
{
    const auto codec = MakeNullCodec();
    EXPECT_EQ(Encoded(*codec, {1.0F}), (std::vector<std::uint8_t>{0, 0, 0x80, 0x3F}));
    EXPECT_TRUE(codec->IsLossless());
    EXPECT_EQ(codec->MeanBits({}), 32.0);
    EXPECT_EQ(ToBits(ThereAndBack(*codec, SpecialValues())), ToBits(SpecialValues()));
}

} // namespace inca
