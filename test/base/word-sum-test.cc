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
 * end of the range: -2^31 + 2^31 - 1 = -1 fits. 2^24 + 1 needs 25 bits, and is half way to 2^24 + 2: ties to even give 2^24. */
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
    EXPECT_EQ(AdderNames(), (std::vector<std::string>{"int32", "int32-saturating", "fp32"}));
    for (const auto& name : AdderNames())
    {
        EXPECT_EQ(AdderNamed(name).name, name);
        EXPECT_EQ(AdderNamed(name).isExact, name != "fp32");
    }
    EXPECT_EQ(WhyNot([] { AdderNamed("int23"); }), "adder: unknown 'int23'; did you mean 'int32'?");
}

} // namespace inca
