/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/all-exchanges.h"

#include <gtest/gtest.h>

#include <map>
#include <utility>

namespace inca
{

namespace
{

constexpr Rank g_mostWorkers = 17;

/** All transfers of each ordered pair of ranks, in order, as one end names them. */
using Pairs = std::map<std::pair<Rank, Rank>, std::vector<Transfer>>;

/** What both ends say of the same messages, with the sender as peer. */
std::pair<Pairs, Pairs>
BothEnds(const StepPlan& plan)
{
    Pairs sent;
    Pairs received;
    for (Rank rank = 0; rank < plan.RankCount(); ++rank)
    {
        for (std::uint32_t index = 0; index < plan.StepCount(rank); ++index)
        {
            const auto step = plan.At(rank, index);
            for (const auto& send : step.sends)
            {
                sent[{rank, send.peer}].push_back({rank, send.range, send.leg});
            }
            for (const auto& receive : step.receives)
            {
                received[{receive.peer, rank}].push_back(receive);
            }
        }
    }
    return {sent, received};
}

} // namespace

TEST(EveryExchange, BothEndsNameTheSameMessagesInTheSameOrder)
{
    for (Rank workers = 2; workers <= g_mostWorkers; ++workers)
    {
        for (const auto& spec : AllExchanges(workers))
        {
            for (std::uint64_t elements = 0; elements <= 50; ++elements)
            {
                const auto [sent, received] = BothEnds(*MakeStepPlan(spec, elements));
                ASSERT_EQ(sent, received) << Describe(spec, elements);
            }
        }
    }
}

TEST(EveryExchange, StaysInsideTheTensorAndSendsToOthers)
{
    for (Rank workers = 2; workers <= g_mostWorkers; ++workers)
    {
        for (const auto& spec : AllExchanges(workers))
        {
            const auto plan = MakeStepPlan(spec, 33);
            const auto [sent, received] = BothEnds(*plan);
            for (const auto& [ends, transfers] : sent)
            {
                EXPECT_NE(ends.first, ends.second) << Describe(spec, 33);
                EXPECT_LT(ends.second, plan->RankCount()) << Describe(spec, 33);
                for (const auto& transfer : transfers)
                {
                    EXPECT_LE(transfer.range.End(), 33U) << Describe(spec, 33);
                }
            }
        }
    }
}

/* Each value is handed to the network once by each worker; and what the network adds in a step
 * needs no message in that step. */
TEST(EveryExchange, HandsEverythingToTheNetworkOrNothing)
{
    for (const auto& spec : AllExchanges(12))
    {
        const auto plan = MakeStepPlan(spec, 100);
        const std::uint64_t expected = SumsInNetwork(spec) ? 100 : 0;
        for (Rank rank = 0; rank < plan->RankCount(); ++rank)
        {
            std::uint64_t handed = 0;
            for (std::uint32_t index = 0; index < plan->StepCount(rank); ++index)
            {
                const auto step = plan->At(rank, index);
                const auto range = step.networkSum.value_or(ElementRange{});
                EXPECT_EQ(range.begin, handed) << Describe(spec, 100);
                EXPECT_TRUE(!step.networkSum || (step.sends.empty() && step.receives.empty()));
                handed += range.count;
            }
            EXPECT_EQ(handed, expected) << Describe(spec, 100);
        }
    }
}

/* Aggregators update, servers do not. */
TEST(EveryExchange, UpdatesOnceOnEachAggregatorAndNowhereElse)
{
    for (const auto& spec : AllExchanges(12))
    {
        const auto plan = MakeStepPlan(spec, 100);
        const auto expected = ReturnsWeights(FindExchange(spec.algorithm)) ? 1U : 0U;
        for (Rank rank = 0; rank < plan->RankCount(); ++rank)
        {
            unsigned updates = 0;
            for (std::uint32_t index = 0; index < plan->StepCount(rank); ++index)
            {
                updates += plan->At(rank, index).update ? 1 : 0;
            }
            EXPECT_EQ(updates, rank < plan->WorkerCount() ? 0U : expected) << Describe(spec, 100);
        }
    }
}

} // namespace inca
