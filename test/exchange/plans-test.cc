/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The plans of all exchanges, and the pieces of which they are made, step by step.
// exchange-properties-test.cc compares what all ranks move together with closed forms.
#include "base/errors.h"
#include "exchange/all-exchanges.h"
#include "exchange/composed-plan.h"
#include "exchange/listed-plan.h"
#include "exchange/pieces.h"
#include "exchange/rank-load.h"
#include "exchange/shards.h"
#include "support/why-not.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

using Plan = std::unique_ptr<StepPlan>;

/** Steps with "; " between them. */
std::string
StepsOf(std::uint32_t count, const std::function<Step(std::uint32_t step)>& at)
{
    std::string text;
    for (std::uint32_t step = 0; step < count; ++step)
    {
        text += (step == 0 ? "" : "; ") + TextOf(at(step));
    }
    return text;
}

std::string
StepsOf(const StepPlan& plan, Rank rank)
{
    return StepsOf(plan.StepCount(rank), [&](std::uint32_t step) { return plan.At(rank, step); });
}

std::string
StepsOf(const Piece& piece, Rank position)
{
    return StepsOf(piece.stepCount(position),
                   [&](std::uint32_t step) { return piece.at(position, step); });
}

ExchangeSpec
RingOf(Rank workers, std::uint32_t channels = 1, std::uint64_t chunkElements = 0)
{
    ExchangeSpec spec;
    spec.workers = workers;
    spec.ringChannels = channels;
    spec.ringChunkElements = chunkElements;
    return spec;
}

ExchangeSpec
TreeOf(Rank workers, std::uint64_t chunkElements)
{
    ExchangeSpec spec{"tree", workers};
    spec.treeChunkElements = chunkElements;
    return spec;
}

ExchangeSpec
ServersOf(Rank workers, std::optional<Rank> servers)
{
    return {"sharded-parameter-server", workers, "flat", 2, servers};
}

ExchangeSpec
Sharded(ExchangeSpec spec, SumPhase phase = SumPhase::ALL_REDUCE)
{
    spec.sharded = true;
    spec.phase = phase;
    return spec;
}

} // namespace

/*
 * What single ranks do, by hand:
 *
 * ring of 3, 7 elements in blocks of 3, 2, 2. Worker 1 sends block 1 and adds block 0, then sends 0 and adds 2, which it
 * owns; then sends 2 and stores 1, sends 1 and stores 0. In two channels of 11: 0..5 and 6..10. In turns of 2 * 2 of
 * 10: 0..3, 4..7, 8..9. A chunk of more than a block is a block.
 *
 * tree of 4: depth 2; 11 values in the first tree's half of 6: 3 chunks of 2, K + 2 D - 1 = 6 steps. Worker 1, a leaf,
 * sends chunk k in step k; 2 adds it there, sends it on in k + 1; 0 sends it back in k + 2, 2 in k + 3. The second tree
 * of 5 has the reverse order: worker 3 is its root, and worker 1 below it, which does as 2 does in the first.
 *
 * halving and doubling of 4, 10 values in blocks of 3, 3, 2, 2: worker 1 gives the lower half to 0, keeps 6..9, gives of
 * those 8..9 to 3 (bit 1 of 3 is set: it keeps the upper quarter), so it owns block 2. Of 5: 0 is beyond, and 1 takes
 * its gradients; the members are 1, 2, 3, 4. Recursive doubling goes the same way with all values.
 *
 * servers: 10 values in 4 blocks of 3, 3, 2, 2; worker 2 of 3 begins with server 2, which is rank 5; server 3 is a round
 * of its own. Of 4 workers and 2 servers (ranks 4, 5) server 0 serves 0, 1, 2, 3 in slots 0 to 3, server 1 serves
 * 1, 2, 3, 0: worker 0 gets from 4 first, worker 1 from 5.
 *
 * hierarchical-aggregator of 3 groups of 4: worker 4 leads 4..7: 3 + 3 steps of the ring, then it sends to the aggregator,
 * gets the weights, and sends them to 5, 6, 7. hierarchical-ring of 2 groups of 4: a leader does 6 steps in its group,
 * 2 among leaders, 3 to scatter, 3 to gather; other members 6 steps, one block of the leader, 3 to gather; they own nothing.
 *
 * switches: one step, or one to reduce and scatter and one to gather.
 */
