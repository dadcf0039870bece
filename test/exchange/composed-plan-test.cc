/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Plans that are composed of pieces: broadcasts, aggregators and hierarchies. exchange-properties-test.cc knows what they move in all.
#include "base/errors.h"
#include "exchange/broadcast.h"
#include "exchange/composed-plan.h"
#include "exchange/groups.h"
#include "exchange/hierarchical-aggregator.h"
#include "exchange/hierarchical-ring.h"
#include "exchange/rank-load.h"
#include "exchange/star-pieces.h"
#include "exchange/worker-aggregator.h"
#include "support/why-not.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace inca
{

namespace
{

constexpr std::uint64_t g_elements = 1000;

std::vector<Transfer>
Gradient(Rank peer, ElementRange range)
{
    return {{peer, range, PayloadKind::GRADIENT}};
}

/** Ranks 0, 10 and 13 gather at 10 and get the result back; rank 10 is position 0. */
class Small : public ComposedPlan
{
  public:
    Small()
        : ComposedPlan(14, 0, 5),
          m_sum(MakeSumAtRoot(3, 5)),
          m_back(MakeBroadcast({"flat", 1}, 3, 5))
    {
    }

  private:
    std::vector<Part> Parts(Rank rank) const override
    {
        const Lineup lineup{10, 0, 13};
        for (const Rank position : {0U, 1U, 2U})
        {
            if (lineup.At(position) == rank)
            {
                return {{m_sum.get(), lineup, position}, {m_back.get(), lineup, position}};
            }
        }
        return {};
    }

    std::unique_ptr<Piece> m_sum;
    std::unique_ptr<Piece> m_back;
};

/** Of a worker aggregator with @p broadcast and 4 workers. */
RankLoad
LoadWith(const std::string& broadcast, Rank rank)
{
    return LoadOf(*MakeWorkerAggregator({"worker-aggregator", 4, broadcast, 300, 2}, g_elements),
                  rank);
}

} // namespace

/* 12 workers in 3 groups of 4; worker 6 is the third of the second group, which worker 4 leads. */
TEST(Groups, AreConsecutiveWorkersLedByTheirFirst)
{
    const Groups groups{12, 4};
    EXPECT_EQ(groups.Count(), 3U);
    EXPECT_EQ(groups.Of(6), 1U);
    EXPECT_EQ(groups.PositionOf(6), 2U);
    EXPECT_EQ(groups.Members(6).At(0), 4U);
    EXPECT_EQ(groups.Members(6).At(3), 7U);
    EXPECT_EQ(groups.Leaders().At(0), 0U);
    EXPECT_EQ(groups.Leaders().At(2), 8U);
    EXPECT_EQ(groups.LeadersUnder(12).At(0), 12U);
    EXPECT_EQ(groups.LeadersUnder(12).At(1), 0U);
    EXPECT_EQ(groups.LeadersUnder(12).At(3), 8U);
}

TEST(ComposedPlan, GoesThroughItsPartsWithRanksForPositions)
{
    const Small plan;
    ASSERT_EQ(plan.StepCount(10), 3U); // one sum, two sends
    EXPECT_EQ(plan.At(10, 0).receives[0].peer, 0U);
    EXPECT_EQ(plan.At(10, 0).receives[1].peer, 13U);
    EXPECT_EQ(plan.At(10, 2).sends[0].peer, 13U);
    ASSERT_EQ(plan.StepCount(13), 2U);
    EXPECT_EQ(plan.At(13, 0).sends[0].peer, 10U);
    EXPECT_EQ(plan.At(13, 1).receives[0].peer, 10U);
    EXPECT_EQ(plan.StepCount(5), 0U); // it takes no part
    EXPECT_THROW(plan.At(13, 2), InvariantError);
}

TEST(SumAtRoot, TakesOneMessageFromEveryOtherAndAddsInTheOrderOfPositions)
{
    const auto piece = MakeSumAtRoot(4, 9);
    ASSERT_EQ(piece->StepCount(0), 1U);
    const auto sum = piece->At(0, 0);
    ASSERT_EQ(sum.receives.size(), 3U);
    for (Rank position = 1; position < 4; ++position)
    {
        const auto& receive = sum.receives[position - 1];
        EXPECT_EQ(receive, Gradient(position, {0, 9})[0]);
        EXPECT_EQ(receive.combine, position == 1 ? Combine::STORE : Combine::ADD);
    }
    EXPECT_TRUE(sum.update);
    EXPECT_EQ(piece->StepCount(3), 1U);
    EXPECT_EQ(piece->At(3, 0).sends, Gradient(0, {0, 9}));
    EXPECT_FALSE(piece->At(3, 0).update);
}

/* 10 elements, 4 members: 3, 3, 2, 2; block 0 stays. */
TEST(Scatter, GivesEveryMemberItsBlock)
{
    const auto piece = MakeScatter(4, 10);
    ASSERT_EQ(piece->StepCount(0), 3U);
    EXPECT_EQ(piece->At(0, 0).sends, Gradient(1, {3, 3}));
    EXPECT_EQ(piece->At(0, 1).sends, Gradient(2, {6, 2}));
    EXPECT_EQ(piece->At(0, 2).sends, Gradient(3, {8, 2}));
    EXPECT_EQ(piece->At(2, 0).receives, Gradient(0, {6, 2}));
    EXPECT_EQ(piece->At(2, 0).receives[0].combine, Combine::STORE);
}

/* 4 workers: the rank beyond them gets 4 n, adds 3 n; sends 4 n (flat), ceil(log2(5)) = 3 n (binomial), n (chain). A
 * worker sends its gradient once, and gets the weights once. */
TEST(WorkerAggregator, TheAggregatorAddsAllAndSendsAsTheBroadcastSays)
{
    for (const auto& [broadcast, sent] : std::vector<std::pair<std::string, std::uint64_t>>{
             {"flat", 4}, {"binomial", 3}, {"chain", 1}})
    {
        const auto load = LoadWith(broadcast, 4);
        EXPECT_EQ(load.gradient.receivedElements, 4 * g_elements) << broadcast;
        EXPECT_EQ(load.addedElements, 3 * g_elements) << broadcast;
        EXPECT_EQ(load.weight.sentElements, sent * g_elements) << broadcast;
    }
    for (Rank worker = 0; worker < 4; ++worker)
    {
        const auto load = LoadWith("binomial", worker);
        EXPECT_EQ(load.gradient.sentElements, g_elements);
        EXPECT_EQ(load.weight.receivedElements, g_elements);
        EXPECT_EQ(load.addedElements, 0U);
    }
}

/* The chain goes from the aggregator to worker 0, then 1, then 2. */
TEST(WorkerAggregator, TheChainBeginsAtWorkerZero)
{
    const auto plan = MakeWorkerAggregator({"worker-aggregator", 3, "chain", 1000, 2}, g_elements);
    EXPECT_EQ(plan->At(3, 1).sends[0].peer, 0U);
    EXPECT_EQ(plan->At(0, 1).receives[0].peer, 3U);
    EXPECT_EQ(plan->At(0, 2).sends[0].peer, 1U);
    EXPECT_EQ(plan->At(1, 2).sends[0].peer, 2U);
}

/* 3 groups: the aggregator receives 3 n and adds 2 n; a binomial over 4 ranks costs it 2 n. */
TEST(HierarchicalAggregator, TheAggregatorAddsTheGroupsSums)
{
    const auto plan =
        MakeHierarchicalAggregator({"hierarchical-aggregator", 12, "binomial", 300, 4}, g_elements);
    const auto load = LoadOf(*plan, 12);
    EXPECT_EQ(load.gradient.receivedElements, 3 * g_elements);
    EXPECT_EQ(load.addedElements, 2 * g_elements);
    EXPECT_EQ(load.weight.sentElements, 2 * g_elements);
    EXPECT_EQ(plan->At(12, 0).receives[1].peer, 4U);
    EXPECT_EQ(plan->At(12, 0).receives[2].peer, 8U);
}

/* Worker 4 leads 4 .. 7: 3 + 3 steps of the ring, then it sends to the aggregator, gets the
 * weights, and hands them to 5, 6, 7. */
TEST(HierarchicalAggregator, LeadersStandBetweenTheirGroupAndTheAggregator)
{
    const auto plan =
        MakeHierarchicalAggregator({"hierarchical-aggregator", 12, "flat", 300, 4}, g_elements);
    ASSERT_EQ(plan->StepCount(4), 6U + 1 + 1 + 3);
    EXPECT_EQ(plan->At(4, 0).sends[0].peer, 5U);
    EXPECT_EQ(plan->At(4, 0).receives[0].peer, 7U);
    EXPECT_EQ(plan->At(4, 6).sends[0].peer, 12U);
    EXPECT_EQ(plan->At(4, 6).sends[0].kind, PayloadKind::GRADIENT);
    EXPECT_EQ(plan->At(4, 7).receives[0].peer, 12U);
    EXPECT_EQ(plan->At(4, 7).receives[0].kind, PayloadKind::WEIGHT);
    EXPECT_EQ(plan->At(4, 10).sends[0].peer, 7U);
    EXPECT_EQ(plan->StepCount(6), 6U + 1);
}

/* 2 groups of 4. Leader: 6 steps in its group, 2 among leaders, 3 to scatter, 3 to gather. Other members: 6 steps in the
 * group, one block from the leader, 3 to gather; they own nothing. */
TEST(HierarchicalRing, LeadersAddTheGroupsSumsAndMembersSpreadTheTotal)
{
    const auto plan = MakeHierarchicalRing({"hierarchical-ring", 8, "flat", 1, 4}, 100);
    EXPECT_EQ(plan->RankCount(), 8U);
    ASSERT_EQ(plan->StepCount(4), 6U + 2 + 3 + 3);
    EXPECT_EQ(plan->At(4, 6).sends[0].peer, 0U);
    EXPECT_EQ(plan->At(4, 6).receives[0].combine, Combine::ADD);
    EXPECT_TRUE(plan->At(4, 6).ownsResult);
    EXPECT_EQ(plan->At(4, 8).sends[0], (Transfer{5, {25, 25}, PayloadKind::GRADIENT}));
    EXPECT_EQ(plan->At(4, 11).sends[0], (Transfer{5, {0, 25}, PayloadKind::GRADIENT}));
    ASSERT_EQ(plan->StepCount(6), 6U + 1 + 3);
    EXPECT_EQ(plan->At(6, 6).receives[0], (Transfer{4, {50, 25}, PayloadKind::GRADIENT}));
    EXPECT_EQ(plan->At(6, 7).sends[0], (Transfer{7, {50, 25}, PayloadKind::GRADIENT}));
    for (std::uint32_t step = 0; step < plan->StepCount(6); ++step)
    {
        EXPECT_FALSE(plan->At(6, step).ownsResult);
    }
}

namespace
{

using Ranks = std::vector<Rank>;

std::unique_ptr<Piece>
Make(const std::string& name, Rank members, std::uint64_t elements = 10)
{
    return MakeBroadcast({name, 4}, members, elements);
}

/** To whom a position sends, in order. */
Ranks
Receivers(const Piece& piece, Rank position)
{
    Ranks receivers;
    for (std::uint32_t step = 0; step < piece.StepCount(position); ++step)
    {
        for (const auto& send : piece.At(position, step).sends)
        {
            receivers.push_back(send.peer);
        }
    }
    return receivers;
}

Step
Both(std::vector<Transfer> sends, std::vector<Transfer> receives)
{
    Step step;
    step.sends = std::move(sends);
    step.receives = std::move(receives);
    return step;
}

void
ExpectTransfers(const Step& found, const Step& expected)
{
    EXPECT_EQ(found.sends, expected.sends);
    EXPECT_EQ(found.receives, expected.receives);
    for (const auto& receive : found.receives)
    {
        EXPECT_EQ(receive.combine, Combine::STORE);
    }
}

} // namespace

TEST(FlatBroadcast, SendsToOneAfterTheOther)
{
    const auto flat = Make("flat", 4);
    EXPECT_EQ(flat->StepCount(0), 3U);
    EXPECT_EQ(Receivers(*flat, 0), (Ranks{1, 2, 3}));
    ExpectTransfers(flat->At(0, 1), Both({{2, {0, 10}, PayloadKind::WEIGHT}}, {}));
    ExpectTransfers(flat->At(2, 0), Both({}, {{0, {0, 10}, PayloadKind::WEIGHT}}));
}

/* 8 members, MPICH's tree: 0 -> 4, 2, 1; 4 -> 6, 5; 2 -> 3; 6 -> 7. */
TEST(BinomialBroadcast, SendsDownATreeTheFarthestFirst)
{
    const auto binomial = Make("binomial", 8);
    EXPECT_EQ(Receivers(*binomial, 0), (Ranks{4, 2, 1}));
    EXPECT_EQ(Receivers(*binomial, 4), (Ranks{6, 5}));
    EXPECT_EQ(Receivers(*binomial, 2), (Ranks{3}));
    EXPECT_EQ(Receivers(*binomial, 6), (Ranks{7}));
    for (const Rank leaf : {1U, 3U, 5U, 7U})
    {
        EXPECT_EQ(Receivers(*binomial, leaf), Ranks{});
    }
    ExpectTransfers(binomial->At(6, 0), Both({}, {{4, {0, 10}, PayloadKind::WEIGHT}}));
}

/* 5 members (4 workers and an aggregator): 0 -> 4, 2, 1; 2 -> 3. */
TEST(BinomialBroadcast, LeavesOutWhoIsNotThere)
{
    const auto binomial = Make("binomial", 5);
    EXPECT_EQ(Receivers(*binomial, 0), (Ranks{4, 2, 1}));
    EXPECT_EQ(Receivers(*binomial, 2), (Ranks{3}));
    EXPECT_EQ(Receivers(*binomial, 4), Ranks{});
}

/* ceil(log2(m)): 2 -> 1, 3 and 4 -> 2, 5 .. 8 -> 3, 9 -> 4, 1025 -> 11 */
TEST(BinomialBroadcast, CostsTheRootTheLogarithmOfTheMembers)
{
    for (const auto& [members, sends] : std::vector<std::pair<Rank, std::uint32_t>>{
             {2, 1}, {3, 2}, {4, 2}, {5, 3}, {8, 3}, {9, 4}, {1025, 11}})
    {
        EXPECT_EQ(Make("binomial", members)->StepCount(0), sends) << members;
    }
}

/* 10 elements in segments of 4: 4, 4, 2. */
TEST(ChainBroadcast, PassesASegmentOnWhileItReceivesTheNext)
{
    const auto chain = Make("chain", 3);
    const ElementRange first{0, 4};
    const ElementRange second{4, 4};
    const ElementRange third{8, 2};
    ASSERT_EQ(chain->StepCount(0), 3U);
    ASSERT_EQ(chain->StepCount(1), 4U);
    ASSERT_EQ(chain->StepCount(2), 3U);
    ExpectTransfers(chain->At(0, 2), Both({{1, third, PayloadKind::WEIGHT}}, {}));
    ExpectTransfers(chain->At(1, 0), Both({}, {{0, first, PayloadKind::WEIGHT}}));
    ExpectTransfers(chain->At(1, 1),
                    Both({{2, first, PayloadKind::WEIGHT}}, {{0, second, PayloadKind::WEIGHT}}));
    ExpectTransfers(chain->At(1, 3), Both({{2, third, PayloadKind::WEIGHT}}, {}));
    ExpectTransfers(chain->At(2, 2), Both({}, {{1, third, PayloadKind::WEIGHT}}));
}

TEST(ChainBroadcast, SendsOneEmptySegmentOfNothing)
{
    const auto chain = Make("chain", 2, 0);
    EXPECT_EQ(chain->StepCount(0), 1U);
    ExpectTransfers(chain->At(0, 0), Both({{1, {0, 0}, PayloadKind::WEIGHT}}, {}));
}

/* 2^40 values in segments of 4 are 2.7e11 steps, of at most 1e9: so at least 1100 values each. */
TEST(ChainBroadcast, RefusesMoreSegmentsThanCanBeCounted)
{
    EXPECT_THROW(Make("chain", 3, 1ULL << 40U), InputError);
    EXPECT_NO_THROW(MakeBroadcast({"chain", 1100}, 3, 1ULL << 40U));
}

TEST(Broadcast, SuggestsTheNearestName)
{
    EXPECT_EQ(WhyNot([] { Make("binomal", 3); }),
              "exchange.broadcast: unknown 'binomal'; did you mean 'binomial'?");
}

} // namespace inca
