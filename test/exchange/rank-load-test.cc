/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/rank-load.h"

#include "exchange/all-exchanges.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

/** One rank with two steps: 2 messages out, 3 summed; then one added, one weight out. */
class TwoSteps : public StepPlan
{
  public:
    Rank WorkerCount() const override
    {
        return 1;
    }

    Rank RankCount() const override
    {
        return 1;
    }

    std::uint64_t Elements() const override
    {
        return 10;
    }

    std::uint32_t StepCount(Rank /*rank*/) const override
    {
        return 2;
    }

    Step At(Rank /*rank*/, std::uint32_t step) const override
    {
        Step one;
        if (step == 0)
        {
            one.sends = {{1, {0, 4}, Leg::GRADIENT}, {2, {4, 3}, Leg::GRADIENT}};
            one.receives = {
                Summand(1, {0, 10}, true), Summand(2, {0, 10}, false), Summand(3, {0, 10}, false)};
        }
        else
        {
            one.sends = {{1, {0, 10}, Leg::WEIGHT}};
            one.receives = {{1, {0, 5}, Leg::WEIGHT, Combine::ADD}};
        }
        return one;
    }
};

} // namespace

/* Gradients: 4 + 3 sent, 3 * 10 received. Weights: 10 sent, 5 received. Added: (3 - 1) * 10 + 5. */
TEST(Traffic, CountsElementsAndMessagesPerLeg)
{
    const auto traffic = LoadOf(TwoSteps(), 0);
    EXPECT_EQ(traffic.gradient.sentElements, 7U);
    EXPECT_EQ(traffic.gradient.sentMessages, 2U);
    EXPECT_EQ(traffic.gradient.receivedElements, 30U);
    EXPECT_EQ(traffic.gradient.receivedMessages, 3U);
    EXPECT_EQ(traffic.weight.sentElements, 10U);
    EXPECT_EQ(traffic.weight.sentMessages, 1U);
    EXPECT_EQ(traffic.weight.receivedElements, 5U);
    EXPECT_EQ(traffic.weight.receivedMessages, 1U);
    EXPECT_EQ(traffic.addedElements, 25U);
    EXPECT_EQ(traffic.codedElements, 7U);
}

TEST(Traffic, IsConservedAcrossAllRanks)
{
    for (const auto& spec : AllExchanges(12))
    {
        const auto plan = MakeStepPlan(spec, 1003);
        std::uint64_t sent = 0;
        std::uint64_t received = 0;
        for (Rank rank = 0; rank < plan->RankCount(); ++rank)
        {
            const auto traffic = LoadOf(*plan, rank);
            sent += traffic.gradient.sentElements + traffic.weight.sentElements;
            received += traffic.gradient.receivedElements + traffic.weight.receivedElements;
        }
        EXPECT_EQ(sent, received) << Describe(spec, 1003);
    }
}

/* Whatever the exchange, a sum of W gradients of n elements takes (W - 1) n additions at least, and
 * these exchanges make no more than that: at the ranks, or in the network, which each worker hands
 * its n elements. */
TEST(Traffic, EveryExchangeAddsEachGradientOnce)
{
    for (const auto& spec : AllExchanges(12))
    {
        const auto plan = MakeStepPlan(spec, 1003);
        const auto inNetwork = SumsInNetwork(spec);
        std::uint64_t added = 0;
        for (Rank rank = 0; rank < plan->RankCount(); ++rank)
        {
            const auto traffic = LoadOf(*plan, rank);
            added += traffic.addedElements;
            EXPECT_EQ(traffic.networkSums, std::vector<NetworkSumSize>(inNetwork ? 1 : 0, 1003U))
                << Describe(spec, 1003);
        }
        EXPECT_EQ(added, inNetwork ? 0U : 11U * 1003U) << Describe(spec, 1003);
    }
}

} // namespace inca
