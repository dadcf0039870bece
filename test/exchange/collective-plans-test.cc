/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Plans of collective libraries: two trees, halving and doubling, and servers.
#include "base/errors.h"
#include "exchange/double-tree.h"
#include "exchange/halving-doubling.h"
#include "exchange/parameter-server.h"
#include "exchange/rank-load.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

ExchangeSpec
TreeOf(Rank workers, std::uint64_t chunkElements)
{
    ExchangeSpec spec;
    spec.algorithm = "tree";
    spec.workers = workers;
    spec.treeChunkElements = chunkElements;
    return spec;
}

/** Whom @p worker sends to in a channel's steps, and how many values. */
std::map<Rank, std::uint64_t>
SentTo(const StepPlan& channel, Rank worker)
{
    std::map<Rank, std::uint64_t> sent;
    for (std::uint32_t step = 0; step < channel.StepCount(worker); ++step)
    {
        for (const auto& send : channel.At(worker, step).sends)
        {
            sent[send.peer] += send.range.count;
        }
    }
    return sent;
}

} // namespace

/* Whoever has a parent is one of its children, and nobody else is; at most two. 0 is above the largest power of two, then
 * halves: the farthest of N places is ceil(log2 N) away. */
TEST(TreePlace, ChildrenAreThoseWhoseParentItIs)
{
    for (Rank places = 2; places <= 130; ++places)
    {
        Rank deepest = 0;
        std::map<Rank, std::set<Rank>> children;
        for (Rank place = 1; place < places; ++place)
        {
            children[TreePlaceOf(place, places).parent].insert(place);
        }
        for (Rank place = 0; place < places; ++place)
        {
            const auto found = TreePlaceOf(place, places);
            const std::set<Rank> named(found.children, found.children + found.childCount);
            EXPECT_EQ(named, children[place]) << place << " of " << places;
            EXPECT_EQ(named.size(), found.childCount);
            EXPECT_EQ(found.depth, place == 0 ? 0 : TreePlaceOf(found.parent, places).depth + 1);
            deepest = std::max(deepest, found.depth);
        }
        EXPECT_GE(1U << deepest, places);
        EXPECT_LT(1U << deepest, 2 * places);
    }
}

/* By hand, of 6: 4 is the largest power of two, below 0; 2 and 5 (4 + 2 is none, 4 + 1 is) below 4;
 * 1 and 3 below 2. */
TEST(TreePlace, HasTheTreeOfSix)
{
    const std::vector<Rank> parents{0, 2, 4, 2, 0, 4};
    for (Rank place = 0; place < 6; ++place)
    {
        EXPECT_EQ(TreePlaceOf(place, 6).parent, parents[place]) << place;
    }
}

/* Inside one tree, a leaf of the other: all but one worker of an odd number. A worker that is inside with
 * c children in one tree, and a leaf in the other, sends m (c + 1) + m, with c = 2 (or 1 at the edges):
 * never more than 4 m = 2 n. */
TEST(DoubleTree, NobodySendsMoreThanTwiceTheTensor)
{
    for (Rank workers = 2; workers <= 33; ++workers)
    {
        const auto plan = MakeDoubleTree(TreeOf(workers, 10), 100);
        ASSERT_EQ(plan->ChannelCount(), 2U);
        for (Rank worker = 0; worker < workers; ++worker)
        {
            EXPECT_LE(LoadOf(*plan, worker).gradient.sentElements, 200U) << worker;
        }
    }
}

/* A leaf sends its half up; the root of the first tree, worker 0, its half to one child, the place of
 * the largest power of two. Worker 3 of 4 is the second tree's root, and worker 3 - 2 below it. */
TEST(DoubleTree, EachTreeHasItsHalf)
{
    const auto plan = MakeDoubleTree(TreeOf(4, 5), 11);
    EXPECT_EQ(SentTo(plan->Channel(0), 0), (std::map<Rank, std::uint64_t>{{2, 6}}));
    EXPECT_EQ(SentTo(plan->Channel(0), 1), (std::map<Rank, std::uint64_t>{{2, 6}}));
    EXPECT_EQ(SentTo(plan->Channel(0), 2), (std::map<Rank, std::uint64_t>{{0, 6}, {1, 6}, {3, 6}}));
    EXPECT_EQ(SentTo(plan->Channel(1), 3), (std::map<Rank, std::uint64_t>{{1, 5}}));
    EXPECT_EQ(SentTo(plan->Channel(1), 1), (std::map<Rank, std::uint64_t>{{3, 5}, {2, 5}, {0, 5}}));
}

