/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/all-exchanges.h"
#include "exchange/listed-plan.h"
#include "exchange/shards.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace inca
{

namespace
{

ExchangeSpec
Shots(Rank workers, Rank groupSize)
{
    return {"two-shot", workers, "flat", groupSize};
}

ExchangeSpec
InShards(ExchangeSpec spec, SumPhase phase)
{
    spec.sharded = true;
    spec.phase = phase;
    return spec;
}

std::string
StepsOfRank(const ExchangeSpec& spec, std::uint64_t elements, Rank rank)
{
    const auto plan = MakeStepPlan(spec, elements);
    std::string text;
    for (std::uint32_t step = 0; step < plan->StepCount(rank); ++step)
    {
        text += (step == 0 ? "" : "; ") + TextOf(plan->At(rank, step));
    }
    return text;
}

} // namespace

/* 10 values in blocks of 3, 3, 2, 2: worker 1 sends them on from worker 2, its own last, and adds those of 0 to 3 in this
 * order; then it sends its sum to itself first. */
TEST(TwoShot, IsAsByHand)
{
    const std::string sums = ">2:6-8 >3:8-10 >0:0-3 >1:3-6 <0:3-6 +1:3-6 +2:3-6 +3:3-6 ";
    EXPECT_EQ(StepsOfRank(Shots(4, 4), 10, 1),
              sums + "own; >1:3-6 >2:3-6 >3:3-6 >0:3-6 <0:0-3 <1:3-6 <2:6-8 <3:8-10");
    EXPECT_EQ(StepsOfRank(Shots(4, 1), 10, 1), StepsOfRank(Shots(4, 4), 10, 1));
    EXPECT_EQ(StepsOfRank(InShards(Shots(4, 4), SumPhase::REDUCE_SCATTER), 10, 1), sums + "update");
    EXPECT_EQ(StepsOfRank(InShards(Shots(2, 2), SumPhase::ALL_GATHER), 4, 1),
              ">1:2-4w >0:2-4w <0:0-2w <1:2-4w");
}

/* 8 values, 2 groups of 2: worker 2, the first of the second group, adds 0..3 in it, of which it then adds the second half,
 * 2..3, of worker 0, which comes first, and its own. */
TEST(TwoShot, InGroupsGoesBetweenThemWithWhatIsAddedInThem)
{
    const auto spec = Shots(4, 2);
    EXPECT_EQ(StepsOfRank(spec, 8, 2),
              ">3:4-8 >2:0-4 <2:0-4 +3:0-4; >0:0-2 >2:2-4 <0:2-4 +2:2-4 own; "
              ">2:2-4 >0:2-4 <0:0-2 <2:2-4; >2:0-4 >3:0-4 <2:0-4 <3:4-8");
    const auto plan = MakeStepPlan(spec, 8);
    for (std::uint32_t step = 0; step < 4; ++step)
    {
        const auto one = plan->At(2, step);
        for (const auto* transfers : {&one.sends, &one.receives})
        {
            for (const auto& transfer : *transfers)
            {
                EXPECT_EQ(transfer.crossesGroups, step == 1 || step == 2);
            }
        }
    }
}

/* Of 12 n values and W = 12: 2 * 11 n to 11 others, twice; 11 n are added. What a worker keeps is encoded and decoded as well:
 * 12 n in blocks, then n once; 12 n decoded twice. In groups of 4, of which there are 3: 2 * 3 blocks of 3 n in the group, 2 * 2
 * of n between them; 9 n, then 2 n added; 12 n and 3 n encoded to be summed, n and 3 n as sums; as many decoded as hops have. */
TEST(TwoShot, MovesItsClosedForms)
{
    constexpr std::uint64_t n = 5;
    const auto flat = LoadOf(*MakeStepPlan(Shots(12, 12), 12 * n), 7);
    EXPECT_EQ(flat.gradient.sentElements, 22 * n);
    EXPECT_EQ(flat.gradient.receivedElements, 22 * n);
    EXPECT_EQ(flat.gradient.sentMessages, 22U);
    EXPECT_EQ(flat.gradient.receivedMessages, 22U);
    EXPECT_EQ(flat.crossesGroups.sentMessages, 0U);
    EXPECT_EQ(flat.addedElements, 11 * n);
    EXPECT_EQ(flat.codedElements, 13 * n);
    EXPECT_EQ(flat.decodedElements, 24 * n);
    const auto inGroups = LoadOf(*MakeStepPlan(Shots(12, 4), 12 * n), 7);
    EXPECT_EQ(inGroups.gradient.sentElements, 18 * n);
    EXPECT_EQ(inGroups.gradient.sentMessages, 6U);
    EXPECT_EQ(inGroups.crossesGroups.sentElements, 4 * n);
    EXPECT_EQ(inGroups.crossesGroups.receivedMessages, 4U);
    EXPECT_EQ(inGroups.addedElements, 11 * n);
    EXPECT_EQ(inGroups.codedElements, (12 + 3 + 1 + 3) * n);
    EXPECT_EQ(inGroups.decodedElements, (12 + 3 + 3 + 12) * n);
    const auto halves = InShards(Shots(12, 4), SumPhase::ALL_REDUCE);
    EXPECT_EQ(LoadOf(*MakeStepPlan(halves, 12 * n), 7).weight.sentElements, (9 + 2) * n);
}

/* 24 values: worker 5 of groups of 4 has place 1 in group 1, so the second of 3 parts of block 1 of 4. */
TEST(TwoShot, LeavesEachWorkerItsShard)
{
    const auto flat = InShards(Shots(12, 12), SumPhase::REDUCE_SCATTER);
    EXPECT_EQ(ShardsOf(*MakeStepPlan(flat, 24))[5], (std::vector<ElementRange>{{10, 2}}));
    const auto inGroups = InShards(Shots(12, 4), SumPhase::REDUCE_SCATTER);
    EXPECT_EQ(ShardsOf(*MakeStepPlan(inGroups, 24))[5], (std::vector<ElementRange>{{8, 2}}));
}

TEST(TwoShot, WantsEqualGroups)
{
    const auto& entry = ExchangeCatalog().Find("two-shot");
    EXPECT_THAT(entry.complaints(Shots(12, 5)),
                testing::ElementsAre(testing::HasSubstr("exchange.group_size: 12 workers")));
    EXPECT_EQ(entry.complaints(Shots(7, 7)), std::vector<std::string>{});
    EXPECT_EQ(entry.complaints(Shots(7, 1)), std::vector<std::string>{});
}

} // namespace inca
