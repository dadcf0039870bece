/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Rings, their pieces and channels, and which shards of a sum workers own.
#include "base/errors.h"
#include "exchange/all-exchanges.h"
#include "exchange/channel-plan.h"
#include "exchange/rank-load.h"
#include "exchange/ring-pieces.h"
#include "exchange/ring.h"
#include "exchange/shards.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace inca
{

namespace
{

ExchangeSpec
RingOf(Rank workers, std::uint32_t channels = 1, std::uint64_t chunkElements = 0)
{
    ExchangeSpec spec;
    spec.workers = workers;
    spec.ringChannels = channels;
    spec.ringChunkElements = chunkElements;
    return spec;
}

std::uint64_t
Block(std::uint64_t elements, Rank workers, Rank index)
{
    return BlockOf(elements, workers, index % workers).count;
}

} // namespace

/* 4 workers: 2 * (4 - 1) steps. */
TEST(Ring, TakesTwiceAsManyStepsAsThereAreOtherWorkers)
{
    const auto ring = MakeRing(RingOf(4), 100);
    EXPECT_EQ(ring->RankCount(), 4U);
    EXPECT_EQ(ring->WorkerCount(), 4U);
    EXPECT_EQ(ring->Elements(), 100U);
    EXPECT_EQ(ring->StepCount(3), 6U);
}

/* Worker i of N sends 2 n - B(i+1) - B(i+2), receives 2 n - B(i) - B(i+1), adds n - B(i). */
TEST(Ring, MovesWhatItsClosedFormSays)
{
    for (Rank workers = 2; workers <= 9; ++workers)
    {
        for (const std::uint64_t n : {0, 5, 1000, 1003})
        {
            const auto ring = MakeRing(RingOf(workers), n);
            for (Rank i = 0; i < workers; ++i)
            {
                const auto traffic = LoadOf(*ring, i);
                const auto own = Block(n, workers, i);
                const auto next = Block(n, workers, i + 1);
                const auto second = Block(n, workers, i + 2);
                EXPECT_EQ(traffic.gradient.sentElements, 2 * n - next - second);
                EXPECT_EQ(traffic.gradient.receivedElements, 2 * n - own - next);
                EXPECT_EQ(traffic.addedElements, n - own);
                EXPECT_EQ(traffic.gradient.sentMessages, 2U * (workers - 1));
                EXPECT_EQ(traffic.weight.sentMessages, 0U);
            }
        }
    }
}

/* The last step of the reduce-scatter finishes block i + 1 of worker i, and no other step does. */
TEST(Ring, EveryWorkerOwnsOneBlock)
{
    const auto ring = MakeRing(RingOf(4), 100);
    for (Rank worker = 0; worker < 4; ++worker)
    {
        for (std::uint32_t step = 0; step < 6; ++step)
        {
            EXPECT_EQ(ring->At(worker, step).ownsResult, step == 2);
        }
        EXPECT_EQ(ring->At(worker, 2).receives[0].range, BlockOf(100, 4, (worker + 1) % 4));
    }
}

/* ZeRO-1: who has summed a block makes weights of it, and weights go round: (N - 1) / N of 1000 in
 * gradients, the same in weights. */
TEST(Ring, HandsOnWeightsOfItsShards)
{
    auto spec = RingOf(4);
    spec.sharded = true;
    const auto ring = MakeRing(spec, 1000);
    for (Rank worker = 0; worker < 4; ++worker)
    {
        const auto traffic = LoadOf(*ring, worker);
        EXPECT_EQ(traffic.gradient.sentElements, 750U);
        EXPECT_EQ(traffic.weight.sentElements, 750U);
        EXPECT_EQ(traffic.addedElements, 750U);
        for (std::uint32_t step = 0; step < 6; ++step)
        {
            EXPECT_EQ(ring->At(worker, step).update, step == 2);
            EXPECT_FALSE(ring->At(worker, step).ownsResult);
        }
    }
}

/* Worker i ends a reduce-scatter of gradients with block i + 1: it sends all others of the blocks i, i - 1, ..., and
 * gets blocks i - 1, ..., i + 1. It begins an all-gather of weights with that block: it sends i + 1, i, ..., i + 3, and
 * gets i, ..., i + 2. In turns of 12 values and 4 workers, 1003 values take 84 turns. */
TEST(Ring, HasPhases)
{
    auto scatterSpec = RingOf(4);
    scatterSpec.sharded = true;
    scatterSpec.phase = SumPhase::REDUCE_SCATTER;
    auto gatherSpec = scatterSpec;
    gatherSpec.phase = SumPhase::ALL_GATHER;
    const auto scatter = MakeRing(scatterSpec, 1003);
    const auto gather = MakeRing(gatherSpec, 1003);
    EXPECT_EQ(scatter->StepCount(0), 3U);
    EXPECT_EQ(gather->StepCount(0), 3U);
    for (Rank i = 0; i < 4; ++i)
    {
        const auto gradients = LoadOf(*scatter, i);
        EXPECT_EQ(gradients.gradient.sentElements, 1003 - Block(1003, 4, i + 1));
        EXPECT_EQ(gradients.gradient.receivedElements, 1003 - Block(1003, 4, i));
        EXPECT_EQ(gradients.weight.sentElements, 0U);
        EXPECT_TRUE(scatter->At(i, 2).update);
        const auto weights = LoadOf(*gather, i);
        EXPECT_EQ(weights.weight.sentElements, 1003 - Block(1003, 4, i + 2));
        EXPECT_EQ(weights.weight.receivedElements, 1003 - Block(1003, 4, i + 1));
        EXPECT_EQ(weights.gradient.sentElements, 0U);
        EXPECT_FALSE(gather->At(i, 2).update);
        EXPECT_EQ(scatter->At(i, 2).receives.front().range, gather->At(i, 0).sends.front().range);
    }
    gatherSpec.ringChunkElements = 3;
    EXPECT_EQ(MakeRing(gatherSpec, 1003)->StepCount(0), 84U * 3);
}

/* A table of the 4096 * 8190 transfers would take most of a gigabyte; a step is arithmetic. The
 * last step of worker 7 receives block 7 + 2 (it owns 8; then come 7, 6, ... round to 9). */
TEST(Ring, IsMadeOnTheFly)
{
    const auto ring = MakeRing(RingOf(4096), 1ULL << 40U);
    EXPECT_EQ(ring->StepCount(7), 8190U);
    EXPECT_EQ(ring->At(7, 8189).receives[0].range, BlockOf(1ULL << 40U, 4096, 9));
}

/* A piece of 3 members and 7 elements, in blocks of 3, 2 and 2, or of 2 elements, where block 2 is empty and sent all the
 * same: what a member sends to the next one, and gets from the one before, in either step. */
TEST(RingPieces, MoveBlocksBackwards)
{
    struct Row
    {
        const char* what;
        std::unique_ptr<Piece> piece;
        Rank member;
        std::vector<ElementRange> sent;
        std::vector<ElementRange> received;
        Combine combine;
    };

    const ElementRange block0{0, 3};
    const ElementRange block1{3, 2};
    const ElementRange block2{5, 2};
    const auto scatter = [](std::uint64_t elements) {
        return MakeRingReduceScatter(3, elements, RingSums::FINAL);
    };
    std::vector<Row> rows;
    // Step s = 1 .. 2: member i sends block i - s + 1 and receives block i - s. Member 1: sends 1, receives
    // 0; then sends 0, receives 2, which it owns.
    rows.push_back({"scatter", scatter(7), 1, {block1, block0}, {block0, block2}, Combine::ADD});
    rows.push_back({"empty", scatter(2), 2, {{2, 0}, {1, 1}}, {{1, 1}, {0, 1}}, Combine::ADD});
    // After a reduce-scatter member 0 owns block 1: sends 1, receives 0; then sends 0, receives 2.
    rows.push_back({"goes on where the reduce-scatter ended",
                    MakeRingAllGather(3, 7, 1),
                    0,
                    {block1, block0},
                    {block0, block2},
                    Combine::STORE});
    // Member i holds block i: member 2 sends 2, receives 1; then sends 1, receives 0.
    rows.push_back({"begins with own blocks",
                    MakeRingAllGather(3, 7, 0),
                    2,
                    {block2, block1},
                    {block1, block0},
                    Combine::STORE});
    for (const auto& row : rows)
    {
        SCOPED_TRACE(row.what);
        ASSERT_EQ(row.piece->StepCount(row.member), 2U);
        for (const std::uint32_t index : {0U, 1U})
        {
            const auto step = row.piece->At(row.member, index);
            const auto next = (row.member + 1) % 3;
            const auto before = (row.member + 2) % 3;
            EXPECT_EQ(step.sends,
                      (std::vector<Transfer>{{next, row.sent[index], PayloadKind::GRADIENT}}));
            EXPECT_EQ(
                step.receives,
                (std::vector<Transfer>{{before, row.received[index], PayloadKind::GRADIENT}}));
            EXPECT_EQ(step.receives[0].combine, row.combine);
            EXPECT_EQ(step.ownsResult, row.combine == Combine::ADD && index == 1);
        }
    }
    EXPECT_FALSE(MakeRingReduceScatter(3, 7, RingSums::INTERMEDIATE)->At(0, 1).ownsResult);
}

TEST(RingPieces, ReceiveFirstAtOddPositions)
{
    const auto piece = MakeRingReduceScatter(3, 7, RingSums::FINAL);
    EXPECT_FALSE(piece->At(0, 0).receiveFirst);
    EXPECT_TRUE(piece->At(1, 0).receiveFirst);
    EXPECT_FALSE(piece->At(2, 0).receiveFirst);
}

/* 11 values in 2 channels: 0 .. 5 and 6 .. 10; of 3 blocks, the second channel's first is 6 .. 7. */
TEST(ChannelPlan, HasItsChannelsOneAfterTheOther)
{
    const auto plan = MakeRing(RingOf(3, 2, 0), 11);
    ASSERT_EQ(plan->ChannelCount(), 2U);
    ASSERT_EQ(plan->StepCount(0), 2U * 4);
    EXPECT_EQ(plan->At(0, 0).sends[0].range, (ElementRange{0, 2}));
    EXPECT_EQ(plan->At(0, 4).sends[0].range, (ElementRange{6, 2}));
    EXPECT_EQ(plan->Channel(1).At(0, 0).sends[0].range, (ElementRange{6, 2}));
    EXPECT_EQ(plan->Channel(1).StepCount(0), 4U);
    EXPECT_EQ(plan->Elements(), 11U);
    EXPECT_THROW(plan->At(0, 8), InvariantError);
}

TEST(ChannelPlan, APlainPlanIsItsOnlyChannel)
{
    const auto plan = MakeRing(RingOf(3, 1, 0), 11);
    EXPECT_EQ(plan->ChannelCount(), 1U);
    EXPECT_EQ(&plan->Channel(0), plan.get());
}

/* Two values have no use for a third channel; three are a block of one value for each of three workers. */
TEST(ChannelPlan, ARingHasNoChannelWithoutValues)
{
    EXPECT_EQ(MakeRing(RingOf(3, 4, 0), 2)->ChannelCount(), 2U);
    EXPECT_EQ(MakeRing(RingOf(3, 4, 0), 3)->ChannelCount(), 1U);
    EXPECT_EQ(MakeRing(RingOf(3, 4, 0), 0)->ChannelCount(), 1U);
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

namespace
{

ExchangeSpec
Sharded(const std::string& algorithm, Rank workers, std::uint32_t channels = 1)
{
    auto spec = RingOf(workers, channels);
    spec.algorithm = algorithm;
    spec.sharded = true;
    spec.phase = SumPhase::REDUCE_SCATTER;
    return spec;
}

} // namespace

TEST(ShardsOf, AreWhatWorkersEndWith)
{
    auto chunks = Sharded("ring", 3);
    chunks.ringChunkElements = 2;
    const std::tuple<ExchangeSpec, std::uint64_t, Shards> rows[] = {
        // A block goes round from the worker that it is named after, and ends with the one before it.
        {Sharded("ring", 4), 12, {{{3, 3}}, {{6, 3}}, {{9, 3}}, {{0, 3}}}},
        // Two channels of 6, and a block of each.
        {Sharded("ring", 3, 2), 12, {{{2, 2}, {8, 2}}, {{4, 2}, {10, 2}}, {{0, 2}, {6, 2}}}},
        // Chunks of 2: turns of 6, 6 and 3.
        {chunks,
         15,
         {{{2, 2}, {8, 2}, {13, 1}}, {{4, 2}, {10, 2}, {14, 1}}, {{0, 2}, {6, 2}, {12, 1}}}},
        // A member's bits, reversed: 0, 2, 1, 3.
        {Sharded("halving-doubling", 4), 8, {{{0, 2}}, {{4, 2}}, {{2, 2}}, {{6, 2}}}},
        {Sharded("switch-slots", 3), 6, {{{0, 2}}, {{2, 2}}, {{4, 2}}}},
        // Where all get all, they are blocks.
        {RingOf(3), 6, {{{0, 2}}, {{2, 2}}, {{4, 2}}}},
    };
    for (const auto& [spec, elements, expected] : rows)
    {
        EXPECT_EQ(ShardsOf(*MakeStepPlan(spec, elements)), expected) << Describe(spec, elements);
    }
    EXPECT_EQ(TotalCount(ShardsOf(*MakeStepPlan(Sharded("ring", 3), 0))), 0U);
    // 7 elements in 4 blocks are 2, 2, 2 and 1: shards must be equal.
    EXPECT_THROW(ShardsOf(*MakeStepPlan(Sharded("halving-doubling", 4), 7)), InvariantError);
}

} // namespace inca
