/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/halving-doubling.h"

#include "exchange/rank-load.h"

#include <gtest/gtest.h>

#include <vector>

namespace inca
{

namespace
{

ExchangeSpec
Spec(Rank workers)
{
    ExchangeSpec spec;
    spec.algorithm = "halving-doubling";
    spec.workers = workers;
    return spec;
}

Rank
Reversed(Rank member, unsigned bits)
{
    Rank reversed = 0;
    for (unsigned bit = 0; bit < bits; ++bit)
    {
        reversed = 2 * reversed + (member >> bit) % 2;
    }
    return reversed;
}

} // namespace

/* 8 members: member i ends up with the block whose number is i's bits reversed: its first choice, by its
 * lowest bit, is the most significant one. It gives away all but that block, and adds to what it keeps
 * after each halving; on the way back it sends what it added to, and gets what it gave away. */
TEST(HalvingDoubling, MovesWhatItsClosedFormSays)
{
    for (const std::uint64_t n : {0, 5, 1000, 1003})
    {
        const auto plan = MakeHalvingDoubling(Spec(8), n);
        for (Rank member = 0; member < 8; ++member)
        {
            const auto block = Reversed(member, 3);
            std::uint64_t kept = 0; // over the halvings
            for (const Rank blocks : {4U, 2U, 1U})
            {
                const auto first = block / blocks * blocks;
                kept += BlockOf(n, 8, first + blocks - 1).End() - BlockOf(n, 8, first).begin;
            }
            const auto traffic = LoadOf(*plan, member);
            const auto moved = n - BlockOf(n, 8, block).count + kept;
            EXPECT_EQ(traffic.gradient.sentElements, moved);
            EXPECT_EQ(traffic.gradient.receivedElements, moved);
            EXPECT_EQ(traffic.gradient.sentMessages, 6U);
            EXPECT_EQ(traffic.addedElements, kept);
        }
    }
}

/* 4 members, 10 values in blocks of 3, 3, 2, 2. Member 1 gives the lower half to 0, keeps 6 .. 9, gives
 * of those 6 .. 7 to 3 (bit 1 of member 3 is set: it keeps the upper quarter), so it owns block 2. */
TEST(HalvingDoubling, HalvesWithTheNearestFirst)
{
    const auto plan = MakeHalvingDoubling(Spec(4), 10);
    ASSERT_EQ(plan->StepCount(1), 4U);
    const std::vector<Transfer> sends{{0, {0, 6}, Leg::GRADIENT},
                                      {3, {8, 2}, Leg::GRADIENT},
                                      {3, {6, 2}, Leg::GRADIENT},
                                      {0, {6, 4}, Leg::GRADIENT}};
    for (std::uint32_t step = 0; step < 4; ++step)
    {
        const auto exchange = plan->At(1, step);
        EXPECT_EQ(exchange.sends, std::vector<Transfer>{sends[step]}) << step;
        EXPECT_EQ(exchange.receives[0].peer, sends[step].peer);
        EXPECT_EQ(exchange.receives[0].combine, step < 2 ? Combine::ADD : Combine::STORE);
        EXPECT_EQ(exchange.ownsResult, step == 1);
    }
}

/* The same of halving and doubling: 2 halvings of 1000 are 500 + 250 in gradients, and as many weights. */
TEST(HalvingDoubling, HandsOnWeightsOfItsShards)
{
    auto spec = Spec(4);
    spec.sharded = true;
    const auto plan = MakeHalvingDoubling(spec, 1000);
    const auto traffic = LoadOf(*plan, 2);
    EXPECT_EQ(traffic.gradient.sentElements, 750U);
    EXPECT_EQ(traffic.weight.sentElements, 750U);
    EXPECT_TRUE(plan->At(2, 1).update);
    EXPECT_FALSE(plan->At(2, 0).update);
}

/* Halves in two steps each, of 4 workers: what a worker has summed at the end is what it hands on at first. */
TEST(HalvingDoubling, HasHalves)
{
    auto spec = Spec(4);
    spec.sharded = true;
    spec.halves = Halves::REDUCE_SCATTER;
    const auto halving = MakeHalvingDoubling(spec, 1000);
    spec.halves = Halves::ALL_GATHER;
    const auto doubling = MakeHalvingDoubling(spec, 1000);
    for (Rank worker = 0; worker < 4; ++worker)
    {
        ASSERT_EQ(halving->StepCount(worker), 2U);
        ASSERT_EQ(doubling->StepCount(worker), 2U);
        EXPECT_EQ(LoadOf(*halving, worker).gradient.sentElements, 750U);
        EXPECT_EQ(LoadOf(*halving, worker).weight.sentElements, 0U);
        EXPECT_EQ(LoadOf(*doubling, worker).gradient.sentElements, 0U);
        EXPECT_EQ(LoadOf(*doubling, worker).weight.sentElements, 750U);
        EXPECT_TRUE(halving->At(worker, 1).update);
        EXPECT_EQ(halving->At(worker, 1).receives.front().range,
                  doubling->At(worker, 0).sends.front().range);
    }
}

/* 5 workers: 0 is beyond, and 1 takes its gradients; the members are 1, 2, 3, 4. */
TEST(HalvingDoubling, ANeighbourGivesBeforeAndGetsAfter)
{
    const auto plan = MakeHalvingDoubling(Spec(5), 8);
    const ElementRange all{0, 8};
    ASSERT_EQ(plan->StepCount(0), 2U);
    EXPECT_EQ(plan->At(0, 0).sends, (std::vector<Transfer>{{1, all, Leg::GRADIENT}}));
    EXPECT_EQ(plan->At(0, 1).receives, (std::vector<Transfer>{{1, all, Leg::GRADIENT}}));
    ASSERT_EQ(plan->StepCount(1), 6U);
    EXPECT_EQ(plan->At(1, 0).receives[0].combine, Combine::ADD);
    EXPECT_EQ(plan->At(1, 1).sends[0].peer, 2U);
    EXPECT_EQ(plan->At(1, 2).sends[0].peer, 3U);
    EXPECT_EQ(plan->At(1, 5).sends, (std::vector<Transfer>{{0, all, Leg::GRADIENT}}));
    EXPECT_EQ(plan->StepCount(4), 4U);
}

} // namespace inca
