/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/parameter-server.h"

#include "exchange/rank-load.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

constexpr std::uint64_t g_elements = 1003; ///< which 2, 4, 5 and 7 do not divide

ExchangeSpec
Sharded(Rank workers, std::optional<Rank> servers)
{
    return {"sharded-parameter-server", workers, "flat", 1, 2, servers};
}

std::vector<Rank>
PeersOf(const std::vector<Transfer>& transfers)
{
    std::vector<Rank> peers;
    for (const auto& transfer : transfers)
    {
        peers.push_back(transfer.peer);
    }
    return peers;
}

/** Of whom a worker gets its sums, one after the other. */
std::vector<Rank>
GetsSumsFrom(const StepPlan& plan, Rank worker)
{
    std::vector<Rank> servers;
    for (std::uint32_t step = 1; step < plan.StepCount(worker); ++step)
    {
        servers.push_back(plan.At(worker, step).receives.at(0).peer);
    }
    return servers;
}

} // namespace

/* 3 workers, 10 values, server at rank 3: sends of 10 up, SUM_ALL, 10 back to each. */
TEST(ParameterServer, TakesTheWholeTensorAndReturnsItsSum)
{
    const auto plan = MakeParameterServer({"parameter-server", 3, "flat", 1, 2, 5}, 10);
    const ElementRange all{0, 10};
    EXPECT_EQ(plan->WorkerCount(), 3U);
    EXPECT_EQ(plan->RankCount(), 4U); // spec.servers means nothing to it
    ASSERT_EQ(plan->StepCount(1), 2U);
    EXPECT_EQ(plan->At(1, 0).sends, (std::vector<Transfer>{{3, all, Leg::GRADIENT}}));
    EXPECT_EQ(plan->At(1, 1).receives, (std::vector<Transfer>{{3, all, Leg::GRADIENT}}));
    const auto sum = plan->At(3, 0);
    EXPECT_EQ(PeersOf(sum.receives), (std::vector<Rank>{0, 1, 2}));
    EXPECT_EQ(sum.receives[0].combine, Combine::STORE); // it has no values of its own
    EXPECT_EQ(sum.receives[1].combine, Combine::ADD);
    EXPECT_EQ(sum.receives[2].combine, Combine::ADD);
    EXPECT_FALSE(sum.update);
    EXPECT_FALSE(sum.ownsResult); // no worker has it but in the form in which all get it
    EXPECT_EQ(PeersOf(plan->At(3, 1).sends), (std::vector<Rank>{0, 1, 2}));
}

/* Workers send and receive n in S messages, server s receives and sends W B(s) and adds (W - 1) B(s);
 * it encodes what it returns once, a worker everything that it sends. */
TEST(ParameterServer, MovesWhatItsClosedFormSays)
{
    for (const auto& [workers, servers] :
         std::vector<std::pair<Rank, Rank>>{{2, 1}, {4, 2}, {4, 4}, {7, 4}, {3, 5}, {5, 2000}})
    {
        const auto plan = MakeShardedParameterServer(Sharded(workers, servers), g_elements);
        for (Rank worker = 0; worker < workers; ++worker)
        {
            const auto traffic = LoadOf(*plan, worker);
            EXPECT_EQ(traffic.gradient.sentElements, g_elements);
            EXPECT_EQ(traffic.gradient.sentMessages, servers);
            EXPECT_EQ(traffic.gradient.receivedElements, g_elements);
            EXPECT_EQ(traffic.gradient.receivedMessages, servers);
            EXPECT_EQ(traffic.codedElements, g_elements);
            EXPECT_EQ(traffic.addedElements, 0U);
        }
        for (Rank server = 0; server < servers; ++server)
        {
            const auto traffic = LoadOf(*plan, workers + server);
            const auto block = BlockOf(g_elements, servers, server).count;
            EXPECT_EQ(traffic.gradient.receivedElements, workers * block);
            EXPECT_EQ(traffic.gradient.sentElements, workers * block);
            EXPECT_EQ(traffic.gradient.sentMessages, workers);
            EXPECT_EQ(traffic.codedElements, block);
            EXPECT_EQ(traffic.addedElements, (workers - 1) * block);
        }
    }
}

