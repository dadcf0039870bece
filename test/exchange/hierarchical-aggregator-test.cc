/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/hierarchical-aggregator.h"

#include "exchange/total-traffic.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

constexpr std::uint64_t g_elements = 1003;

ExchangeSpec
Spec(Rank workers, Rank groupSize, const std::string& broadcast = "binomial")
{
    return {"hierarchical-aggregator", workers, broadcast, 300, groupSize};
}

} // namespace

/* L = W / G groups: 2 (G - 1) n gradients in each group and n from each leader: (2 W - L) n in all,
 * in 2 (G - 1) G messages per group and one per leader; weights W n. */
TEST(HierarchicalAggregator, MovesWhatItsClosedFormSays)
{
    for (const auto& [workers, size] :
         std::vector<std::pair<Rank, Rank>>{{4, 2}, {6, 2}, {6, 3}, {12, 4}, {16, 8}})
    {
        const auto groups = workers / size;
        const auto total = SentByAll(Spec(workers, size), g_elements);
        EXPECT_EQ(total.gradient, (2 * workers - groups) * g_elements);
        EXPECT_EQ(total.gradientMessages, groups * (2 * (size - 1) * size + 1));
        EXPECT_EQ(total.weight, workers * g_elements);
        EXPECT_EQ(total.weightMessages, workers);
    }
}

/* 3 groups: the aggregator receives 3 n and adds 2 n; a binomial over 4 ranks costs it 2 n. */
TEST(HierarchicalAggregator, TheAggregatorAddsTheGroupsSums)
{
    const auto plan = MakeHierarchicalAggregator(Spec(12, 4), g_elements);
    const auto traffic = LoadOf(*plan, 12);
    EXPECT_EQ(traffic.gradient.receivedElements, 3 * g_elements);
    EXPECT_EQ(traffic.addedElements, 2 * g_elements);
    EXPECT_EQ(traffic.weight.sentElements, 2 * g_elements);
    EXPECT_EQ(plan->At(12, 0).receives[1].peer, 4U);
    EXPECT_EQ(plan->At(12, 0).receives[2].peer, 8U);
}

/* Worker 4 leads 4 .. 7: 3 + 3 steps of the ring, then it sends to the aggregator, gets the
 * weights, and hands them to 5, 6, 7. */
TEST(HierarchicalAggregator, LeadersStandBetweenTheirGroupAndTheAggregator)
{
    const auto plan = MakeHierarchicalAggregator(Spec(12, 4, "flat"), g_elements);
    ASSERT_EQ(plan->StepCount(4), 6U + 1 + 1 + 3);
    EXPECT_EQ(plan->At(4, 0).sends[0].peer, 5U);
    EXPECT_EQ(plan->At(4, 0).receives[0].peer, 7U);
    EXPECT_EQ(plan->At(4, 6).sends[0].peer, 12U);
    EXPECT_EQ(plan->At(4, 6).sends[0].leg, Leg::GRADIENT);
    EXPECT_EQ(plan->At(4, 7).receives[0].peer, 12U);
    EXPECT_EQ(plan->At(4, 7).receives[0].leg, Leg::WEIGHT);
    EXPECT_EQ(plan->At(4, 10).sends[0].peer, 7U);
    EXPECT_EQ(plan->StepCount(6), 6U + 1);
}

} // namespace inca
