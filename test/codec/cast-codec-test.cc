/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/cast-codec.h"

#include "base/errors.h"
#include "base/half-float.h"
#include "codec-test-values.h"

#include <gtest/gtest.h>

#include <cmath>

namespace inca
{

namespace
{

/** What a 16-bit pattern of this type is worth, by IEEE 754's definition; finite ones only. */
double
Worth(unsigned bits, unsigned mantissaBits)
{
    const int bias = mantissaBits == 10 ? 15 : 127;
    const auto exponent = static_cast<int>((bits & 0x7FFFU) >> mantissaBits);
    const auto mantissa = static_cast<double>(bits & ((1U << mantissaBits) - 1));
    const double fraction = std::ldexp(mantissa, -static_cast<int>(mantissaBits));
    const double magnitude =
        exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, exponent - bias);
    return (bits & 0x8000U) != 0 ? -magnitude : magnitude;
}

bool
IsFinite(unsigned bits, unsigned mantissaBits)
{
    const auto infinity = mantissaBits == 10 ? 0x7C00U : 0x7F80U;
    return (bits & 0x7FFFU) < infinity;
}

/**
 * Walks all pairs of neighbors of a type: what lies between must go to the nearer one and the
 * middle to the even one. The middle of two 16-bit neighbors is exact in fp32.
 */
void
CheckRounding(std::uint16_t (*narrow)(float), unsigned mantissaBits)
{
    for (unsigned low = 0; IsFinite(low + 1, mantissaBits); ++low)
    {
        const double middle = (Worth(low, mantissaBits) + Worth(low + 1, mantissaBits)) / 2;
        const auto exact = static_cast<float>(middle);
        ASSERT_EQ(static_cast<double>(exact), middle);
        const auto even = low % 2 == 0 ? low : low + 1;
        ASSERT_EQ(narrow(exact), even) << low;
        ASSERT_EQ(narrow(-exact), even | 0x8000U) << low;
        ASSERT_EQ(narrow(std::nextafter(exact, 0.0F)), low);
        ASSERT_EQ(narrow(std::nextafter(exact, INFINITY)), low + 1);
    }
}

/** Every pattern comes back as its worth, and narrows to itself again. */
void
CheckWidening(std::uint16_t (*narrow)(float), float (*widen)(std::uint16_t), unsigned mantissaBits)
{
    for (unsigned bits = 0; bits <= 0xFFFFU; ++bits)
    {
        if (IsFinite(bits, mantissaBits))
        {
            const auto value = widen(static_cast<std::uint16_t>(bits));
            ASSERT_EQ(static_cast<double>(value), Worth(bits, mantissaBits)) << bits;
            ASSERT_EQ(narrow(value), bits); // -0.0 too
        }
    }
}

} // namespace

TEST(CastCodec, RoundsToTheNearestEvenAndWidensExactly)
{
    CheckRounding(ToBf16, 7);
    CheckRounding(ToFp16, 10);
    CheckWidening(ToBf16, FromBf16, 7);
    CheckWidening(ToFp16, FromFp16, 10);
}

/* fp16: the largest is 65504 and its step 32, so from 65504 + 16 on. bf16: the largest is
 * 0x7F7F, so from half a step above it, 0x7F7F8000, on.                                     */
TEST(CastCodec, OverflowsToInfinity)
{
    EXPECT_EQ(ToFp16(65520.0F), 0x7C00);
    EXPECT_EQ(ToFp16(std::nextafter(65520.0F, 0.0F)), 0x7BFF);
    EXPECT_EQ(ToFp16(-1e30F), 0xFC00);
    EXPECT_EQ(ToBf16(FromBits(0x7F7F8000)), 0x7F80);
    EXPECT_EQ(ToBf16(FromBits(0x7F7F7FFF)), 0x7F7F);
    EXPECT_EQ(FromFp16(0xFC00), -INFINITY);
    EXPECT_EQ(FromBf16(ToBf16(INFINITY)), INFINITY);
}

/* fp16's smallest subnormal is 2^-24; half of it ties to the even zero. */
TEST(CastCodec, KeepsSubnormals)
{
    EXPECT_EQ(ToFp16(std::ldexp(1.0F, -24)), 1);
    EXPECT_EQ(ToFp16(std::ldexp(1.0F, -25)), 0);
    EXPECT_EQ(ToFp16(std::nextafter(std::ldexp(1.0F, -25), 1.0F)), 1);
    EXPECT_EQ(ToFp16(FromBits(0x80000001)), 0x8000); // fp32's smallest becomes -0.0
    EXPECT_EQ(FromFp16(0x8001), -std::ldexp(1.0F, -24));
    EXPECT_EQ(ToBf16(FromBits(0x00010000)), 1); // bf16 has fp32's exponents
}

