/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What rows of the catalogue say of how their ranks are alike, beside their plans.
#include "exchange/communicators.h"
#include "exchange/composed-plan.h"
#include "exchange/exchange-catalog.h"
#include "exchange/listed-plan.h"
#include "exchange/shift-symmetry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

/** A prime, so that what makes equal blocks is padding alone. */
constexpr std::uint64_t ELEMENTS{27'733};

/** A step with its peers @p moved, without places; what is received together may be added up in another order. */
template <typename Moved>
std::string
ShapeOf(Step step, const Moved& moved)
{
    std::uint32_t added = 0;
    for (auto* transfers : {&step.sends, &step.receives})
    {
        for (auto& transfer : *transfers)
        {
            added += transfer.combine == Combine::ADD ? 1 : 0;
            transfer = {moved(transfer.peer), {0, transfer.range.count}, transfer.kind};
        }
    }
    std::sort(step.receives.begin(), step.receives.end(), [](const auto& a, const auto& b) {
        return a.peer < b.peer;
    });
    return TextOf(step) + ", adds " + std::to_string(added);
}

std::shared_ptr<const StepPlan>
PlanOf(const ExchangeSpec& spec, const ShiftSymmetry& symmetry)
{
    return InterleavedPlan(MakeStepPlan(spec, PaddedElements(spec, ELEMENTS)), symmetry.rows);
}

/** Every rank's plan is that of whoever stands for it, with every peer moved as it is, which SenderSeen undoes. */
void
ExpectSymmetric(const ExchangeSpec& spec, const ShiftSymmetry& symmetry, bool alternates)
{
    const auto plan = PlanOf(spec, symmetry);
    EXPECT_EQ(ContradictionTo(symmetry, *plan), "");
    const auto ranks = plan->RankCount();
    const auto period = symmetry.period;
    ASSERT_EQ(ranks % period, 0U);
    for (Rank rank = 0; rank < ranks; ++rank)
    {
        const auto standsIn = rank % period;
        const auto shift = rank - standsIn;
        const auto moved = [&](Rank peer) {
            const auto there = symmetry.Moved(peer, shift, ranks);
            EXPECT_EQ(SenderSeen(there, rank, period, ranks, symmetry), peer);
            return there;
        };
        ASSERT_EQ(plan->StepCount(rank), plan->StepCount(standsIn));
        for (std::uint32_t step = 0; step < plan->StepCount(rank); ++step)
        {
            const auto own = plan->At(standsIn, step);
            const auto other = plan->At(rank, step);
            EXPECT_EQ(ShapeOf(own, moved), ShapeOf(other, [](Rank peer) { return peer; }));
            EXPECT_TRUE(!alternates || own.receiveFirst == other.receiveFirst);
        }
    }
}

/** All whom a rank hears from, by data or acknowledgements, are periods apart. */
void
ExpectOneSender(const ExchangeSpec& spec, const ShiftSymmetry& symmetry)
{
    const auto period = symmetry.period;
    const auto plan = PlanOf(spec, symmetry);
    for (Rank rank = 0; rank < plan->RankCount(); ++rank)
    {
        std::set<Rank> senders;
        for (std::uint32_t step = 0; step < plan->StepCount(rank); ++step)
        {
            const auto own = plan->At(rank, step);
            for (const auto* transfers : {&own.sends, &own.receives})
            {
                for (const auto& transfer : *transfers)
                {
                    senders.insert(transfer.peer % period);
                }
            }
        }
        EXPECT_LE(senders.size(), 1U) << rank;
    }
}

} // namespace

TEST(ShiftSymmetry, HoldsOfEveryRowThatSaysSo)
{
    std::uint32_t checked = 0;
    for (const auto& entry : ExchangeCatalog().Rows())
    {
        for (const Rank workers : {2U, 3U, 4U, 6U, 7U, 8U, 9U, 12U})
        {
            for (const bool alternates : {false, true})
            {
                ExchangeSpec spec;
                spec.algorithm = entry.name;
                spec.workers = workers;
                spec.groupSize = workers % 3 == 0 ? 3 : 2;
                const auto symmetry =
                    ComplaintsOf(spec).empty() ? SymmetryOf(spec, alternates) : ShiftSymmetry{};
                if (symmetry.period > 0)
                {
                    SCOPED_TRACE(entry.name + " of " + std::to_string(workers));
                    ExpectSymmetric(spec, symmetry, alternates);
                    if (symmetry.oneSender)
                    {
                        ExpectOneSender(spec, symmetry);
                    }
                    ++checked;
                }
            }
        }
    }
    // ring: 8, and the 5 even ones that alternate; slots and trees: 16 each; hierarchical ring: 4 in 2s,
    // 6 in 3s, 8 in 2s, 9 in 3s, 12 in 3s, and those of them with 2 or 4 groups that alternate: 4; halving and
    // doubling, and doubling alone: 2, 4 and 8; as many servers as workers: 8; two shots: 2 of 2, 3 of 3, 4, 6, 8, 9, 12,
    // whether or not they alternate
    EXPECT_EQ(checked, 8U + 5U + 16U + 16U + 5U + 4U + 3U + 3U + 8U + 14U);
}

