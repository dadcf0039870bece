/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/worker-aggregator.h"

#include "exchange/total-traffic.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

constexpr std::uint64_t g_elements = 1000;

ExchangeSpec
With(const std::string& broadcast, Rank workers, std::uint64_t segmentElements = 300)
{
    return {"worker-aggregator", workers, broadcast, segmentElements, 2};
}

RankLoad
AggregatorTraffic(const ExchangeSpec& spec)
{
    return LoadOf(*MakeWorkerAggregator(spec, g_elements), spec.workers);
}

} // namespace

TEST(WorkerAggregator, HasOneRankBeyondTheWorkers)
{
    const auto plan = MakeWorkerAggregator(With("flat", 4), g_elements);
    EXPECT_EQ(plan->WorkerCount(), 4U);
    EXPECT_EQ(plan->RankCount(), 5U);
}

/* W n gradients in W messages; W n weights in W messages, in a chain as often as it has segments:
 * 1000 values in segments of 300 are 4. */
TEST(WorkerAggregator, MovesEveryGradientUpAndTheWeightsDown)
{
    for (const Rank workers : {2U, 4U, 7U})
    {
        for (const auto* broadcast : {"flat", "binomial", "chain"})
        {
            const auto total = SentByAll(With(broadcast, workers), g_elements);
            const auto segments = std::string(broadcast) == "chain" ? 4U : 1U;
            EXPECT_EQ(total.gradient, workers * g_elements);
            EXPECT_EQ(total.gradientMessages, workers);
            EXPECT_EQ(total.weight, workers * g_elements);
            EXPECT_EQ(total.weightMessages, workers * segments);
        }
    }
}

/* 4 workers: gets 4 n, adds 3 n; sends 4 n (flat), ceil(log2(5)) = 3 n (binomial), n (chain). */
TEST(WorkerAggregator, TheAggregatorAddsAllAndSendsAsTheBroadcastSays)
{
    const auto flat = AggregatorTraffic(With("flat", 4));
    EXPECT_EQ(flat.gradient.receivedElements, 4 * g_elements);
    EXPECT_EQ(flat.addedElements, 3 * g_elements);
    EXPECT_EQ(flat.weight.sentElements, 4 * g_elements);
    EXPECT_EQ(AggregatorTraffic(With("binomial", 4)).weight.sentElements, 3 * g_elements);
    EXPECT_EQ(AggregatorTraffic(With("chain", 4)).weight.sentElements, g_elements);
}

TEST(WorkerAggregator, AWorkerSendsItsGradientOnceAndGetsTheWeightsOnce)
{
    const auto plan = MakeWorkerAggregator(With("binomial", 4), g_elements);
    for (Rank worker = 0; worker < 4; ++worker)
    {
        const auto traffic = LoadOf(*plan, worker);
        EXPECT_EQ(traffic.gradient.sentElements, g_elements);
        EXPECT_EQ(traffic.weight.receivedElements, g_elements);
        EXPECT_EQ(traffic.addedElements, 0U);
    }
}

/* The chain goes from the aggregator to worker 0, then 1, then 2. */
TEST(WorkerAggregator, TheChainBeginsAtWorkerZero)
{
    const auto plan = MakeWorkerAggregator(With("chain", 3, 1000), g_elements);
    EXPECT_EQ(plan->At(3, 1).sends[0].peer, 0U);
    EXPECT_EQ(plan->At(0, 1).receives[0].peer, 3U);
    EXPECT_EQ(plan->At(0, 2).sends[0].peer, 1U);
    EXPECT_EQ(plan->At(1, 2).sends[0].peer, 2U);
}

} // namespace inca
