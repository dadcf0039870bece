/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/ring.h"

#include "exchange/rank-load.h"
#include "exchange/total-traffic.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

ExchangeSpec
RingOf(Rank workers)
{
    return {"ring", workers, "flat", 1, 2};
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
            EXPECT_EQ(SentByAll(RingOf(workers), n).gradient, 2ULL * (workers - 1) * n);
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
TEST(Ring, HasHalves)
{
    auto scatterSpec = RingOf(4);
    scatterSpec.sharded = true;
    scatterSpec.halves = Halves::REDUCE_SCATTER;
    auto gatherSpec = scatterSpec;
    gatherSpec.halves = Halves::ALL_GATHER;
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

} // namespace inca
