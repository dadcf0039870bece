/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/hierarchical-ring.h"

#include "exchange/total-traffic.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

ExchangeSpec
Spec(Rank workers, Rank groupSize)
{
    return {"hierarchical-ring", workers, "flat", 1, groupSize};
}

} // namespace

/* With B = ceil(n / G): 2 (G - 1) L n in the groups, 2 (L - 1) n among the leaders, L (n - B) to
 * scatter, (G - 1) L n to gather: (3 W - 2) n - L B. For W = 6, G = 3, n = 1003: B = 335,
 * 16 * 1003 - 2 * 335 = 15378. */
TEST(HierarchicalRing, MovesWhatItsClosedFormSays)
{
    EXPECT_EQ(SentByAll(Spec(6, 3), 1003).gradient, 15378U);
    for (const auto& [workers, size] :
         std::vector<std::pair<Rank, Rank>>{{4, 2}, {6, 2}, {12, 4}, {16, 8}})
    {
        for (const std::uint64_t n : {1, 64, 1003})
        {
            const auto groups = workers / size;
            const auto block = (n + size - 1) / size;
            const auto total = SentByAll(Spec(workers, size), n);
            EXPECT_EQ(total.gradient, (3 * workers - 2) * n - groups * block);
            EXPECT_EQ(total.weightMessages, 0U);
        }
    }
}

/* 2 groups of 4. Leader: 6 steps in its group, 2 among leaders, 3 to scatter, 3 to gather. */
TEST(HierarchicalRing, LeadersAddTheGroupsSumsAndScatterTheTotal)
{
    const auto plan = MakeHierarchicalRing(Spec(8, 4), 100);
    EXPECT_EQ(plan->RankCount(), 8U);
    ASSERT_EQ(plan->StepCount(4), 6U + 2 + 3 + 3);
    EXPECT_EQ(plan->At(4, 6).sends[0].peer, 0U);
    EXPECT_EQ(plan->At(4, 6).receives[0].combine, Combine::ADD);
    EXPECT_TRUE(plan->At(4, 6).ownsResult);
    EXPECT_EQ(plan->At(4, 8).sends[0], (Transfer{5, {25, 25}, Leg::GRADIENT}));
    EXPECT_EQ(plan->At(4, 11).sends[0], (Transfer{5, {0, 25}, Leg::GRADIENT}));
}

/* Other members: 6 steps in the group, one block from the leader, 3 to gather; they own nothing. */
TEST(HierarchicalRing, MembersGetTheirBlockAndSpreadIt)
{
    const auto plan = MakeHierarchicalRing(Spec(8, 4), 100);
    ASSERT_EQ(plan->StepCount(6), 6U + 1 + 3);
    EXPECT_EQ(plan->At(6, 6).receives[0], (Transfer{4, {50, 25}, Leg::GRADIENT}));
    EXPECT_EQ(plan->At(6, 7).sends[0], (Transfer{7, {50, 25}, Leg::GRADIENT}));
    for (std::uint32_t step = 0; step < plan->StepCount(6); ++step)
    {
        EXPECT_FALSE(plan->At(6, step).ownsResult);
    }
}

} // namespace inca
