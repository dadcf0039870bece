/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/stranded-plan.h"

#include "base/errors.h"
#include "exchange/rank-load.h"
#include "exchange/ring.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

ExchangeSpec
RingOf(Rank workers, std::uint32_t channels, std::uint64_t chunkElements)
{
    ExchangeSpec spec;
    spec.workers = workers;
    spec.ringChannels = channels;
    spec.ringChunkElements = chunkElements;
    return spec;
}

} // namespace

/* 11 values in 2 channels: 0 .. 5 and 6 .. 10; of 3 blocks, the second channel's first is 6 .. 7. */
TEST(StrandedPlan, HasItsStrandsOneAfterTheOther)
{
    const auto plan = MakeRing(RingOf(3, 2, 0), 11);
    ASSERT_EQ(plan->StrandCount(), 2U);
    ASSERT_EQ(plan->StepCount(0), 2U * 4);
    EXPECT_EQ(plan->At(0, 0).sends[0].range, (ElementRange{0, 2}));
    EXPECT_EQ(plan->At(0, 4).sends[0].range, (ElementRange{6, 2}));
    EXPECT_EQ(plan->Strand(1).At(0, 0).sends[0].range, (ElementRange{6, 2}));
    EXPECT_EQ(plan->Strand(1).StepCount(0), 4U);
    EXPECT_EQ(plan->Elements(), 11U);
    EXPECT_THROW(plan->At(0, 8), InvariantError);
}

TEST(StrandedPlan, APlainPlanIsItsOnlyStrand)
{
    const auto plan = MakeRing(RingOf(3, 1, 0), 11);
    EXPECT_EQ(plan->StrandCount(), 1U);
    EXPECT_EQ(&plan->Strand(0), plan.get());
}

/* Two values have no use for a third channel; three are a block of one value for each of three workers. */
TEST(StrandedPlan, ARingHasNoChannelWithoutValues)
{
    EXPECT_EQ(MakeRing(RingOf(3, 4, 0), 2)->StrandCount(), 2U);
    EXPECT_EQ(MakeRing(RingOf(3, 4, 0), 3)->StrandCount(), 1U);
    EXPECT_EQ(MakeRing(RingOf(3, 4, 0), 0)->StrandCount(), 1U);
}

/* 10 values of 2 workers in turns of 2 * 2: 0 .. 3, 4 .. 7, 8 .. 9, each of 2 steps; the last turn's
 * blocks are of one value. */
TEST(RingOfChunks, GoesRoundInTurns)
{
    const auto plan = MakeRing(RingOf(2, 1, 2), 10);
    ASSERT_EQ(plan->StepCount(0), 3U * 2);
    EXPECT_EQ(plan->At(0, 0).sends[0].range, (ElementRange{0, 2}));
    EXPECT_EQ(plan->At(0, 1).sends[0].range, (ElementRange{2, 2}));
    EXPECT_EQ(plan->At(0, 2).sends[0].range, (ElementRange{4, 2}));
    EXPECT_EQ(plan->At(0, 4).sends[0].range, (ElementRange{8, 1}));
    EXPECT_EQ(plan->At(0, 5).sends[0].range, (ElementRange{9, 1}));
}

/* Whatever the channels and chunks, each worker of 4 moves 3/4 of 1200 twice: 1800, and adds 900; the
 * messages are 2 * 3 a turn: 3 channels of 400 values, in turns of 4 * 20, are 5 turns each. */
TEST(RingOfChunks, MovesWhatARingMoves)
{
    const auto plan = MakeRing(RingOf(4, 3, 20), 1200);
    for (Rank worker = 0; worker < 4; ++worker)
    {
        const auto traffic = LoadOf(*plan, worker);
        EXPECT_EQ(traffic.gradient.sentElements, 1800U);
        EXPECT_EQ(traffic.gradient.receivedElements, 1800U);
        EXPECT_EQ(traffic.addedElements, 900U);
        EXPECT_EQ(traffic.gradient.sentMessages, 3U * 5 * 6);
    }
}

/* A chunk larger than a block is a block. */
TEST(RingOfChunks, AChunkIsNoLargerThanABlock)
{
    const auto plan = MakeRing(RingOf(4, 1, 1'000'000), 10);
    const auto plain = MakeRing(RingOf(4, 1, 0), 10);
    ASSERT_EQ(plan->StepCount(2), plain->StepCount(2));
    EXPECT_EQ(plan->At(2, 3).sends, plain->At(2, 3).sends);
}

TEST(RingOfChunks, RefusesMoreTurnsThanCanBeCounted)
{
    EXPECT_THROW(MakeRing(RingOf(64, 1, 1), 1ULL << 40U), InputError);
}

} // namespace inca