/*
 * Where both exchanges look the same from all their ranks, all workers do the same, moved within their group and with it; else
 * groups do, as with rings of three that alternate.
 */
TEST(ShiftSymmetry, HoldsInGroups)
{
    std::uint32_t alike = 0;
    std::uint32_t inWhole = 0;
    for (const auto& [exchange, ofReplicas] :
         std::vector<std::pair<std::string, std::string>>{{"ring", "ring"},
                                                          {"halving-doubling", "halving-doubling"},
                                                          {"halving-doubling", "ring"},
                                                          {"two-shot", "two-shot"}})
    {
        for (const auto& [workers, group] : std::vector<std::pair<Rank, Rank>>{
                 {4, 2}, {6, 2}, {6, 3}, {8, 2}, {8, 4}, {12, 3}, {16, 4}})
        {
            for (const auto phase : {SumPhase::REDUCE_SCATTER, SumPhase::ALL_GATHER})
            {
                for (const bool alternates : {false, true})
                {
                    ExchangeSpec spec;
                    spec.algorithm = exchange;
                    spec.replicaAlgorithm = ofReplicas;
                    spec.workers = spec.groupSize = workers;
                    spec.shardGroup = group;
                    spec.sharded = true;
                    spec.phase = phase;
                    const auto symmetry =
                        ComplaintsOf(spec).empty() ? SymmetryOf(spec, alternates) : ShiftSymmetry{};
                    if (symmetry.period > 0)
                    {
                        SCOPED_TRACE(exchange + " of " + std::to_string(workers));
                        ExpectSymmetric(spec, symmetry, alternates);
                        alike += symmetry.period == 1 ? 1 : 0;
                        inWhole += symmetry.period == group ? 1 : 0;
                    }
                }
            }
        }
    }
    // In two phases, unless hosts alternate: 7 rings, and the 4 of halving and doubling whose sizes are powers of two. Where its 5
    // groups have rings between them, whole groups do the same. Of two-shots nothing is said.
    EXPECT_EQ(alike, 2U * (7 + 4));
    EXPECT_EQ(inWhole, 2U * 5);
}

/* Of 4 workers: worker 3 of a ring sends to 0, as each to the next; in a double tree each has its own place. */
TEST(ShiftSymmetry, IsContradictedByPlans)
{
    const auto of = [](const char* algorithm, ShiftSymmetry symmetry) {
        return ContradictionTo(symmetry, *MakeStepPlan({algorithm, 4}, 400));
    };
    EXPECT_EQ(of("ring", {1}), "");
    EXPECT_EQ(of("ring", {2}), ""); // neighbours are both odd, or both even
    EXPECT_EQ(of("ring", {3}), "its period, 3, does not divide 4 ranks");
    EXPECT_EQ(of("ring", {1, true, true}),
              "step 0 of rank 1 is not that of rank 0"); // 1 xor 1 is 0, and 1 sends to 2
    EXPECT_EQ(of("tree", {1}), "step 0 of rank 1 is not that of rank 0");
    EXPECT_EQ(of("halving-doubling", {1}),
              "step 0 of rank 1 is not that of rank 0"); // 1 swaps with 0
    EXPECT_EQ(of("halving-doubling", {1, true, true}), "");
}

/* Of 16 ranks that are said to be 8 kinds, each swaps with its neighbour, but rank 10 sends one element fewer than rank 2. */
TEST(ShiftSymmetry, IsContradictedByAnyKindOfRank)
{
    std::vector<std::vector<Step>> steps(16);
    for (Rank rank = 0; rank < 16; ++rank)
    {
        const std::uint64_t count = rank / 2 == 5 ? 99 : 100;
        Step swap;
        swap.sends = {{rank ^ 1U, {0, count}}};
        swap.receives = {{rank ^ 1U, {0, count}}};
        steps[rank] = {swap};
    }
    EXPECT_EQ(ContradictionTo({8}, ListedPlan(100, steps)),
              "step 0 of rank 10 is not that of rank 2");
}

/*
 * Neighbours in pairs: every second rank does the same. Ranks two apart in pairs: all do. Of both exchanges together every second
 * one does, and hears from its neighbour, which is odd if it is even, and from the other, which is even. A pair alone has no like.
 */