TEST(Plans, AreAsByHand)
{
    const std::tuple<ExchangeSpec, std::uint64_t, Rank, const char*> rows[] = {
        {RingOf(3), 7, 1, ">2:3-5 +0:0-3; >2:0-3 +0:5-7 own; >2:5-7 <0:3-5; >2:3-5 <0:0-3"},
        {Sharded(RingOf(3)),
         7,
         1,
         ">2:3-5 +0:0-3; >2:0-3 +0:5-7 update; >2:5-7w <0:3-5w; >2:3-5w <0:0-3w"},
        {Sharded(RingOf(3), SumPhase::REDUCE_SCATTER), 7, 1, ">2:3-5 +0:0-3; >2:0-3 +0:5-7 update"},
        {Sharded(RingOf(3), SumPhase::ALL_GATHER), 7, 1, ">2:5-7w <0:3-5w; >2:3-5w <0:0-3w"},
        {RingOf(2, 2),
         11,
         0,
         ">1:0-3 +1:3-6 own; >1:3-6 <1:0-3; >1:6-9 +1:9-11 own; >1:9-11 <1:6-9"},
        {RingOf(2, 1, 2),
         10,
         0,
         ">1:0-2 +1:2-4 own; >1:2-4 <1:0-2; >1:4-6 +1:6-8 own; >1:6-8 <1:4-6; >1:8-9 +1:9-10 own; "
         ">1:9-10 <1:8-9"},
        {RingOf(2, 1, 1'000'000), 10, 0, ">1:0-5 +1:5-10 own; >1:5-10 <1:0-5"},
        {TreeOf(4, 2),
         6 + 5,
         1,
         ">2:0-2; >2:2-4; >2:4-6; <2:0-2; <2:2-4; <2:4-6; +2:6-8 +0:6-8; >3:6-8 +2:8-10 +0:8-10; "
         ">3:8-10 +2:10-11 +0:10-11 <3:6-8; >3:10-11 >2:6-8 >0:6-8 <3:8-10; >2:8-10 >0:8-10 "
         "<3:10-11; >2:10-11 >0:10-11"},
        {{"halving-doubling", 4},
         10,
         1,
         ">0:0-6 +0:6-10; >3:8-10 +3:6-8 own; >3:6-8 <3:8-10; >0:6-10 <0:0-6"},
        {Sharded({"halving-doubling", 4}),
         8,
         1,
         ">0:0-4 +0:4-8; >3:6-8 +3:4-6 update; >3:4-6w <3:6-8w; >0:4-8w <0:0-4w"},
        {Sharded({"halving-doubling", 4}, SumPhase::REDUCE_SCATTER),
         8,
         1,
         ">0:0-4 +0:4-8; >3:6-8 +3:4-6 update"},
        {Sharded({"halving-doubling", 4}, SumPhase::ALL_GATHER),
         8,
         1,
         ">3:4-6w <3:6-8w; >0:4-8w <0:0-4w"},
        {{"halving-doubling", 5}, 8, 0, ">1:0-8; <1:0-8"},
        {{"halving-doubling", 5},
         8,
         1,
         "+0:0-8; >2:4-8 +2:0-4; >3:2-4 +3:0-2 own; >3:0-2 <3:2-4; >2:0-4 <2:4-8; >0:0-8"},
        {{"recursive-doubling", 4}, 8, 1, ">0:0-8 +0:0-8; >3:0-8 +3:0-8"},
        {{"recursive-doubling", 5}, 8, 0, ">1:0-8; <1:0-8"},
        {{"recursive-doubling", 5}, 8, 1, "+0:0-8; >2:0-8 +2:0-8; >3:0-8 +3:0-8; >0:0-8"},
        // spec.servers means nothing to it
        {{"parameter-server", 3, "flat", 2, 5}, 10, 1, ">3:0-10; <3:0-10"},
        {{"parameter-server", 3, "flat", 2, 5},
         10,
         3,
         "<0:0-10 +1:0-10 +2:0-10; >0:0-10 >1:0-10 >2:0-10"},
        {ServersOf(3, 4), 10, 2, ">5:6-8 >3:0-3 >4:3-6 >6:8-10; <5:6-8; <4:3-6; <3:0-3; <6:8-10"},
        {ServersOf(4, 2), 10, 4, "<0:0-5 +1:0-5 +2:0-5 +3:0-5; >0:0-5 >1:0-5 >2:0-5 >3:0-5"},
        {ServersOf(4, 2),
         10,
         5,
         "<0:5-10 +1:5-10 +2:5-10 +3:5-10; >1:5-10 >2:5-10 >3:5-10 >0:5-10"},
        {ServersOf(4, 2), 10, 0, ">4:0-5 >5:5-10; <4:0-5; <5:5-10"},
        {ServersOf(4, 2), 10, 1, ">5:5-10 >4:0-5; <5:5-10; <4:0-5"},
        {{"hierarchical-aggregator", 12, "flat", 4},
         8,
         4,
         ">5:0-2 +7:6-8; >5:6-8 +7:4-6; >5:4-6 +7:2-4; >5:2-4 <7:0-2; >5:0-2 <7:6-8; >5:6-8 "
         "<7:4-6; >12:0-8; <12:0-8w; >5:0-8w; >6:0-8w; >7:0-8w"},
        {{"hierarchical-aggregator", 12, "binomial", 4},
         8,
         12,
         "<0:0-8 +4:0-8 +8:0-8 update; >4:0-8w; >0:0-8w"},
        {{"hierarchical-ring", 8, "flat", 4},
         8,
         4,
         ">5:0-2 +7:6-8; >5:6-8 +7:4-6; >5:4-6 +7:2-4; >5:2-4 <7:0-2; >5:0-2 <7:6-8; >5:6-8 "
         "<7:4-6; >0:4-8 +0:0-4 own; >0:0-4 <0:4-8; >5:2-4; >6:4-6; >7:6-8; >5:0-2 <7:6-8; >5:6-8 "
         "<7:4-6; >5:4-6 <7:2-4"},
        {{"hierarchical-ring", 8, "flat", 4},
         8,
         6,
         ">7:4-6 +5:2-4; >7:2-4 +5:0-2; >7:0-2 +5:6-8; >7:6-8 <5:4-6; >7:4-6 <5:2-4; >7:2-4 "
         "<5:0-2; <4:4-6; >7:4-6 <5:2-4; >7:2-4 <5:0-2; >7:0-2 <5:6-8"},
        {{"switch-tree", 5}, 33, 4, "sum 0-33"},
        {Sharded({"switch-slots", 5}), 33, 4, "scatter 0-33 update; gather 0-33"},
        {Sharded({"switch-slots", 5}, SumPhase::REDUCE_SCATTER), 33, 4, "scatter 0-33 update"},
        {Sharded({"switch-slots", 5}, SumPhase::ALL_GATHER), 33, 4, "gather 0-33"},
    };
    for (const auto& [spec, elements, rank, steps] : rows)
    {
        EXPECT_EQ(StepsOf(*MakeStepPlan(spec, elements), rank), steps)
            << Describe(spec, elements) << ", rank " << rank;
    }
}

