/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/ring-pieces.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

/** 3 members, 7 elements: blocks of 3, 2, 2. */
const ElementRange g_block0{0, 3};
const ElementRange g_block1{3, 2};
const ElementRange g_block2{5, 2};

std::vector<Transfer>
Gradient(Rank peer, ElementRange range)
{
    return {{peer, range, Leg::GRADIENT}};
}

} // namespace

/* Step s = 1 .. 2: member i sends block i - s + 1 and receives block i - s. Member 1: sends 1,
 * receives 0; then sends 0, receives 2, which it owns. */
TEST(RingReduceScatter, SendsBlocksBackwards)
{
    const auto piece = MakeRingReduceScatter(3, 7, RingSums::FINAL);
    ASSERT_EQ(piece->StepCount(1), 2U);
    EXPECT_EQ(piece->At(1, 0).sends, Gradient(2, g_block1));
    EXPECT_EQ(piece->At(1, 0).receives, Gradient(0, g_block0));
    EXPECT_EQ(piece->At(1, 1).sends, Gradient(2, g_block0));
    EXPECT_EQ(piece->At(1, 1).receives, Gradient(0, g_block2));
    EXPECT_EQ(piece->At(1, 1).receives[0].combine, Combine::ADD);
}

TEST(RingReduceScatter, OwnsTheResultOfTheLastStepWhereItIsFinal)
{
    const auto final = MakeRingReduceScatter(3, 7, RingSums::FINAL);
    EXPECT_FALSE(final->At(0, 0).ownsResult);
    EXPECT_TRUE(final->At(0, 1).ownsResult);
    EXPECT_FALSE(MakeRingReduceScatter(3, 7, RingSums::INTERMEDIATE)->At(0, 1).ownsResult);
}

TEST(RingReduceScatter, ReceivesFirstAtOddPositions)
{
    const auto piece = MakeRingReduceScatter(3, 7, RingSums::FINAL);
    EXPECT_FALSE(piece->At(0, 0).receiveFirst);
    EXPECT_TRUE(piece->At(1, 0).receiveFirst);
    EXPECT_FALSE(piece->At(2, 0).receiveFirst);
}

/* After a reduce-scatter member 0 owns block 1: sends 1, receives 0; then sends 0, receives 2. */
TEST(RingAllGather, GoesOnWhereTheReduceScatterEnded)
{
    const auto piece = MakeRingAllGather(3, 7, 1);
    ASSERT_EQ(piece->StepCount(0), 2U);
    EXPECT_EQ(piece->At(0, 0).sends, Gradient(1, g_block1));
    EXPECT_EQ(piece->At(0, 0).receives, Gradient(2, g_block0));
    EXPECT_EQ(piece->At(0, 1).sends, Gradient(1, g_block0));
    EXPECT_EQ(piece->At(0, 1).receives, Gradient(2, g_block2));
    EXPECT_EQ(piece->At(0, 1).receives[0].combine, Combine::STORE);
    EXPECT_FALSE(piece->At(0, 1).ownsResult);
}

/* Member i holds block i: member 2 sends 2, receives 1; then sends 1, receives 0. */
TEST(RingAllGather, CanBeginWithTheMembersOwnBlocks)
{
    const auto piece = MakeRingAllGather(3, 7, 0);
    EXPECT_EQ(piece->At(2, 0).sends, Gradient(0, g_block2));
    EXPECT_EQ(piece->At(2, 0).receives, Gradient(1, g_block1));
    EXPECT_EQ(piece->At(2, 1).receives, Gradient(1, g_block0));
}

/* 2 elements, 3 members: block 2 is empty; member 2 sends it in the first step all the same. */
TEST(RingPieces, SendEmptyBlocksAsMessages)
{
    const auto piece = MakeRingReduceScatter(3, 2, RingSums::FINAL);
    EXPECT_EQ(piece->At(2, 0).sends, Gradient(0, {2, 0}));
}

} // namespace inca
