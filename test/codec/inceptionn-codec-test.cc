/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/inceptionn-codec.h"

#include "base/errors.h"
#include "codec-test-values.h"
#include "inceptionn-reference.h"

#include <gtest/gtest.h>

#include <cmath>

namespace inca
{

namespace
{

constexpr unsigned g_publishedBounds[] = {10, 8, 6};
constexpr std::uint32_t g_mantissas = 1U << 23U;

/** All values of a sign and exponent whose mantissa is a multiple of @p step, or one less. */
std::vector<float>
ValuesOf(std::uint32_t sign, std::uint32_t exponent, std::uint32_t step)
{
    std::vector<float> values;
    for (std::uint32_t mantissa = 0; mantissa < g_mantissas; mantissa += step)
    {
        const auto high = (sign << 31U) | (exponent << 23U);
        values.push_back(FromBits(high | mantissa));
        values.push_back(FromBits(high | (mantissa + step - 1)));
    }
    return values;
}

/** Calls @p check with values of each sign and exponent, one sign and exponent a call. */
template <typename Check>
void
ForAllExponents(std::uint32_t step, const Check& check)
{
    for (std::uint32_t exponent = 0; exponent < 256; ++exponent)
    {
        check(ValuesOf(0, exponent, step));
        check(ValuesOf(1, exponent, step));
    }
}

/** Stream, size and decoded values must be the reference's, bit for bit. */
void
ExpectAsReference(const Codec& codec,
                  unsigned bound,
                  const std::vector<float>& values,
                  unsigned lastBit = reference::PRINTED_BIT)
{
    const auto stream = Encoded(codec, values);
    const auto expected = reference::Stream(ToBits(values), bound, lastBit);
    ASSERT_TRUE(stream == expected) << "2^-" << bound << ' ' << values.front();
    ASSERT_EQ(codec.CountBytes(values.data(), values.size()), expected.size());
    const auto decoded = reference::ThereAndBack(ToBits(values), bound, lastBit);
    ASSERT_TRUE(ToBits(Decoded(codec, stream, values.size())) == decoded)
        << "2^-" << bound << ' ' << values.front();
    auto roundTrip = values;
    codec.RoundTrip(roundTrip.data(), roundTrip.size());
    ASSERT_TRUE(ToBits(roundTrip) == decoded) << "2^-" << bound << ' ' << values.front();
}

/** By B: what the last bit of a byte weighs of the codec that keeps its bound. B + 2 to 10, then 7 + floor(B / 2). */
constexpr unsigned g_keptBits[] = {0, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 12, 13, 13, 14};

} // namespace

TEST(InceptionnCodec, IsTheAlgorithmForAllExponents)
{
    for (unsigned bound = 1; bound <= 15; ++bound)
    {
        const bool isPublished = bound == 6 || bound == 8 || bound == 10;
        ForAllExponents(isPublished ? 4096 : 65536,
                        [&, codec = MakeInceptionnCodec(bound)](const auto& values) {
                            ExpectAsReference(*codec, bound, values);
                        });
    }
}

TEST(BoundedInceptionnCodec, IsTheAlgorithmWithItsOwnLastBitForAllExponents)
{
    for (unsigned bound = 1; bound <= 14; ++bound)
    {
        const auto codec = MakeBoundedInceptionnCodec(bound);
        ForAllExponents(bound == 10 ? 4096 : 65536, [&](const auto& values) {
            ExpectAsReference(*codec, bound, values, g_keptBits[bound]);
        });
    }
}

/* 116 | 117 stand on both sides of 2^-10, 121 | 122 of the byte class's end, 126 | 127 of 1. Of a mantissa's 23 bits,
 * classes keep all, or cut the lower 8 at least: on both sides of each multiple of 2^6 are all cases. */
TEST(InceptionnCodec, IsTheAlgorithmForAllCutsWhereClassesMeet)
{
    for (const std::uint32_t exponent : {116U, 117U, 121U, 122U, 126U, 127U})
    {
        ExpectAsReference(*MakeInceptionnCodec(10), 10, ValuesOf(exponent % 2, exponent, 64));
    }
}

/* At either end of the byte class, whose bytes alone are others. */
TEST(BoundedInceptionnCodec, IsTheAlgorithmForAllCutsWhereClassesMeet)
{
    const auto codec = MakeBoundedInceptionnCodec(10);
    for (const std::uint32_t exponent : {117U, 121U})
    {
        ExpectAsReference(*codec, 10, ValuesOf(exponent % 2, exponent, 64), g_keptBits[10]);
    }
}

TEST(InceptionnCodec, DoesWhatTheHeaderSaysToSpecialValues)
{
    for (const auto bound : g_publishedBounds)
    {
        ExpectAsReference(*MakeInceptionnCodec(bound), bound, SpecialValues());
        ExpectAsReference(
            *MakeBoundedInceptionnCodec(bound), bound, SpecialValues(), g_keptBits[bound]);
        const auto bits = ToBits(ThereAndBack(*MakeInceptionnCodec(bound), SpecialValues()));
        const auto given = ToBits(SpecialValues());
        for (std::size_t i = 0; i < bits.size(); ++i)
        {
            const auto exponent = (given[i] >> 23U) & 255U;
            if (exponent < 126)
            {
                EXPECT_EQ(bits[i], 0U) << "zeros, denormals and tiny values become +0";
            }
            if (exponent >= 127)
            {
                EXPECT_EQ(bits[i], given[i]) << "1 and above, infinities and NaNs keep all bits";
            }
        }
    }
}

/* At 2^-10: 0 travels as tag 0; -0.02 = -(2.56 / 128) as a byte 0x80 | 2; 0.5 = 2^14 / 2^15 as two
 * bytes 0x4000; -1.5 raw, 0xBFC00000. Tags 0 to 3 from the lowest bits up: 0b11'10'01'00 = 0xE4. Below
 * 2^-7 = 0.0078 a byte's data are zeros, which are read as a zero with its sign. */
TEST(InceptionnCodec, WritesTheStreamOfTheDesign)
{
    const auto codec = MakeInceptionnCodec(10);
    const std::vector<float> values{0.0F, -0.02F, 0.5F, -1.5F};
    const std::vector<std::uint8_t> stream{0xE4, 0x00, 0x82, 0x00, 0x40, 0x00, 0x00, 0xC0, 0xBF};
    EXPECT_EQ(Encoded(*codec, values), stream);
    EXPECT_EQ(Decoded(*codec, stream, 4), (std::vector<float>{0.0F, -2.0F / 128, 0.5F, -1.5F}));
    const std::vector<float> tiny{0.002F, -0.002F};
    EXPECT_EQ(Encoded(*codec, tiny), (std::vector<std::uint8_t>{0x05, 0x00, 0x00, 0x80}));
    EXPECT_EQ(ToBits(ThereAndBack(*codec, tiny)),
              (std::vector<std::uint32_t>{0x00000000, 0x80000000}));
}

/* At 2^-10 a byte counts 2^-12 = 1/4096: of 0.02 it holds floor(81.92) = 81 = 0x51, of 0.002 floor(8.192) = 8, and of the
 * largest value below 2^-5 = 128 / 4096 all its bits, 127. */
TEST(BoundedInceptionnCodec, WritesTheSameStreamButForItsBytes)
{
    const auto codec = MakeBoundedInceptionnCodec(10);
    const std::vector<float> values{0.0F, -0.02F, 0.5F, -1.5F};
    const std::vector<std::uint8_t> stream{0xE4, 0x00, 0xD1, 0x00, 0x40, 0x00, 0x00, 0xC0, 0xBF};
    EXPECT_EQ(Encoded(*codec, values), stream);
    EXPECT_EQ(Decoded(*codec, stream, 4), (std::vector<float>{0.0F, -81.0F / 4096, 0.5F, -1.5F}));
    const std::vector<float> ends{0.002F, -std::nextafter(0.03125F, 0.0F)};
    EXPECT_EQ(Encoded(*codec, ends), (std::vector<std::uint8_t>{0x05, 0x00, 0x08, 0xFF}));
    EXPECT_EQ(ThereAndBack(*codec, ends), (std::vector<float>{8.0F / 4096, -127.0F / 4096}));
}

TEST(InceptionnCodec, TakesAnyLength)
{
    for (std::size_t count = 0; count < 150; ++count)
    {
        std::vector<float> values(count);
        for (std::size_t i = 0; i < count; ++i)
        {
            values[i] = std::ldexp(1.25F, -static_cast<int>(i * 7 % 13));
        }
        const auto codec = MakeInceptionnCodec(10);
        const auto stream = Encoded(*codec, values);
        EXPECT_EQ(stream, reference::Stream(ToBits(values), 10));
        EXPECT_EQ(ToBits(Decoded(*codec, stream, count)),
                  reference::ThereAndBack(ToBits(values), 10));
    }
}

/* A second pass changes nothing, but that -0.0 has lost its sign: it has no tag of its own. */
TEST(InceptionnCodec, IsIdempotent)
{
    for (const auto bound : {1U, 6U, 8U, 10U, 15U})
    {
        const auto codec = MakeInceptionnCodec(bound);
        ForAllExponents(16384, [&](const auto& values) {
            const auto once = ThereAndBack(*codec, values);
            auto expected = ToBits(once);
            for (auto& bits : expected)
            {
                bits = bits == 0x80000000U ? 0U : bits;
            }
            const auto twice = ThereAndBack(*codec, once);
            ASSERT_TRUE(ToBits(twice) == expected) << values.front();
            ASSERT_TRUE(ToBits(ThereAndBack(*codec, twice)) == expected) << values.front();
        });
    }
}

/* No zero has a sign that could be lost: a byte's value stays in its class when it is cut. -0.0 itself is +0 at once. */
TEST(BoundedInceptionnCodec, IsIdempotentToTheBit)
{
    for (const auto bound : {1U, 6U, 8U, 10U, 11U, 12U, 13U, 14U})
    {
        const auto codec = MakeBoundedInceptionnCodec(bound);
        ForAllExponents(16384, [&](const auto& values) {
            const auto once = ThereAndBack(*codec, values);
            ASSERT_TRUE(ToBits(ThereAndBack(*codec, once)) == ToBits(once)) << values.front();
        });
    }
}

/** The largest |value - decoded| over all finite values below 1. */
double
LargestError(const Codec& codec)
{
    double largest = 0;
    ForAllExponents(8192, [&](const auto& values) {
        const auto decoded = ThereAndBack(codec, values);
        for (std::size_t i = 0; i < values.size() && std::abs(values[i]) < 1; ++i)
        {
            EXPECT_LE(std::abs(decoded[i]), std::abs(values[i])) << "cut, never rounded up";
            largest = std::max(largest, std::abs(static_cast<double>(values[i]) - decoded[i]));
        }
    });
    return largest;
}

/* The bound is kept to B = 7: what is dropped is below 2^-B, and the byte class's last bit weighs 2^-7. From B = 8 on a
 * byte loses up to, and not including, 2^-7; the largest float below 2^-7, which becomes 0, loses 2^-7 - 2^-31. */
TEST(InceptionnCodec, KeepsItsBoundUpToTwoToTheMinusSeven)
{
    for (unsigned bound = 1; bound <= 15; ++bound)
    {
        const auto error = LargestError(*MakeInceptionnCodec(bound));
        EXPECT_TRUE(bound > 7 || error < std::ldexp(1.0, -static_cast<int>(bound))) << bound;
        EXPECT_TRUE(bound <= 7 || error == std::ldexp(1.0, -7) - std::ldexp(1.0, -31)) << bound;
    }
}

/* What does not travel loses most: the largest float below 2^-B, whose last bit weighs 2^-(B + 24), loses all of itself. A
 * byte's value loses less than 2^-L, which is 2^-B at B = 13 and 14; but its last bit weighs 2^-(B + 23) or more, so that it
 * loses 2^-B - 2^-(B + 23) at most. */
TEST(BoundedInceptionnCodec, KeepsItsBound)
{
    for (unsigned bound = 1; bound <= 14; ++bound)
    {
        const auto power = static_cast<int>(bound);
        EXPECT_EQ(LargestError(*MakeBoundedInceptionnCodec(bound)),
                  std::ldexp(1.0, -power) - std::ldexp(1.0, -power - 24))
            << bound;
    }
}

/* At 2^-15 a byte's values are below 2^-7: that takes 8 bits from 2^-15 on, and a byte has 7 beside its sign. */
TEST(BoundedInceptionnCodec, RefusesBoundsThatAByteCannotKeep)
{
    EXPECT_THROW(MakeBoundedInceptionnCodec(0), InputError);
    EXPECT_NO_THROW(MakeBoundedInceptionnCodec(14));
    EXPECT_THROW(MakeBoundedInceptionnCodec(15), InputError);
}

TEST(InceptionnCodec, RefusesStreamsThatNoEncoderWrites)
{
    const auto codec = MakeInceptionnCodec(10);
    const std::vector<std::uint8_t> half{0x02, 0x00, 0x00, 0x40};
    EXPECT_EQ(Decoded(*codec, half, 1), std::vector<float>{0.5F});
    EXPECT_THROW(Decoded(*codec, {0x02, 0x00, 0x00}, 1), InputError) << "data is missing";
    EXPECT_THROW(Decoded(*codec, {0x02}, 1), InputError) << "half a tag word";
    EXPECT_THROW(Decoded(*codec, {}, 1), InputError);
    EXPECT_THROW(Decoded(*codec, half, 9), InputError) << "the second tag word is missing";
    EXPECT_THROW(Decoded(*codec, {0x02, 0x00, 0x00, 0x40, 0x00}, 1), InputError) << "left over";
    EXPECT_THROW(Decoded(*codec, half, 0), InputError) << "left over";
    EXPECT_THROW(Decoded(*codec, {0x06, 0x00, 0x00, 0x40, 0x01}, 1), InputError)
        << "the second value is not there but has a tag";
    EXPECT_THROW(Decoded(*codec, {0x00, 0x40}, 7), InputError) << "so has the eighth";
}

/* Cut anywhere, a stream of several blocks is refused and nothing behind its end is read. */
TEST(InceptionnCodec, RefusesAStreamCutAnywhere)
{
    const auto codec = MakeInceptionnCodec(10);
    const auto values = AnyValues(100);
    const auto stream = Encoded(*codec, values);
    for (std::size_t bytes = 0; bytes < stream.size(); ++bytes)
    {
        const std::vector<std::uint8_t> cut(stream.data(), stream.data() + bytes);
        EXPECT_THROW(Decoded(*codec, cut, values.size()), InputError) << bytes;
    }
}

TEST(InceptionnCodec, AnswersByStatistics)
{
    for (const auto& codec : {MakeInceptionnCodec(10), MakeBoundedInceptionnCodec(10)})
    {
        EXPECT_FALSE(codec->IsLossless());
        EXPECT_FALSE(codec->MeanBits({}));
        ValueStatistics statistics;
        statistics.exponents = {{100, 0.75}, {126, 0.25}};
        EXPECT_EQ(codec->MeanBits(statistics), 0.75 * 2 + 0.25 * 18);
        statistics.widths[10] = {1, 0, 0, 0};
        EXPECT_EQ(codec->MeanBits(statistics), 2.0);
    }
}

TEST(InceptionnCodec, RefusesOtherBounds)
{
    EXPECT_THROW(MakeInceptionnCodec(0), InputError);
    EXPECT_THROW(MakeInceptionnCodec(16), InputError);
}

} // namespace inca