/* Pieces, of which the ring's also with an empty block (2 elements of 3 members), and an all-gather of own blocks. The
 * binomial tree is MPICH's: 0 -> 4, 2, 1; 4 -> 6, 5; 2 -> 3; 6 -> 7; of 5 members only those that are there. */
TEST(Pieces, AreAsByHand)
{
    const std::tuple<const char*, Piece, Rank, const char*> rows[] = {
        {"intermediate sums",
         RingReduceScatter(3, 2, RingSums::INTERMEDIATE),
         2,
         ">0:2-2 +1:1-2; >0:1-2 +1:0-1"},
        {"own blocks", RingAllGather(3, 7, 0), 2, ">0:5-7 <1:3-5; >0:3-5 <1:0-3"},
        {"sum", SumAtRoot(4, 9), 0, "<1:0-9 +2:0-9 +3:0-9 update"},
        {"sum", SumAtRoot(4, 9), 3, ">0:0-9"},
        {"scatter", Scatter(4, 10), 0, ">1:3-6; >2:6-8; >3:8-10"},
        {"scatter", Scatter(4, 10), 2, "<0:6-8"},
        {"flat", Broadcast({"", 4, "flat"}, 4, 10), 0, ">1:0-10w; >2:0-10w; >3:0-10w"},
        {"flat", Broadcast({"", 4, "flat"}, 4, 10), 2, "<0:0-10w"},
        {"binomial", Broadcast({"", 4, "binomial"}, 8, 1), 0, ">4:0-1w; >2:0-1w; >1:0-1w"},
        {"binomial", Broadcast({"", 4, "binomial"}, 8, 1), 4, "<0:0-1w; >6:0-1w; >5:0-1w"},
        {"binomial", Broadcast({"", 4, "binomial"}, 8, 1), 2, "<0:0-1w; >3:0-1w"},
        {"binomial", Broadcast({"", 4, "binomial"}, 8, 1), 7, "<6:0-1w"},
        {"binomial of 5", Broadcast({"", 4, "binomial"}, 5, 1), 2, "<0:0-1w; >3:0-1w"},
        {"binomial of 5", Broadcast({"", 4, "binomial"}, 5, 1), 4, "<0:0-1w"},
    };
    for (const auto& [what, piece, position, steps] : rows)
    {
        EXPECT_EQ(StepsOf(piece, position), steps) << what << ", position " << position;
    }
    EXPECT_EQ(WhyNot([] {
                  Broadcast({"", 4, "binomal"}, 3, 1);
              }),
              "exchange.broadcast: unknown 'binomal'; did you mean 'binomial'?");
}

