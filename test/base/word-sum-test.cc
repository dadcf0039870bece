/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/word-sum.h"

#include "support/why-not.h"

#include <gtest/gtest.h>

#include <limits>

namespace inca
{

namespace
{

using Words = std::vector<Word>;

Words
Sum(const WordSum& sum, const Words& term, Words held)
{
    sum.add(term.data(), held.data(), held.data(), held.size());
    return held;
}

/** Integers as words. */
Words
Ints(const std::vector<std::int32_t>& integers)
{
    return {integers.begin(), integers.end()};
}

} // namespace

/* 2^31 - 1 + 1 = 2^31 = -2^31 modulo 2^32; -2^31 - 1 = 2^31 - 1. A signalling NaN's bits (0x7f800001) are a number like others.
 * Four bits per worker add up side by side as long as no nibble exceeds 15. Saturating, only what is beyond stays at the
 * end of the range: -2^31 + 2^31 - 1 = -1 fits. 2^24 + 1 needs 25 bits, and is half way to 2^24 + 2: ties to even give 2^24.
 * Of 16 bits, 2^15 - 1 + 1 = -2^15, of 8, 127 + 1 = -128 and -128 - 1 = 127. fp16 has 11 bits: 2048 + 1 stays, 2048 + 3 is
 * half way between 2050 and 2052, which is even; 40000 + 30000 is beyond 65504. bf16 has 8: 256 + 1 stays. */
TEST(WordSum, AddsAsItsNameSays)
{
    constexpr auto most = std::numeric_limits<std::int32_t>::max();
    constexpr auto least = std::numeric_limits<std::int32_t>::min();

    struct Row
    {
        WordSum sum;
        Words term;
        Words held;
        Words expected;
    };

    const Row rows[] = {
        {WordSum::INT32, Ints({1, -5, 0, 100}), Ints({2, 3, 0, -200}), Ints({3, -2, 0, -100})},
        {WordSum::INT32, Ints({most, least}), Ints({1, -1}), Ints({least, most})},
        {WordSum::INT32, {0xffffffff, 0x7f800001, 5}, {2, 1, 0xfffffffb}, {1, 0x7f800002, 0}},
        {WordSum::INT32, {0x10101010}, {0xe1e1e1e1}, {0xf1f1f1f1}},
        {WordSum::INT32_SATURATING,
         Ints({most, least, most, most - 1, 5, most}),
         Ints({1, -1, most, 1, -7, least}),
         Ints({most, least, most, most, -2, -1})},
        {WordSum::INT16,
         Ints({32'767, -32'768, 7}),
         Ints({1, -1, -9}),
         Ints({-32'768, 32'767, -2})},
        {WordSum::INT8, Ints({127, -128, 100}), Ints({1, -1, -28}), Ints({-128, 127, 72})},
        {WordSum::FP16,
         {BitsOf(2048), BitsOf(2048), BitsOf(40'000)},
         {BitsOf(1), BitsOf(3), BitsOf(30'000)},
         {BitsOf(2048), BitsOf(2052), BitsOf(std::numeric_limits<float>::infinity())}},
        {WordSum::BF16,
         {BitsOf(256), BitsOf(0x1p100F)},
         {BitsOf(1), 0},
         {BitsOf(256), BitsOf(0x1p100F)}},
        {WordSum::FP8_FP16, {BitsOf(448)}, {BitsOf(448)}, {BitsOf(896)}},
        {WordSum::FP32, {BitsOf(0.5F)}, {BitsOf(0.25F)}, {BitsOf(0.75F)}},
        {WordSum::FP32, {BitsOf(0x1p24F)}, {BitsOf(1.0F)}, {BitsOf(0x1p24F)}},
        {WordSum::OR, {0x7f800001, 0x0f0f0f0f}, {2, 0xf0f00000}, {0x7f800003, 0xffff0f0f}},
    };
    for (const auto& row : rows)
    {
        EXPECT_EQ(Sum(row.sum, row.term, row.held), row.expected) << row.sum.name;
    }
}

/* Words are added 8 at a time, and what is left one by one: every length must do. Word i is i + 1000 i + 7; what is behind
 * them stays. In a stream of bytes they stand at an odd address. */
TEST(WordSum, AddsAnyNumberOfWordsAnywhere)
{
    for (std::size_t count = 0; count <= 40; ++count)
    {
        Words held(41, 1);
        Words term(41, 5);
        for (std::size_t i = 0; i < count; ++i)
        {
            held[i] = static_cast<Word>(i);
            term[i] = static_cast<Word>(1000 * i + 7);
        }
        std::vector<std::uint8_t> bytes(41 * sizeof(Word) + 1);
        std::memcpy(&bytes[1], held.data(), 41 * sizeof(Word));
        AddWordBytes(
            WordSum::INT32, reinterpret_cast<const std::uint8_t*>(term.data()), &bytes[1], count);
        WordSum::INT32.add(term.data(), held.data(), held.data(), count);
        for (std::size_t i = 0; i < 41; ++i)
        {
            ASSERT_EQ(held[i], i < count ? 1001 * i + 7 : 1) << count;
        }
        EXPECT_EQ(std::memcmp(&bytes[1], held.data(), 41 * sizeof(Word)), 0);
    }
}

/* Saturation depends on the order, but with INCA's scale nothing saturates. */
TEST(WordSum, AddersHaveNames)
{
    EXPECT_EQ(
        AdderNames(),
        (std::vector<std::string>{
            "int32", "int32-saturating", "int16", "int8", "fp32", "fp16", "bf16", "fp8-fp16"}));
    for (const auto& name : AdderNames())
    {
        const auto& adder = AdderNamed(name);
        EXPECT_EQ(adder.name, name);
        EXPECT_EQ(adder.isExact, name.rfind("int", 0) == 0);
        EXPECT_EQ(adder.isExact, adder.term->largestInteger > 0);
        EXPECT_EQ(adder.IsWide(), name.find("32") != std::string::npos);
        EXPECT_GE(adder.sum->bytes, adder.term->bytes);
        for (const auto& other : AdderNames())
        {
            EXPECT_EQ(adder == AdderNamed(other), name == other);
        }
    }
    EXPECT_EQ(WhyNot([] { AdderNamed("int23"); }), "adder: unknown 'int23'; did you mean 'int32'?");
}

/* Half a step above 1 is the unit roundoff, a tie, which goes to 1; half the smallest subnormal goes to 0; what is a little
 * more goes up. 448 is e4m3's largest: what is beyond stays there. */
TEST(WordType, RoundsFloats)
{
    for (const auto* type : {&WordType::FP16, &WordType::BF16, &WordType::E4M3})
    {
        const auto step = static_cast<float>(type->unitRoundoff);
        const auto half = static_cast<float>(type->halfStep);
        std::vector<float> values{1 + step, 1 + 1.25F * step, half, 1.25F * half, type->largest};
        type->round(values.data(), values.size());
        EXPECT_EQ(values, (std::vector<float>{1, 1 + 2 * step, 0, 2 * half, type->largest}));
        float beyond = 3e38F;
        type->round(&beyond, 1);
        const auto most =
            type == &WordType::BF16 ? 0x1.C4p127F : std::numeric_limits<float>::infinity();
        EXPECT_EQ(beyond, type->saturates ? 448 : most);
    }
}

} // namespace inca
