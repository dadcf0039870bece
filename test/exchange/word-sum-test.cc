/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/word-sum.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace inca
{

namespace
{

std::vector<float>
WordsOf(const std::vector<std::uint32_t>& bits)
{
    std::vector<float> words(bits.size());
    std::memcpy(words.data(), bits.data(), bits.size() * sizeof(float));
    return words;
}

std::vector<std::uint32_t>
BitsOf(const std::vector<float>& words)
{
    std::vector<std::uint32_t> bits(words.size());
    std::memcpy(bits.data(), words.data(), words.size() * sizeof(float));
    return bits;
}

std::vector<std::uint32_t>
Sum(WordSum sum, const std::vector<std::uint32_t>& term, const std::vector<std::uint32_t>& held)
{
    auto words = WordsOf(held);
    AddWords(sum, WordsOf(term).data(), words.data(), words.size());
    return BitsOf(words);
}

/* 1.5f = 0x3fc00000, 0.25f = 0x3e800000, 1.75f = 0x3fe00000. */
TEST(WordSum, AddsFp32)
{
    EXPECT_EQ(Sum(WordSum::FP32, {0x3fc00000}, {0x3e800000}),
              (std::vector<std::uint32_t>{0x3fe00000}));
}

/* Wraps at 2^32; a signalling NaN's bits (0x7f800001) and a denormal's (1) are numbers like others. */
TEST(WordSum, AddsIntegers)
{
    EXPECT_EQ(Sum(WordSum::INT32, {0xffffffff, 0x7f800001, 5}, {2, 1, 0xfffffffb}),
              (std::vector<std::uint32_t>{1, 0x7f800002, 0}));
}

/* Four bits per worker add up side by side as long as no nibble exceeds 15. */
TEST(WordSum, AddsNibbles)
{
    EXPECT_EQ(Sum(WordSum::INT32, {0x10101010}, {0xe1e1e1e1}),
              (std::vector<std::uint32_t>{0xf1f1f1f1}));
}

TEST(WordSum, OrsBits)
{
    EXPECT_EQ(Sum(WordSum::OR, {0x7f800001, 0x0f0f0f0f}, {0x00000002, 0xf0f00000}),
              (std::vector<std::uint32_t>{0x7f800003, 0xffff0f0f}));
}

} // namespace

} // namespace inca