/* Ranks 0, 10 and 13 gather at 10 and get the result back; rank 10 is position 0. */
TEST(ComposedPlan, ExecutesItsPartsWithRanksForPositions)
{
    const auto seatOf = [](Rank rank) -> std::optional<Seat> {
        const Lineup lineup{10, 0, 13};
        for (const Rank position : {0U, 1U, 2U})
        {
            if (lineup.At(position) == rank)
            {
                return Seat{lineup, position};
            }
        }
        return std::nullopt;
    };
    const ComposedPlan plan(
        14, 0, 5, {{SumAtRoot(3, 5), seatOf}, {Broadcast({"", 4, "flat"}, 3, 5), seatOf}});
    EXPECT_EQ(StepsOf(plan, 10), "<0:0-5 +13:0-5 update; >0:0-5w; >13:0-5w");
    EXPECT_EQ(StepsOf(plan, 13), ">10:0-5; <10:0-5w");
    EXPECT_EQ(plan.StepCount(5), 0U); // it takes no part
    EXPECT_THROW(plan.At(13, 2), InvariantError);
}

/* 11 values of 3 workers in 2 channels: 0 .. 5 and 6 .. 10; of 3 blocks, the second channel's first is 6 .. 7. Two values
 * have no use for a third channel; three are a block of one value for each of three workers. */
TEST(ChannelPlan, HasItsChannelsOneAfterTheOther)
{
    const auto plan = MakeStepPlan(RingOf(3, 2), 11);
    ASSERT_EQ(plan->ChannelCount(), 2U);
    ASSERT_EQ(plan->StepCount(0), 2U * 4);
    EXPECT_EQ(TextOf(plan->At(0, 4)), ">1:6-8 +2:10-11");
    EXPECT_EQ(TextOf(plan->Channel(1).At(0, 0)), ">1:6-8 +2:10-11");
    EXPECT_EQ(plan->Channel(1).StepCount(0), 4U);
    EXPECT_EQ(plan->Channel(1).Elements(), 11U);
    EXPECT_THROW(plan->At(0, 8), InvariantError);
    const auto plain = MakeStepPlan(RingOf(3), 11);
    EXPECT_EQ(&plain->Channel(0), plain.get());
    for (const auto& [elements, channels] :
         std::vector<std::pair<std::uint64_t, std::uint32_t>>{{2, 2}, {3, 1}, {0, 1}, {11, 4}})
    {
        EXPECT_EQ(MakeStepPlan(RingOf(3, 4), elements)->ChannelCount(), channels);
    }
}

/* 2^40 values in chunks of 1, or of 4, are more than 10,000,000 steps. */
TEST(Plans, OfMoreStepsThanCanBeCountedAreRefused)
{
    for (const auto& spec : {RingOf(64, 1, 1), TreeOf(4, 1)})
    {
        EXPECT_THROW(MakeStepPlan(spec, 1ULL << 40U), InputError) << spec.algorithm;
    }
}