/* Odd: moved by one, so place 0 of the second tree is worker 1, above worker 1 + 2. */
TEST(DoubleTree, AnOddNumberIsMovedByOne)
{
    const auto plan = MakeDoubleTree(TreeOf(3, 100), 10);
    EXPECT_EQ(SentTo(plan->Channel(1), 1), (std::map<Rank, std::uint64_t>{{0, 5}}));
    EXPECT_EQ(SentTo(plan->Channel(1), 2), (std::map<Rank, std::uint64_t>{{0, 5}}));
}

/* 4 workers: depth 2; 11 values in the first tree's half of 6: 3 chunks of 2. Steps: K + 2 D - 1 = 6.
 * Leaf 1 sends chunk k in step k; 2 receives it there, sends it on in k + 1; 0 sends it back in k + 2, 2
 * in k + 3, where 1 receives it. */
TEST(DoubleTree, ChunksFollowEachOther)
{
    const auto plan = MakeDoubleTree(TreeOf(4, 2), 11);
    const auto& tree = plan->Channel(0);
    ASSERT_EQ(tree.StepCount(1), 6U);
    const ElementRange second{2, 2};
    EXPECT_EQ(tree.At(1, 1).sends, (std::vector<Transfer>{{2, second, PayloadKind::GRADIENT}}));
    EXPECT_EQ(tree.At(2, 1).receives[0], (Transfer{1, second, PayloadKind::GRADIENT}));
    EXPECT_EQ(tree.At(2, 1).receives[0].combine, Combine::ADD);
    EXPECT_EQ(tree.At(2, 2).sends[0], (Transfer{0, second, PayloadKind::GRADIENT}));
    EXPECT_EQ(tree.At(0, 3).sends, (std::vector<Transfer>{{2, second, PayloadKind::GRADIENT}}));
    EXPECT_EQ(tree.At(2, 4).sends,
              (std::vector<Transfer>{{1, second, PayloadKind::GRADIENT},
                                     {3, second, PayloadKind::GRADIENT}}));
    EXPECT_EQ(tree.At(1, 4).receives, (std::vector<Transfer>{{2, second, PayloadKind::GRADIENT}}));
    EXPECT_EQ(tree.At(1, 4).receives[0].combine, Combine::STORE);
    EXPECT_TRUE(tree.At(0, 1).ownsResult); // a root does, alone
    EXPECT_FALSE(tree.At(2, 1).ownsResult);
    EXPECT_TRUE(plan->Channel(1).At(3, 1).ownsResult);
}

TEST(DoubleTree, RefusesMoreChunksThanCanBeCounted)
{
    EXPECT_THROW(MakeDoubleTree(TreeOf(4, 1), 1ULL << 40U), InputError);
}

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
    const std::vector<Transfer> sends{{0, {0, 6}, PayloadKind::GRADIENT},
                                      {3, {8, 2}, PayloadKind::GRADIENT},
                                      {3, {6, 2}, PayloadKind::GRADIENT},
                                      {0, {6, 4}, PayloadKind::GRADIENT}};
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

/* SumPhase in two steps each, of 4 workers: what a worker has summed at the end is what it hands on at first. */
TEST(HalvingDoubling, HasPhases)
{
    auto spec = Spec(4);
    spec.sharded = true;
    spec.phase = SumPhase::REDUCE_SCATTER;
    const auto halving = MakeHalvingDoubling(spec, 1000);
    spec.phase = SumPhase::ALL_GATHER;
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
    EXPECT_EQ(plan->At(0, 0).sends, (std::vector<Transfer>{{1, all, PayloadKind::GRADIENT}}));
    EXPECT_EQ(plan->At(0, 1).receives, (std::vector<Transfer>{{1, all, PayloadKind::GRADIENT}}));
    ASSERT_EQ(plan->StepCount(1), 6U);
    EXPECT_EQ(plan->At(1, 0).receives[0].combine, Combine::ADD);
    EXPECT_EQ(plan->At(1, 1).sends[0].peer, 2U);
    EXPECT_EQ(plan->At(1, 2).sends[0].peer, 3U);
    EXPECT_EQ(plan->At(1, 5).sends, (std::vector<Transfer>{{0, all, PayloadKind::GRADIENT}}));
    EXPECT_EQ(plan->StepCount(4), 4U);
}

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
    EXPECT_EQ(plan->At(1, 0).sends, (std::vector<Transfer>{{3, all, PayloadKind::GRADIENT}}));
    EXPECT_EQ(plan->At(1, 1).receives, (std::vector<Transfer>{{3, all, PayloadKind::GRADIENT}}));
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
              (std::vector<Transfer>{{5, {6, 2}, PayloadKind::GRADIENT},
                                     {3, {0, 3}, PayloadKind::GRADIENT},
                                     {4, {3, 3}, PayloadKind::GRADIENT},
                                     {6, {8, 2}, PayloadKind::GRADIENT}}));
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
