/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/exchange-order.h"

#include <gtest/gtest.h>

#include <set>

namespace inca
{

namespace
{

ExchangeOrder::IsReady
Ready(std::set<std::uint32_t> exchanges)
{
    return [exchanges](std::uint32_t exchange) { return exchanges.count(exchange) == 1; };
}

} // namespace

TEST(ExchangeOrder, GoesChunkByChunkWhateverIsReady)
{
    ExchangeOrder order(3);
    for (std::uint32_t position = 0; position < 7; ++position)
    {
        EXPECT_EQ(order.At(position, Ready({})), position);
    }
}

/* Chunks 0, 1, 2 have priorities 5, 3, 3: of those ready the lowest goes first, and the lower chunk
 * on a tie; a rank that asks later gets the same order although something better is ready there. */
TEST(ExchangeOrder, TheFirstToAskChoosesForAll)
{
    ExchangeOrder order(std::vector<std::uint32_t>{5, 3, 3});
    EXPECT_EQ(order.At(0, Ready({})), std::nullopt);
    EXPECT_EQ(order.At(0, Ready({0})), 0U);
    EXPECT_EQ(order.At(0, Ready({1, 2})), 0U);
    EXPECT_EQ(order.At(1, Ready({0, 1, 2})), 1U);
    EXPECT_EQ(order.At(2, Ready({0, 1, 2})), 2U);
    // the next iteration's chunks are exchanges 3, 4, 5
    EXPECT_EQ(order.At(3, Ready({0, 1, 2})), std::nullopt);
    EXPECT_EQ(order.At(3, Ready({3, 5})), 5U);
}

TEST(ExchangeOrder, TellsWhenItHasGrown)
{
    ExchangeOrder order(std::vector<std::uint32_t>{0, 1});
    unsigned grown = 0;
    order.OnGrowth([&grown] { ++grown; });
    order.At(0, Ready({0, 1}));
    EXPECT_EQ(grown, 1U);
    order.At(0, Ready({0, 1})); // known already
    EXPECT_EQ(grown, 1U);
}

/* Exchange 1 is ready at the second of 2 workers at last; exchange 0 at one of them. */
TEST(ExchangeOrder, HoldsExchangesBackUntilAllAreReady)
{
    ExchangeOrder order(2);
    EXPECT_TRUE(order.MayStart(1)); // nobody asked to start together
    order.StartTogether(2);
    unsigned grown = 0;
    order.OnGrowth([&grown] { ++grown; });
    order.ReportReady(1);
    order.ReportReady(0);
    EXPECT_FALSE(order.MayStart(0));
    EXPECT_FALSE(order.MayStart(1));
    EXPECT_EQ(grown, 0U);
    order.ReportReady(1);
    EXPECT_TRUE(order.MayStart(1));
    EXPECT_FALSE(order.MayStart(0));
    EXPECT_EQ(grown, 1U);
}

} // namespace inca