/* Worker i of N sends 2 n - B(i+1) - B(i+2), receives 2 n - B(i) - B(i+1), adds n - B(i). */
TEST(Ring, MovesWhatItsClosedFormSays)
{
    for (Rank workers = 2; workers <= 9; ++workers)
    {
        for (const std::uint64_t n : {0, 5, 1000, 1003})
        {
            const auto ring = MakeStepPlan(RingOf(workers), n);
            const auto block = [&](Rank index) {
                return BlockOf(n, workers, index % workers).count;
            };
            for (Rank i = 0; i < workers; ++i)
            {
                const auto load = LoadOf(*ring, i);
                EXPECT_EQ(load.gradient.sentElements, 2 * n - block(i + 1) - block(i + 2));
                EXPECT_EQ(load.gradient.receivedElements, 2 * n - block(i) - block(i + 1));
                EXPECT_EQ(load.addedElements, n - block(i));
                EXPECT_EQ(load.gradient.sentMessages, 2U * (workers - 1));
                EXPECT_EQ(load.weight.sentMessages, 0U);
            }
        }
    }
}

/*
 * Of one chunk, a worker adds what its children send, and stores what comes from its parent: at depth d of D in step D + d - 1
 * of 2 D. Children are those whose parent it is, at most two, one step further from the one root; the farthest of N
 * workers is ceil(log2 N) away. By hand, of 6: 4 is the largest power of two, below 0; 2 and 5 (4 + 2 is none, 4 + 1 is)
 * below 4; 1 and 3 below 2. The second tree of an even number is reversed, that of an odd one is moved by one. Inside one
 * tree, a leaf of the other: nobody sends more than twice the tensor.
 */
TEST(Tree, IsBinaryAndAsDeepAsALogarithm)
{
    using Parents = std::vector<Rank>;
    for (Rank workers = 2; workers <= 130; ++workers)
    {
        const auto plan = MakeStepPlan(TreeOf(workers, 100), 20);
        ASSERT_EQ(plan->ChannelCount(), 2U);
        const auto depth = plan->Channel(0).StepCount(0) / 2;
        EXPECT_GE(1U << depth, workers);
        EXPECT_LT(1U << depth, 2 * workers);
        for (const std::uint32_t tree : {0U, 1U})
        {
            Parents parents(workers, workers); // of the root: none
            std::vector<std::uint32_t> depths(workers, 0);
            std::vector<std::set<Rank>> children(workers);
            for (Rank worker = 0; worker < workers; ++worker)
            {
                for (std::uint32_t step = 0; step < 2 * depth; ++step)
                {
                    for (const auto& receive : plan->Channel(tree).At(worker, step).receives)
                    {
                        if (receive.combine == Combine::ADD)
                        {
                            children[worker].insert(receive.peer);
                            continue;
                        }
                        parents[worker] = receive.peer;
                        depths[worker] = step + 1 - depth;
                    }
                }
                EXPECT_LE(children[worker].size(), 2U);
                EXPECT_LE(LoadOf(*plan, worker).gradient.sentElements, 40U);
            }
            EXPECT_EQ(std::count(parents.begin(), parents.end(), workers), 1);
            for (Rank worker = 0; worker < workers; ++worker)
            {
                for (const auto child : children[worker])
                {
                    EXPECT_EQ(parents[child], worker);
                    EXPECT_EQ(depths[child], depths[worker] + 1);
                }
            }
            EXPECT_TRUE(workers != 6 || parents == (tree == 0 ? Parents{6, 2, 4, 2, 0, 4}
                                                              : Parents{1, 5, 3, 1, 3, 6}));
            EXPECT_TRUE(workers != 3 ||
                        parents == (tree == 0 ? Parents{3, 2, 0} : Parents{1, 3, 0}));
        }
    }
}

/* Workers send and receive n in S messages, server s receives and sends W B(s) and adds (W - 1) B(s);
 * it encodes what it returns once, a worker everything that it sends. */
