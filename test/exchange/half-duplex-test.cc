/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/all-exchanges.h"
#include "exchange/rendezvous.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace inca
{

namespace
{

std::uint64_t
MessageTimes(const ExchangeSpec& spec, std::uint64_t elements = 1000)
{
    return RendezvousTime(*MakeStepPlan(spec, elements)).value();
}

std::uint64_t
RingTimes(Rank workers)
{
    return MessageTimes({"ring", workers, "flat", 1, 2});
}

} // namespace

TEST(HalfDuplex, NoExchangeDeadlocksWithoutBuffers)
{
    for (Rank workers = 2; workers <= 17; ++workers)
    {
        for (const auto& spec : AllExchanges(workers))
        {
            for (const std::uint64_t elements : {0, 3, 50})
            {
                EXPECT_TRUE(RendezvousTime(*MakeStepPlan(spec, elements)).has_value())
                    << Describe(spec, elements);
            }
        }
    }
}

/* Even N: in a step the even workers send while the odd ones receive, then the other way round:
 * 2 message times per step, 2 (N - 1) steps. */
TEST(HalfDuplex, AnEvenRingTakesTwoMessageTimesPerStep)
{
    for (Rank workers = 2; workers <= 16; workers += 2)
    {
        EXPECT_EQ(RingTimes(workers), 4U * (workers - 1)) << workers;
    }
}

/* Odd N: 2 (N - 1) N messages, of which (N - 1) / 2 at a time at most, as each needs two workers:
 * at least 4 N message times, which is 2 N / (N - 1) per step. The alternation reaches that:
 * N = 3: 12 messages, one at a time: 12. N = 5: 40 messages, two at a time: 20. */
TEST(HalfDuplex, AnOddRingTakesTwoNOverNMinusOneMessageTimesPerStep)
{
    for (Rank workers = 3; workers <= 17; workers += 2)
    {
        EXPECT_EQ(RingTimes(workers), 4U * workers) << workers;
    }
}

/* W gradients one by one into the aggregator, then the broadcast over W + 1 ranks:
 * flat W; binomial ceil(log2(W + 1)), here 2, 3, 4 for 3, 4, 8 workers; chain of 3 segments: the
 * first one reaches the last worker after W, and each other one needs 2 more, because a middle
 * worker takes and passes it: W + 2 * 2. */
TEST(HalfDuplex, WorkerAggregatorTakesItsGatherAndItsBroadcast)
{
    for (const auto& [workers, binomial] :
         std::vector<std::pair<Rank, Rank>>{{3, 2}, {4, 3}, {8, 4}})
    {
        EXPECT_EQ(MessageTimes({"worker-aggregator", workers, "flat", 1, 2}), workers + workers);
        EXPECT_EQ(MessageTimes({"worker-aggregator", workers, "binomial", 1, 2}),
                  workers + binomial);
        EXPECT_EQ(MessageTimes({"worker-aggregator", workers, "chain", 500, 2}, 1500),
                  workers + workers + 4);
    }
}

/* W gradients into the server one by one, W sums out of it. */
TEST(HalfDuplex, AParameterServerTakesOneMessageTimePerMessage)
{
    for (const Rank workers : {2U, 3U, 8U})
    {
        EXPECT_EQ(MessageTimes({"parameter-server", workers, "flat", 1, 2}), 2 * workers);
    }
}

/* As many servers as workers: in message time t worker i sends to server i + t, all at once; the
 * timetable then fills W times likewise. Twice and three times as many are as many rounds. */
TEST(HalfDuplex, AShardedParameterServerKeepsAllWorkersBusy)
{
    for (const auto& [workers, servers] :
         std::vector<std::pair<Rank, Rank>>{{2, 2}, {4, 4}, {9, 9}, {3, 6}, {4, 12}})
    {
        EXPECT_EQ(MessageTimes({"sharded-parameter-server", workers, "flat", 1, 2, servers}),
                  2 * servers)
            << workers << " " << servers;
    }
}

/* All workers hand over and get back everything at once. */
TEST(HalfDuplex, TheNetworkAddsInOneMessageTime)
{
    EXPECT_EQ(MessageTimes({"switch-slots", 8, "flat", 1, 2}), 1U);
    EXPECT_EQ(MessageTimes({"switch-tree", 8, "flat", 1, 2}), 1U);
}

/* 2 groups of 4: rings in the groups 2 * 3 * 2 = 12; 2 sums to the aggregator 2; it hands the
 * weights to 2 leaders: 2; in the group 3 (flat) or 2 (binomial). */
TEST(HalfDuplex, HierarchicalAggregatorTakesTheSumOfItsPieces)
{
    EXPECT_EQ(MessageTimes({"hierarchical-aggregator", 8, "flat", 1, 4}), 12U + 2 + 2 + 3);
    EXPECT_EQ(MessageTimes({"hierarchical-aggregator", 8, "binomial", 1, 4}), 12U + 2 + 2 + 2);
}

/* 2 groups of 4: rings in the groups 2 * 3 * 2 = 12; ring of 2 leaders 2 * 1 * 2 = 4; scatter 3;
 * all-gather 3 * 2 = 6. */
TEST(HalfDuplex, HierarchicalRingTakesTheSumOfItsPieces)
{
    EXPECT_EQ(MessageTimes({"hierarchical-ring", 8, "flat", 1, 4}), 12U + 4 + 3 + 6);
}

} // namespace inca
