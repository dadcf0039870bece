/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/coded-sizes.h"

#include "codec/inceptionn-codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace inca
{

/**
 * INCEPTIONN at 2^-10: two bytes of tags for up to 8 values, and 0 to 4 bytes for each: none for 0, 4
 * for 1.0 and more.
 */
class CodedSizesTest : public testing::Test
{
  protected:
    void Add(const PlannedSend& send, ElementRange range, ElementRange part, float value)
    {
        std::vector<Word> words(part.count, BitsOf(value));
        m_sizes.Add(send, range, part, words.data());
    }

    CodedSizes m_sizes{MakeInceptionnCodec(10), 4}; ///< frames of 4 values
};

/* 10 values are frames of 4, 4 and 2; 1.0 takes 4 bytes: 2 + 16, 2 + 16 and 2 + 8. */
TEST_F(CodedSizesTest, AreThoseOfEachFrame)
{
    Add({1, 2, 0}, {100, 10}, {100, 10}, 1.0F);
    EXPECT_THAT(*m_sizes.Of({1, 2, 0}), testing::ElementsAre(18, 18, 10));
}

/* The same in parts of 3, 6 and 1, of which the middle one is zeros: 3 values of 4 bytes, 5 of 0, and
 * then one of 0 and one of 4. */
TEST_F(CodedSizesTest, DoNotDependOnHowAMessageIsCut)
{
    Add({0, 0, 1}, {100, 10}, {100, 3}, 1.0F);
    Add({0, 0, 1}, {100, 10}, {103, 6}, 0.0F);
    Add({0, 0, 1}, {100, 10}, {109, 1}, 1.0F);
    EXPECT_THAT(*m_sizes.Of({0, 0, 1}), testing::ElementsAre(14, 2, 6));
}

/* Parts of several messages come in turns. */
TEST_F(CodedSizesTest, AreOfOneMessage)
{
    Add({0, 0, 0}, {0, 6}, {0, 3}, 1.0F);
    Add({1, 0, 0}, {0, 6}, {0, 3}, 0.0F);
    Add({0, 0, 0}, {0, 6}, {3, 3}, 1.0F);
    Add({1, 0, 0}, {0, 6}, {3, 3}, 0.0F);
    EXPECT_THAT(*m_sizes.Of({0, 0, 0}), testing::ElementsAre(18, 10));
    EXPECT_THAT(*m_sizes.Of({1, 0, 0}), testing::ElementsAre(2, 2));
    EXPECT_EQ(m_sizes.Of({0, 1, 0}), nullptr);
}

} // namespace inca
