/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/star-pieces.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

std::vector<Transfer>
Gradient(Rank peer, ElementRange range)
{
    return {{peer, range, Leg::GRADIENT}};
}

} // namespace

TEST(SumAtRoot, BuffersAndAddsInTheOrderOfPositions)
{
    const auto piece = MakeSumAtRoot(4, 9);
    ASSERT_EQ(piece->StepCount(0), 1U);
    const auto sum = piece->At(0, 0);
    ASSERT_EQ(sum.receives.size(), 3U);
    for (Rank position = 1; position < 4; ++position)
    {
        const auto& receive = sum.receives[position - 1];
        EXPECT_EQ(receive, Gradient(position, {0, 9})[0]);
        EXPECT_EQ(receive.combine, position == 1 ? Combine::STORE : Combine::ADD);
    }
    EXPECT_TRUE(sum.update);
}

TEST(SumAtRoot, TakesOneMessageFromEveryOther)
{
    const auto piece = MakeSumAtRoot(4, 9);
    EXPECT_EQ(piece->StepCount(3), 1U);
    EXPECT_EQ(piece->At(3, 0).sends, Gradient(0, {0, 9}));
    EXPECT_FALSE(piece->At(3, 0).update);
}

/* 10 elements, 4 members: 3, 3, 2, 2; block 0 stays. */
TEST(Scatter, GivesEveryMemberItsBlock)
{
    const auto piece = MakeScatter(4, 10);
    ASSERT_EQ(piece->StepCount(0), 3U);
    EXPECT_EQ(piece->At(0, 0).sends, Gradient(1, {3, 3}));
    EXPECT_EQ(piece->At(0, 1).sends, Gradient(2, {6, 2}));
    EXPECT_EQ(piece->At(0, 2).sends, Gradient(3, {8, 2}));
    EXPECT_EQ(piece->At(2, 0).receives, Gradient(0, {6, 2}));
    EXPECT_EQ(piece->At(2, 0).receives[0].combine, Combine::STORE);
}

} // namespace inca
