/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/adder.h"

#include "base/errors.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

namespace inca
{

namespace
{

template <typename Value>
std::vector<std::uint8_t>
Bytes(const std::vector<Value>& values)
{
    std::vector<std::uint8_t> bytes(values.size() * sizeof(Value));
    if (!values.empty())
    {
        std::memcpy(bytes.data(), values.data(), bytes.size());
    }
    return bytes;
}

template <typename Value>
std::vector<std::uint8_t>
Sum(const char* adder, const std::vector<Value>& left, const std::vector<Value>& right)
{
    auto sum = Bytes(left);
    MakeAdder(adder)->Add(sum, Bytes(right));
    return sum;
}

} // namespace

TEST(Adder, AddsIntegersValueByValue)
{
    using Ints = std::vector<std::int32_t>;
    EXPECT_EQ(Sum("int32", Ints{1, -5, 0, 100, 7}, Ints{2, 3, 0, -200, 0}),
              Bytes(Ints{3, -2, 0, -100, 7}));
    EXPECT_EQ(Sum("int32", Ints{}, Ints{}), Bytes(Ints{}));
}

/* Payloads are added 8 values at a time, and what is left one by one: every length must do. */
TEST(Adder, AddsPayloadsOfAnyLength)
{
    for (std::size_t count = 0; count <= 40; ++count)
    {
        std::vector<std::int32_t> left(count);
        std::vector<std::int32_t> right(count);
        std::vector<std::int32_t> sum(count);
        std::vector<float> floats(count);
        std::vector<float> doubled(count);
        for (std::size_t i = 0; i < count; ++i)
        {
            left[i] = static_cast<std::int32_t>(i);
            right[i] = static_cast<std::int32_t>(1000 * i + 7);
            sum[i] = static_cast<std::int32_t>(1001 * i + 7);
            floats[i] = static_cast<float>(i) + 0.5F;
            doubled[i] = static_cast<float>(2 * i + 1);
        }
        EXPECT_EQ(Sum("int32", left, right), Bytes(sum)) << count;
        EXPECT_EQ(Sum("int32-saturating", left, right), Bytes(sum)) << count;
        EXPECT_EQ(Sum("fp32", floats, floats), Bytes(doubled)) << count;
    }
}

/* 2^31 - 1 + 1 = 2^31 = -2^31 modulo 2^32; -2^31 - 1 = 2^31 - 1. */
TEST(Adder, IntegersWrap)
{
    using Ints = std::vector<std::int32_t>;
    constexpr auto most = std::numeric_limits<std::int32_t>::max();
    constexpr auto least = std::numeric_limits<std::int32_t>::min();
    EXPECT_EQ(Sum("int32", Ints{most, least}, Ints{1, -1}), Bytes(Ints{least, most}));
}

/* 2^24 + 1 needs 25 bits, and is half way to 2^24 + 2: ties to even give 2^24. */
TEST(Adder, FloatsAreRoundedAtEachAddition)
{
    using Floats = std::vector<float>;
    EXPECT_EQ(Sum("fp32", Floats{0.5F, 0x1p24F}, Floats{0.25F, 1.0F}),
              Bytes(Floats{0.75F, 0x1p24F}));
}

/* Only what is beyond stays at the end of the range: -2^31 + 2^31 - 1 = -1 fits. */
TEST(Adder, SaturatingIntegersStayAtTheEnds)
{
    using Ints = std::vector<std::int32_t>;
    constexpr auto most = std::numeric_limits<std::int32_t>::max();
    constexpr auto least = std::numeric_limits<std::int32_t>::min();
    EXPECT_EQ(
        Sum("int32-saturating", Ints{most, least, most, most - 1, 5}, Ints{1, -1, most, 1, -7}),
        Bytes(Ints{most, least, most, most, -2}));
    EXPECT_EQ(Sum("int32-saturating", Ints{least, least}, Ints{most, least}),
              Bytes(Ints{-1, least}));
}

/* 9 words: 8 at once and one alone. */
TEST(Adder, OrsWordsBitByBit)
{
    using Words = std::vector<std::uint32_t>;
    const Words left{0, 1, 2, 0x8000'0000, 0xffff'ffff, 0x0f0f'0f0f, 7, 8, 0xff00};
    const Words right{0, 1, 5, 0x8000'0000, 1, 0xf0f0'f0f0, 0, 8, 0x00ff};
    auto bits = Bytes(left);
    MakeOrAdder()->Add(bits, Bytes(right));
    EXPECT_EQ(bits, Bytes(Words{0, 1, 7, 0x8000'0000, 0xffff'ffff, 0xffff'ffff, 7, 8, 0xffff}));
    EXPECT_TRUE(MakeOrAdder()->IsExact());
    EXPECT_THROW(MakeOrAdder()->Add(bits, {1, 2, 3, 4}), InvariantError);
}

/* Saturation depends on the order, but with INCA's scale nothing saturates. */
TEST(Adder, OnlyIntegersAreExact)
{
    EXPECT_TRUE(MakeAdder("int32-saturating")->IsExact());
    EXPECT_TRUE(MakeAdder("int32")->IsExact());
    EXPECT_FALSE(MakeAdder("fp32")->IsExact());
}

TEST(Adder, RefusesPayloadsThatDoNotMatch)
{
    for (const auto& name : AdderNames())
    {
        const auto adder = MakeAdder(name);
        std::vector<std::uint8_t> sum(8);
        EXPECT_THROW(adder->Add(sum, std::vector<std::uint8_t>(4)), InvariantError) << name;
        std::vector<std::uint8_t> torn(6);
        EXPECT_THROW(adder->Add(torn, std::vector<std::uint8_t>(6)), InvariantError) << name;
    }
}

TEST(Adder, NamesWhatIsKnown)
{
    try
    {
        MakeAdder("int23");
        FAIL() << "an unknown adder was made";
    }
    catch (const InputError& error)
    {
        EXPECT_STREQ(error.what(), "switch.adder: unknown 'int23'; did you mean 'int32'?");
    }
}

} // namespace inca