TEST(ShiftSymmetry, IsFoundInCommunicators)
{
    const std::shared_ptr<const StepPlan> ring = MakeStepPlan({"ring", 2}, 400);
    const auto of = [&](std::vector<Communicator> all) {
        return PlanOver(4, std::make_shared<const Communicators>(std::move(all)), {ring});
    };
    const auto neighbours = of({{0, 1}, {2, 3}});
    const auto apart = of({{0, 2}, {1, 3}});
    const auto alone = of({{0, 1}});
    const auto found = [](const std::vector<const StepPlan*>& plans) {
        const auto symmetry = FindSymmetry(plans);
        return std::pair(symmetry.period, symmetry.oneSender);
    };
    EXPECT_EQ(found({neighbours.get()}), std::pair(2U, true));
    EXPECT_EQ(found({apart.get()}), std::pair(1U, true));
    EXPECT_EQ(found({neighbours.get(), apart.get()}), std::pair(2U, false));
    EXPECT_EQ(found({alone.get()}).first, 0U);
}

TEST(ShiftSymmetry, HoldsOfChannelsAndTurns)
{
    const auto& ring = ExchangeCatalog().Find("ring");
    for (const std::uint32_t channels : {1U, 2U, 4U})
    {
        for (const std::uint64_t turn : {0U, 100U, 700U})
        {
            for (const bool sharded : {false, true})
            {
                for (const bool alternates : {false, true})
                {
                    ExchangeSpec spec;
                    spec.workers = 6;
                    spec.ringChannels = sharded ? channels + 4 : channels;
                    spec.ringChunkElements = turn;
                    spec.sharded = sharded;
                    const auto symmetry = ring.symmetry(spec, alternates);
                    ExpectSymmetric(spec, symmetry, alternates);
                }
            }
        }
    }
}

/* An odd ring that alternates has no period, nor have servers that are not as many as workers, or that alternate. */
TEST(ShiftSymmetry, IsNoneWhereRanksDiffer)
{
    struct Row
    {
        const char* algorithm;
        Rank workers;
        std::optional<Rank> servers;
        bool alternates;
        Rank period;
    };

    for (const auto& row : {Row{"ring", 5, {}, true, 0},
                            Row{"ring", 5, {}, false, 1},
                            Row{"sharded-parameter-server", 6, {}, false, 2},
                            Row{"sharded-parameter-server", 6, {}, true, 0},
                            Row{"sharded-parameter-server", 6, 1, false, 0},
                            Row{"sharded-parameter-server", 6, 5, false, 0},
                            Row{"sharded-parameter-server", 6, 12, false, 0}})
    {
        ExchangeSpec spec{row.algorithm, row.workers};
        spec.servers = row.servers;
        EXPECT_EQ(ExchangeCatalog().Find(row.algorithm).symmetry(spec, row.alternates).period,
                  row.period);
    }
}

/* Of 3 workers and 3 servers: 0, 3, 1, 4, 2, 5. */
TEST(ShiftSymmetry, TakesRanksFromRowsInTurn)
{
    const std::vector<Rank> ranks{0, 3, 1, 4, 2, 5};
    for (Rank place = 0; place < ranks.size(); ++place)
    {
        EXPECT_EQ(InterleavedRank(place, 6, 2), ranks[place]);
        EXPECT_EQ(InterleavedPlace(ranks[place], 6, 2), place);
        EXPECT_EQ(InterleavedRank(place, 6, 1), place);
        EXPECT_EQ(InterleavedPlace(place, 6, 1), place);
    }
}

/* 27,733 elements in 6 blocks are 27,738; in groups of 3 of 12 workers, 4 groups, lcm(3, 4) = 12 blocks: 27,744. */
TEST(PaddedElements, MakeEqualBlocks)
{
    struct Row
    {
        const char* algorithm;
        Rank workers;
        bool sharded;
        std::uint64_t padded;
    };

    for (const auto& row : {Row{"ring", 6, false, 27'738},
                            Row{"halving-doubling", 6, false, 27'736}, // 4 of them halve
                            Row{"hierarchical-ring", 12, false, 27'744},
                            Row{"hierarchical-aggregator", 12, false, 27'735},
                            Row{"sharded-parameter-server", 5, false, 27'735},
                            Row{"switch-slots", 6, false, 27'733},
                            Row{"switch-slots", 6, true, 27'738},
                            Row{"tree", 6, false, 27'733},
                            Row{"parameter-server", 6, false, 27'733}})
    {
        ExchangeSpec spec;
        spec.algorithm = row.algorithm;
        spec.workers = row.workers;
        spec.groupSize = 3;
        spec.sharded = row.sharded;
        EXPECT_EQ(PaddedElements(spec, ELEMENTS), row.padded) << row.algorithm;
        EXPECT_EQ(PaddedElements(spec, 0), 0U);
    }
}

} // namespace inca