TEST(ParameterServer, MovesWhatItsClosedFormSays)
{
    constexpr std::uint64_t n = 1003; // which 2, 4, 5 and 7 do not divide
    for (const auto& [workers, servers] :
         std::vector<std::pair<Rank, Rank>>{{2, 1}, {4, 2}, {4, 4}, {7, 4}, {3, 5}, {5, 2000}})
    {
        const auto plan = MakeStepPlan(ServersOf(workers, servers), n);
        for (Rank worker = 0; worker < workers; ++worker)
        {
            const auto load = LoadOf(*plan, worker);
            EXPECT_EQ(load.gradient.sentElements, n);
            EXPECT_EQ(load.gradient.sentMessages, servers);
            EXPECT_EQ(load.gradient.receivedElements, n);
            EXPECT_EQ(load.gradient.receivedMessages, servers);
            EXPECT_EQ(load.codedElements, n);
            EXPECT_EQ(load.addedElements, 0U);
        }
        for (Rank server = 0; server < servers; ++server)
        {
            const auto load = LoadOf(*plan, workers + server);
            const auto block = BlockOf(n, servers, server).count;
            EXPECT_EQ(load.gradient.receivedElements, workers * block);
            EXPECT_EQ(load.gradient.sentElements, workers * block);
            EXPECT_EQ(load.gradient.sentMessages, workers);
            EXPECT_EQ(load.codedElements, block);
            EXPECT_EQ(load.addedElements, (workers - 1) * block);
        }
    }
    EXPECT_EQ(MakeStepPlan(ServersOf(6, {}), 10)->RankCount(), 12U);
}

/* Slot (i - s) mod W of its round for server s and worker i: both ends go through theirs in ascending order,
 * so no circle of waits arises. */
TEST(ParameterServer, BothEndsKeepToTheTimetable)
{
    for (const auto& [workers, servers] :
         std::vector<std::pair<Rank, Rank>>{{5, 5}, {9, 4}, {3, 8}, {2, 1}, {4, 17}})
    {
        const auto plan = MakeStepPlan(ServersOf(workers, servers), 100);
        const auto slot = [w = workers](Rank worker, Rank server) {
            return server / w * w + (worker + w - server % w) % w;
        };
        for (Rank rank = 0; rank < plan->RankCount(); ++rank)
        {
            std::vector<Rank> slots;
            for (std::uint32_t step = 1; step < plan->StepCount(rank); ++step)
            {
                const auto at = plan->At(rank, step);
                for (const auto& receive : at.receives)
                {
                    slots.push_back(slot(rank, receive.peer - workers));
                }
                for (const auto& send : at.sends)
                {
                    slots.push_back(slot(send.peer, rank - workers));
                }
            }
            EXPECT_TRUE(std::is_sorted(slots.begin(), slots.end())) << workers << " " << servers;
        }
    }
}

TEST(ShardsOf, AreWhatWorkersEndWith)
{
    constexpr auto scatters = SumPhase::REDUCE_SCATTER;
    const std::tuple<ExchangeSpec, std::uint64_t, Shards> rows[] = {
        // A block goes round from the worker that it is named after, and ends with the one before it.
        {Sharded(RingOf(4), scatters), 12, {{{3, 3}}, {{6, 3}}, {{9, 3}}, {{0, 3}}}},
        // Two channels of 6, and a block of each.
        {Sharded(RingOf(3, 2), scatters),
         12,
         {{{2, 2}, {8, 2}}, {{4, 2}, {10, 2}}, {{0, 2}, {6, 2}}}},
        // Chunks of 2: turns of 6, 6 and 3.
        {Sharded(RingOf(3, 1, 2), scatters),
         15,
         {{{2, 2}, {8, 2}, {13, 1}}, {{4, 2}, {10, 2}, {14, 1}}, {{0, 2}, {6, 2}, {12, 1}}}},
        // A member's bits, reversed: 0, 2, 1, 3.
        {Sharded({"halving-doubling", 4}, scatters), 8, {{{0, 2}}, {{4, 2}}, {{2, 2}}, {{6, 2}}}},
        {Sharded({"switch-slots", 3}, scatters), 6, {{{0, 2}}, {{2, 2}}, {{4, 2}}}},
        // Where all get all, they are blocks.
        {RingOf(3), 6, {{{0, 2}}, {{2, 2}}, {{4, 2}}}},
    };
    for (const auto& [spec, elements, expected] : rows)
    {
        EXPECT_EQ(ShardsOf(*MakeStepPlan(spec, elements)), expected) << Describe(spec, elements);
    }
    EXPECT_EQ(TotalCount(ShardsOf(*MakeStepPlan(Sharded(RingOf(3), scatters), 0))), 0U);
    // 7 elements in 4 blocks are 2, 2, 2 and 1: shards must be equal.
    EXPECT_THROW(ShardsOf(*MakeStepPlan(Sharded({"halving-doubling", 4}, scatters), 7)),
                 InvariantError);
}

} // namespace inca
