/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "base/job-id.h"
#include "base/shared-bytes.h"
#include "base/text.h"
#include "base/turn.h"
#include "base/word.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace inca
{

TEST(JobId, IsJobZeroUnlessSaid)
{
    EXPECT_EQ(JobId(), JobId(0));
    EXPECT_NE(JobId(), JobId(1));
    EXPECT_LT(JobId(1), JobId(2));
    EXPECT_EQ(JobId(7).Number(), 7U);
    EXPECT_EQ(JobId(2).Text(), "job 2");
}

TEST(BugText, NamesAnExtensionOrInca)
{
    EXPECT_EQ(BugText("1 is not 2"), "a bug of INCA, please report it: 1 is not 2");
    EXPECT_EQ(BugText("a bug of codec 'x': 1 is not 2"), "a bug of codec 'x': 1 is not 2");
}

TEST(SharedBytes, ShareMemoryWithTheirPartsWhichOutliveThem)
{
    using Bytes = std::vector<std::uint8_t>;
    EXPECT_FALSE(SharedBytes().AreThere());
    EXPECT_TRUE(SharedBytes::Of(Bytes()).AreThere());
    EXPECT_EQ(SharedBytes::Of(Bytes()).size(), 0U);
    auto bytes = SharedBytes::Of(Bytes{1, 2, 3, 4});
    const auto part = bytes.Part(1, 2);
    EXPECT_EQ(part.data(), bytes.data() + 1);
    EXPECT_EQ(part.size(), 2U);
    bytes = {};
    EXPECT_EQ(*part.data(), 2);
    const auto words = SharedBytes::Of(std::vector<Word>{1, 2, 3});
    EXPECT_EQ(words.size(), 12U);
    EXPECT_EQ(words.Part(4, 8).Words()[1], 3U);
}

/* 1.0 has the bits 0x3f800000; a signalling NaN's must not be touched. */
TEST(Word, IsAFloatsBits)
{
    EXPECT_EQ(BitsOf(1.0F), 0x3f800000U);
    EXPECT_EQ(FloatOf(0x3f800000U), 1.0F);
    EXPECT_EQ(BitsOf(-0.0F), 0x80000000U);
    EXPECT_TRUE(std::isnan(FloatOf(0x7f800001U)));
}

/* One value, a block, a block and one, and none: each is asked for once, in its place, and changed. */
TEST(Word, IsFilledAndChangedInBlocks)
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
        ChangeFloats(count, words.data(), [](float* values, std::size_t part) {
            for (std::size_t i = 0; i < part; ++i)
            {
                values[i] *= 2;
            }
        });
        for (std::size_t i = 0; i < count; ++i)
        {
            ASSERT_EQ(FloatOf(words[i]), static_cast<float>(2 * i));
        }
        EXPECT_EQ(words[count], 7U);
    }
}

TEST(Text, WritesNumbersAsShortAsTheyReadBack)
{
    EXPECT_EQ(NumberText(3.0), "3");
    EXPECT_EQ(NumberText(0.1F), "0.1");
    EXPECT_EQ(NumberText(0.1), "0.1");
    EXPECT_EQ(NumberText(-7), "-7");
    EXPECT_EQ(NumberText(std::numeric_limits<double>::infinity()), "inf");
}

TEST(Text, JoinsWordsAndNumbers)
{
    EXPECT_EQ(Text("value ", 7U, " of ", std::string("layer")), "value 7 of layer");
    EXPECT_EQ(Text(), "");
}

TEST(Lines, AreWithoutTheirEnds)
{
    EXPECT_EQ(Lines("a\n\nb\n"), (std::vector<std::string>{"a", "", "b"}));
    EXPECT_EQ(Lines("a\nb"), (std::vector<std::string>{"a", "b"}));
    EXPECT_TRUE(Lines("").empty());
}

/* 7 = 4 + 3 places: what stood first stands at place 3. */
TEST(Turn, CarriesOn)
{
    std::vector<int> ring{1, 2, 3, 4};
    Turn(ring, 7);
    EXPECT_EQ(ring, (std::vector<int>{2, 3, 4, 1}));
    Turn(ring, 0);
    EXPECT_EQ(ring, (std::vector<int>{2, 3, 4, 1}));
    Turn(ring, 4);
    EXPECT_EQ(ring, (std::vector<int>{2, 3, 4, 1}));
    ring.clear();
    Turn(ring, 3);
    EXPECT_TRUE(ring.empty());
}

} // namespace inca
