/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/ring.h"

#include "exchange/total-traffic.h"
#include "exchange/traffic.h"

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
                const auto traffic = Traffic(*ring, i);
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
        const auto traffic = Traffic(*ring, worker);
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

/* A table of the 4096 * 8190 transfers would take most of a gigabyte; a step is arithmetic. The
 * last step of worker 7 receives block 7 + 2 (it owns 8; then come 7, 6, ... round to 9). */
TEST(Ring, IsMadeOnTheFly)
{
    const auto ring = MakeRing(RingOf(4096), 1ULL << 40U);
    EXPECT_EQ(ring->StepCount(7), 8190U);
    EXPECT_EQ(ring->At(7, 8189).receives[0].range, BlockOf(1ULL << 40U, 4096, 9));
}

} // namespace inca