/* 0x7F800001 has its payload in the lowest bit only: quiet, or it would read as an infinity. */
TEST(CastCodec, KeepsNansAsQuietNans)
{
    EXPECT_EQ(ToFp16(FromBits(0x7F800001)), 0x7E00);
    EXPECT_EQ(ToFp16(FromBits(0xFFC02000)), 0xFE01);
    EXPECT_EQ(ToBf16(FromBits(0x7F800001)), 0x7FC0);
    EXPECT_EQ(ToBf16(FromBits(0xFF810000)), 0xFFC1);
    EXPECT_TRUE(std::isnan(FromFp16(0x7E00)));
    EXPECT_EQ(ToBits(FromBf16(0xFFC1)), 0xFFC10000U);
}

/* All patterns of fp32 that differ in their upper 19 bits, a full row of 64 at a time and a short one. */
TEST(CastCodec, ConvertsManyAsOne)
{
    constexpr std::size_t count = 64 + 5;
    for (std::uint64_t first = 0; first < (1ULL << 32U); first += count << 13U)
    {
        std::vector<float> values(count);
        for (std::size_t i = 0; i < count; ++i)
        {
            values[i] = FromBits(static_cast<std::uint32_t>(first + (i << 13U) + (i << 6U)));
        }
        std::vector<std::uint16_t> bf16(count);
        std::vector<std::uint16_t> fp16(count);
        ToBf16(values.data(), count, bf16.data());
        ToFp16(values.data(), count, fp16.data());
        std::vector<float> ofBf16(count);
        std::vector<float> ofFp16(count);
        FromBf16(bf16.data(), count, ofBf16.data());
        FromFp16(fp16.data(), count, ofFp16.data());
        auto bf16There = values;
        auto fp16There = values;
        RoundToBf16(bf16There.data(), count);
        RoundToFp16(fp16There.data(), count);
        for (std::size_t i = 0; i < count; ++i)
        {
            ASSERT_EQ(bf16[i], ToBf16(values[i])) << ToBits(values[i]);
            ASSERT_EQ(fp16[i], ToFp16(values[i])) << ToBits(values[i]);
            ASSERT_EQ(ToBits(ofBf16[i]), ToBits(FromBf16(bf16[i]))) << bf16[i];
            ASSERT_EQ(ToBits(ofFp16[i]), ToBits(FromFp16(fp16[i]))) << fp16[i];
            ASSERT_EQ(ToBits(bf16There[i]), ToBits(ofBf16[i]));
            ASSERT_EQ(ToBits(fp16There[i]), ToBits(ofFp16[i]));
        }
    }
}

TEST(CastCodec, WritesTwoLittleEndianBytes)
{
    const auto bf16 = MakeCastCodec("bf16", "fp32");
    EXPECT_EQ(Encoded(*bf16, {1.0F, -2.0F}), (std::vector<std::uint8_t>{0x80, 0x3F, 0x00, 0xC0}));
    const auto fp16 = MakeCastCodec("fp16", "fp32");
    EXPECT_EQ(Encoded(*fp16, {1.0F, -2.0F}), (std::vector<std::uint8_t>{0x00, 0x3C, 0x00, 0xC0}));
    EXPECT_EQ(Decoded(*fp16, {0x00, 0x3C, 0x00, 0xC0}, 2), (std::vector<float>{1.0F, -2.0F}));
    EXPECT_EQ(fp16->CountBytes(nullptr, 3), 6U);
    EXPECT_EQ(fp16->MeanBits({}), 16.0);
    EXPECT_FALSE(fp16->IsLossless());
}

/* 1 + 2^-9 is between the bf16 neighbors 1 and 1 + 2^-7, nearer to 1. */
TEST(CastCodec, RoundsSumsOnlyInTheWireType)
{
    float sum = 1.0F + 1.0F / 512;
    MakeCastCodec("bf16", "fp32")->RoundSum(&sum, 1);
    EXPECT_EQ(sum, 1.0F + 1.0F / 512);
    MakeCastCodec("fp16", "wire")->RoundSum(&sum, 1);
    EXPECT_EQ(sum, 1.0F + 1.0F / 512); // 10 bits of mantissa have 2^-9
    MakeCastCodec("bf16", "wire")->RoundSum(&sum, 1);
    EXPECT_EQ(sum, 1.0F);
}

TEST(CastCodec, RefusesOtherTypes)
{
    EXPECT_THROW(MakeCastCodec("bf61", "fp32"), InputError);
    EXPECT_THROW(MakeCastCodec("bf16", "fp64"), InputError);
}

} // namespace inca
