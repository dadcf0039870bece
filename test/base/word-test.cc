/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/word.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace inca
{

/* 1.0 has the bits 0x3f800000; a signalling NaN's must not be touched. */
TEST(Word, IsAFloatsBits)
{
    EXPECT_EQ(BitsOf(1.0F), 0x3f800000U);
    EXPECT_EQ(FloatOf(0x3f800000U), 1.0F);
    EXPECT_EQ(BitsOf(-0.0F), 0x80000000U);
    EXPECT_TRUE(std::isnan(FloatOf(0x7f800001U)));
}

/* One value, a block, a block and one, and none: each is asked for once, in its place. */
TEST(Word, FillsAnyNumberOfThem)
{
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, WORD_BLOCK, WORD_BLOCK + 1})
    {
        std::vector<Word> words(count + 1, 7);
        FillWithFloats(count, words.data(), [](std::size_t first, std::size_t part, float* out) {
            for (std::size_t i = 0; i < part; ++i)
            {
                out[i] = static_cast<float>(first + i);
            }
        });
        for (std::size_t i = 0; i < count; ++i)
        {
            ASSERT_EQ(FloatOf(words[i]), static_cast<float>(i));
        }
        EXPECT_EQ(words[count], 7U);
    }
}

TEST(Word, ChangesFloatsInPlace)
{
    std::vector<Word> words(2 * WORD_BLOCK + 3, BitsOf(1.5F));
    ChangeFloats(words.size(), words.data(), [](float* values, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
        {
            values[i] *= 2;
        }
    });
    EXPECT_EQ(words, std::vector<Word>(words.size(), BitsOf(3.0F)));
}

} // namespace inca
