/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/decoded-sums.h"

#include "job/part-coding.h"

#include <gmock/gmock.h>

#include <memory>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

using testing::ElementsAre;

/** Three values in two rounds, of two and of one word. */
class DecodedSumsTest : public testing::Test
{
  protected:
    DecodedSumsTest()
    {
        coding->words = {2, 1};
        coding->estimated = 7;
        chunk.range = {0, 3};
        chunk.coding = coding;
        chunk.rounds.resize(2);
    }

    static std::vector<RoundResult> Words(const std::vector<float>& first, float second)
    {
        LargeWords words;
        for (const auto value : first)
        {
            words.push_back(BitsOf(value));
        }
        return {{words}, {LargeWords{BitsOf(second)}}};
    }

    static std::vector<float> ValuesOf(const DecodedSum& sum)
    {
        return {sum.values.Floats(), sum.values.Floats() + 3};
    }

    std::shared_ptr<PartCoding> coding{std::make_shared<PartCoding>()};
    JobChunk chunk;
    DecodedSums sums{3};
};

} // namespace

TEST_F(DecodedSumsTest, AreDecoded)
{
    const auto sum = sums.Decode(0, 1, chunk, Words({1, 2}, 3));
    EXPECT_THAT(ValuesOf(sum), ElementsAre(1, 2, 3));
    EXPECT_EQ(sum.report.estimated, 7U);
    EXPECT_EQ(FloatOf(sum.rounds->at(1).words.at(0)), 3);
}

TEST_F(DecodedSumsTest, AreSharedByWhoeverBringsTheSameWords)
{
    const auto first = sums.Decode(0, 0, chunk, Words({1, 2}, 3));
    const auto second = sums.Decode(0, 1, chunk, Words({1, 2}, 3));
    EXPECT_EQ(second.values.data(), first.values.data());
    EXPECT_EQ(second.report.estimated, 7U);
    EXPECT_EQ(second.rounds, first.rounds);
}

/* Each differs from the first one's in one thing: a word, 0 and -0 included, how many there are, or what goes along. */
TEST_F(DecodedSumsTest, AreTheirOwnOfOtherWords)
{
    const auto first = sums.Decode(0, 0, chunk, Words({0, 2}, 3));
    const auto second = sums.Decode(0, 1, chunk, Words({-0.0F, 2}, 3));
    EXPECT_NE(second.values.data(), first.values.data());
    EXPECT_EQ(BitsOf(*second.values.Floats()), BitsOf(-0.0F));
    auto others = Words({0, 2}, 3);
    others[0].exponent = 1;
    const auto third = sums.Decode(0, 2, chunk, std::move(others));
    EXPECT_NE(third.values.data(), first.values.data());
}

/* The second one brings what the third does, but only the first one's are remembered. */
TEST_F(DecodedSumsTest, AreComparedWithTheFirstOnes)
{
    const auto first = sums.Decode(0, 0, chunk, Words({1, 2}, 3));
    const auto second = sums.Decode(0, 1, chunk, Words({1, 2}, 4));
    const auto third = sums.Decode(0, 2, chunk, Words({1, 2}, 3));
    EXPECT_THAT(ValuesOf(second), ElementsAre(1, 2, 4));
    EXPECT_EQ(third.values.data(), first.values.data());
}

/* One worker may be an exchange ahead. */
TEST_F(DecodedSumsTest, AreOfTheirExchange)
{
    const auto first = sums.Decode(0, 0, chunk, Words({1, 2}, 3));
    const auto next = sums.Decode(1, 0, chunk, Words({1, 2}, 3));
    const auto second = sums.Decode(0, 1, chunk, Words({1, 2}, 3));
    EXPECT_NE(next.values.data(), first.values.data());
    EXPECT_EQ(second.values.data(), first.values.data());
}

TEST_F(DecodedSumsTest, AreForgottenWhenAllHaveCome)
{
    std::weak_ptr<const std::vector<RoundResult>> rounds;
    for (Rank worker = 0; worker < 3; ++worker)
    {
        rounds = sums.Decode(0, worker, chunk, Words({1, 2}, 3)).rounds;
        EXPECT_EQ(rounds.expired(), worker == 2);
    }
}

} // namespace inca