TEST(ParameterServer, HasAsManyServersAsWorkersUnlessToldOtherwise)
{
    EXPECT_EQ(MakeShardedParameterServer(Sharded(6, {}), 10)->RankCount(), 12U);
    EXPECT_EQ(MakeShardedParameterServer(Sharded(6, 2), 10)->RankCount(), 8U);
}

/* 10 values in 4 blocks of 3, 3, 2, 2; worker 2 of 3 begins with server 2, which is rank 5. Server 3 is
 * a round of its own. */
TEST(ParameterServer, EveryWorkerBeginsWithAnotherServer)
{
    const auto plan = MakeShardedParameterServer(Sharded(3, 4), 10);
    EXPECT_EQ(PeersOf(plan->At(0, 0).sends), (std::vector<Rank>{3, 4, 5, 6}));
    EXPECT_EQ(plan->At(2, 0).sends,
              (std::vector<Transfer>{{5, {6, 2}, Leg::GRADIENT},
                                     {3, {0, 3}, Leg::GRADIENT},
                                     {4, {3, 3}, Leg::GRADIENT},
                                     {6, {8, 2}, Leg::GRADIENT}}));
}

/* 4 workers, 2 servers (ranks 4 and 5), 4 slots: server 0 serves 0, 1, 2, 3; server 1 serves 1, 2, 3,
 * 0. Worker 0 meets server 0 in slot 0 and server 1 in slot 3; workers 1 to 3 meet server 1 first. */
TEST(ParameterServer, SumsComeBackByTheTimetable)
{
    const auto plan = MakeShardedParameterServer(Sharded(4, 2), 10);
    EXPECT_EQ(PeersOf(plan->At(4, 1).sends), (std::vector<Rank>{0, 1, 2, 3}));
    EXPECT_EQ(PeersOf(plan->At(5, 1).sends), (std::vector<Rank>{1, 2, 3, 0}));
    EXPECT_EQ(GetsSumsFrom(*plan, 0), (std::vector<Rank>{4, 5}));
    EXPECT_EQ(GetsSumsFrom(*plan, 1), (std::vector<Rank>{5, 4}));
    EXPECT_EQ(GetsSumsFrom(*plan, 3), (std::vector<Rank>{5, 4}));
}

/* Slot (i - s) mod W of its round for server s and worker i: both ends go through theirs in ascending order,
 * which is what no circle of waits can do. */
TEST(ParameterServer, BothEndsKeepToTheTimetable)
{
    for (const auto& [workers, servers] :
         std::vector<std::pair<Rank, Rank>>{{5, 5}, {9, 4}, {3, 8}, {2, 1}, {4, 17}})
    {
        const auto plan = MakeShardedParameterServer(Sharded(workers, servers), 100);
        const auto slot = [w = workers](Rank worker, Rank server) {
            return server / w * w + (worker + w - server % w) % w;
        };
        for (Rank worker = 0; worker < workers; ++worker)
        {
            std::vector<Rank> met;
            for (const auto server : GetsSumsFrom(*plan, worker))
            {
                met.push_back(slot(worker, server - workers));
            }
            EXPECT_TRUE(std::is_sorted(met.begin(), met.end())) << workers << " " << servers;
        }
        for (Rank server = 0; server < servers; ++server)
        {
            std::vector<Rank> met;
            for (const auto worker : PeersOf(plan->At(workers + server, 1).sends))
            {
                met.push_back(slot(worker, server));
            }
            EXPECT_TRUE(std::is_sorted(met.begin(), met.end())) << workers << " " << servers;
        }
    }
}

} // namespace inca
