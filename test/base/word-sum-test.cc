/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/word-sum.h"

#include "base/errors.h"

#include <gtest/gtest.h>

#include <limits>

namespace inca
{

namespace
{

using Words = std::vector<Word>;
using Ints = std::vector<std::int32_t>;

constexpr auto MOST = std::numeric_limits<std::int32_t>::max();
constexpr auto LEAST = std::numeric_limits<std::int32_t>::min();

Words
Sum(WordSum sum, const Words& term, Words held)
{
    AddWords(sum, term.data(), held.data(), held.size());
    return held;
}

Ints
Sum(WordSum sum, const Ints& term, const Ints& held)
{
    const auto words = Sum(sum, Words(term.begin(), term.end()), Words(held.begin(), held.end()));
    return {words.begin(), words.end()};
}

float
SumOfFloats(float term, float held)
{
    return FloatOf(Sum(WordSum::FP32, Words{BitsOf(term)}, Words{BitsOf(held)}).front());
}

} // namespace

/* 2^31 - 1 + 1 = 2^31 = -2^31 modulo 2^32; -2^31 - 1 = 2^31 - 1. */
TEST(WordSum, IntegersWrap)
{
    EXPECT_EQ(Sum(WordSum::INT32, Ints{1, -5, 0, 100}, Ints{2, 3, 0, -200}),
              (Ints{3, -2, 0, -100}));
    EXPECT_EQ(Sum(WordSum::INT32, Ints{MOST, LEAST}, Ints{1, -1}), (Ints{LEAST, MOST}));
}

/* A signalling NaN's bits (0x7f800001) are a number like others. */
TEST(WordSum, IntegersHaveAnyBits)
{
    EXPECT_EQ(Sum(WordSum::INT32, Words{0xffffffff, 0x7f800001, 5}, Words{2, 1, 0xfffffffb}),
              (Words{1, 0x7f800002, 0}));
}

/* Four bits per worker add up side by side as long as no nibble exceeds 15. */
TEST(WordSum, NibblesAddUp)
{
    EXPECT_EQ(Sum(WordSum::INT32, Words{0x10101010}, Words{0xe1e1e1e1}), (Words{0xf1f1f1f1}));
}

/* Only what is beyond stays at the end of the range: -2^31 + 2^31 - 1 = -1 fits. */
TEST(WordSum, SaturatingIntegersStayAtTheEnds)
{
    EXPECT_EQ(Sum(WordSum::INT32_SATURATING,
                  Ints{MOST, LEAST, MOST, MOST - 1, 5, MOST},
                  Ints{1, -1, MOST, 1, -7, LEAST}),
              (Ints{MOST, LEAST, MOST, MOST, -2, -1}));
}

/* 2^24 + 1 needs 25 bits, and is half way to 2^24 + 2: ties to even give 2^24. */
TEST(WordSum, FloatsAreRoundedAtEachAddition)
{
    EXPECT_EQ(SumOfFloats(0.5F, 0.25F), 0.75F);
    EXPECT_EQ(SumOfFloats(0x1p24F, 1.0F), 0x1p24F);
    EXPECT_EQ(SumOfFloats(1.0F, 0x1p24F), 0x1p24F);
}

TEST(WordSum, OrsBits)
{
    EXPECT_EQ(Sum(WordSum::OR, Words{0x7f800001, 0x0f0f0f0f}, Words{2, 0xf0f00000}),
              (Words{0x7f800003, 0xffff0f0f}));
}

/* Words are added 8 at a time, and what is left one by one: every length must do. Word i is i + 1000 i + 7
 * as an integer, and 2 i + 1 as a float; what is behind them stays. */
TEST(WordSum, AddsAnyNumberOfWords)
{
    for (std::size_t count = 0; count <= 40; ++count)
    {
        Words integers(41, 1);
        Words floats(41, 1);
        Words terms;
        Words floatTerms;
        for (std::size_t i = 0; i < count; ++i)
        {
            integers[i] = static_cast<Word>(i);
            terms.push_back(static_cast<Word>(1000 * i + 7));
            floats[i] = BitsOf(static_cast<float>(i) + 0.5F);
            floatTerms.push_back(floats[i]);
        }
        AddWords(WordSum::INT32, terms.data(), integers.data(), count);
        AddWords(WordSum::FP32, floatTerms.data(), floats.data(), count);
        for (std::size_t i = 0; i < 41; ++i)
        {
            ASSERT_EQ(integers[i], i < count ? 1001 * i + 7 : 1) << count;
            ASSERT_EQ(floats[i], i < count ? BitsOf(static_cast<float>(2 * i + 1)) : 1) << count;
        }
    }
}

/* 0x00000201 + 0x000000ff = 0x00000300, at an odd address. */
TEST(WordSum, AddsLittleEndianBytesAnywhere)
{
    const std::vector<std::uint8_t> term{9, 0x01, 0x02, 0, 0};
    std::vector<std::uint8_t> held{0xff, 0, 0, 0, 9};
    AddWordBytes(WordSum::INT32, term.data() + 1, held.data(), 1);
    EXPECT_EQ(held, (std::vector<std::uint8_t>{0, 3, 0, 0, 9}));
}

/* Saturation depends on the order, but with INCA's scale nothing saturates. */
TEST(WordSum, OnlyFloatsDependOnTheOrder)
{
    EXPECT_FALSE(IsExact(WordSum::FP32));
    for (const auto sum : {WordSum::INT32, WordSum::INT32_SATURATING, WordSum::OR})
    {
        EXPECT_TRUE(IsExact(sum)) << NameOf(sum);
    }
}

TEST(WordSum, AddersHaveNames)
{
    EXPECT_EQ(AdderNames(), (std::vector<std::string>{"int32", "int32-saturating", "fp32"}));
    for (const auto& name : AdderNames())
    {
        EXPECT_EQ(NameOf(AdderNamed(name)), name);
    }
    EXPECT_STREQ(NameOf(WordSum::OR), "or");
}

TEST(WordSum, RefusesAnUnknownAdder)
{
    try
    {
        AdderNamed("int23");
        FAIL() << "an unknown adder was found";
    }
    catch (const InputError& error)
    {
        EXPECT_STREQ(error.what(), "adder: unknown 'int23'; did you mean 'int32'?");
    }
}

} // namespace inca
