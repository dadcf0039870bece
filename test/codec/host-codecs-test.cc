/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The codecs of libraries that others wrote: their streams are wrapped here, and made safe to read.
#include "base/errors.h"
#include "codec-test-values.h"
#include "codec/little-endian.h"
#include "codec/snappy-codec.h"
#include "codec/zfp-codec.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace inca
{

namespace
{

constexpr float g_infinity = std::numeric_limits<float>::infinity();

/** A few values of each magnitude from 2^-20 up to, not including, 2^@p end, of both signs. */
std::vector<float>
ValuesBelow(int end)
{
    std::vector<float> values;
    for (const auto value : AnyValues(40'000))
    {
        int exponent = 0;
        const auto fraction = std::frexp(value, &exponent);
        if (std::isfinite(value))
        {
            const auto steps = end + 20;
            values.push_back(std::ldexp(fraction, end - (exponent % steps + steps) % steps));
        }
    }
    return values;
}

} // namespace

/* A block begins with the number of bytes, 4 * 64 = 256 = 0x80 0x02. A literal of one byte 0 (tag 0x00) and copies of up to
 * 64 bytes, 3 bytes each, are all that zeros take: less than 2 + 2 + 4 * 3 + 3 bytes. */
TEST(SnappyCodec, MakesZerosSmall)
{
    const auto codec = MakeSnappyCodec();
    const auto stream = Encoded(*codec, std::vector<float>(64));
    ASSERT_GT(stream.size(), 4U);
    EXPECT_LE(stream.size(), 19U);
    EXPECT_EQ(std::vector<std::uint8_t>(stream.data(), stream.data() + 4),
              (std::vector<std::uint8_t>{0x80, 0x02, 0x00, 0x00}));
    EXPECT_EQ(Decoded(*codec, stream, 64), std::vector<float>(64));
    EXPECT_TRUE(codec->IsLossless());
    EXPECT_FALSE(codec->MeanBits({}));
}

/* The length of another number of values, no length at all, a literal that is longer than the stream. */
TEST(SnappyCodec, RefusesWhatIsNoStreamOfSoManyValues)
{
    const auto codec = MakeSnappyCodec();
    const auto stream = Encoded(*codec, {1.0F, 2.0F});
    EXPECT_THROW(Decoded(*codec, stream, 1), InputError);
    EXPECT_THROW(Decoded(*codec, stream, 0), InputError);
    EXPECT_THROW(Decoded(*codec, {}, 1), InputError);
    EXPECT_THROW(Decoded(*codec, {0xFF, 0xFF, 0xFF, 0xFF, 0xFF}, 1), InputError);
    EXPECT_THROW(Decoded(*codec, {0x04, 0x0C, 0x00}, 1), InputError);
}

/* Below 2^(24 - B), as the header says; and above, where a block has 32 bits less its guard bits, as near as those allow. */
TEST(ZfpCodec, KeepsItsAccuracy)
{
    for (unsigned bound = 1; bound <= 15; ++bound)
    {
        const auto power = static_cast<int>(bound);
        const auto values = ValuesBelow(24 - power);
        const auto decoded = ThereAndBack(*MakeZfpCodec(bound), values);
        double largest = 0;
        for (std::size_t i = 0; i < values.size(); ++i)
        {
            largest = std::max(largest, std::abs(static_cast<double>(values[i]) - decoded[i]));
        }
        EXPECT_LE(largest, std::ldexp(1.0, -power)) << bound;
        EXPECT_GT(largest, std::ldexp(1.0, -power - 8)) << bound << ": else it wastes bits";
    }
}

/* Block of 4 values, all of them below the accuracy: one bit, that it is zero. 64 blocks fill a word of 64 bits; with the number
 * of exceptions they are 12 bytes. An exception takes 8. */
TEST(ZfpCodec, WritesABitForFourSmallValues)
{
    const auto codec = MakeZfpCodec(10);
    std::vector<float> values(256, 1e-6F);
    const auto stream = Encoded(*codec, values);
    EXPECT_EQ(stream, std::vector<std::uint8_t>(4 + 8, 0));
    EXPECT_EQ(Decoded(*codec, stream, 256), std::vector<float>(256));
    values[3] = -g_infinity;
    values[255] = FromBits(0x7FC12345);
    const auto withExceptions = Encoded(*codec, values);
    ASSERT_EQ(withExceptions.size(), 4U + 2 * 8 + 8);
    EXPECT_EQ(withExceptions[0], 2U);
    EXPECT_EQ(withExceptions[4], 3U);
    EXPECT_EQ(withExceptions[12], 255U);
    const auto decoded = Decoded(*codec, withExceptions, 256);
    EXPECT_EQ(ToBits(decoded[3]), ToBits(-g_infinity));
    EXPECT_EQ(ToBits(decoded[255]), 0x7FC12345U);
    EXPECT_EQ(decoded[4], 0.0F);
}

/* Missing and left-over words; exceptions out of order, behind the end, or of values that zfp takes. */
TEST(ZfpCodec, RefusesStreamsThatNoEncoderWrites)
{
    const auto codec = MakeZfpCodec(10);
    std::vector<float> values(256, 1e-6F);
    values[3] = g_infinity;
    values[255] = g_infinity;
    const auto stream = Encoded(*codec, values);
    EXPECT_NO_THROW(Decoded(*codec, stream, 256));
    EXPECT_THROW(Decoded(*codec, stream, 255), InputError) << "behind the last value";
    EXPECT_THROW(Decoded(*codec, stream, 257), InputError) << "a block is missing";
    EXPECT_THROW(Decoded(*codec, stream, 0), InputError);
    const auto changed = [&stream](std::size_t at, std::uint32_t word) {
        auto copy = stream;
        StoreLittle(word, &copy[at]);
        return copy;
    };
    EXPECT_THROW(Decoded(*codec, changed(0, 3), 256), InputError) << "more than there is room for";
    EXPECT_THROW(Decoded(*codec, changed(0, 0xFFFFFFFF), 256), InputError);
    EXPECT_THROW(Decoded(*codec, changed(4, 255), 256), InputError) << "twice";
    EXPECT_THROW(Decoded(*codec, changed(8, 0x3F800000), 256), InputError) << "zfp takes 1";
    auto longer = stream;
    longer.resize(longer.size() + 8);
    EXPECT_THROW(Decoded(*codec, longer, 256), InputError) << "left over";
}

/* Whatever the bits: what begins before the end may go on behind it, into zeros that are there. */
TEST(ZfpCodec, ReadsAnyBits)
{
    const auto codec = MakeZfpCodec(15);
    for (const unsigned byte : {0x01U, 0x55U, 0xAAU, 0xFEU, 0xFFU})
    {
        for (std::size_t words = 1; words < 20; ++words)
        {
            std::vector<std::uint8_t> stream(4 + 8 * words, static_cast<std::uint8_t>(byte));
            StoreLittle(std::uint32_t{0}, stream.data());
            for (std::size_t count = 1; count < 200; ++count)
            {
                try
                {
                    Decoded(*codec, stream, count);
                }
                catch (const InputError&)
                {
                }
            }
        }
    }
}

} // namespace inca
