/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/exchange-order.h"

#include <gtest/gtest.h>

#include <optional>

namespace inca
{

TEST(ExchangeOrder, GoesChunkByChunkWhateverIsReady)
{
    ExchangeOrder order(3);
    for (std::uint32_t position = 0; position < 7; ++position)
    {
        EXPECT_EQ(order.Choose(position, 0), position);
        EXPECT_EQ(order.At(position), position);
    }
}

/* Chunks 0, 1, 2 have priorities 5, 3, 3: of those ready the lowest goes first, and the lower chunk
 * on a tie; a rank that asks later gets the same order although something better is ready there. */
TEST(ExchangeOrder, TheFirstToAskChoosesForAll)
{
    ExchangeOrder order(std::vector<std::uint32_t>{5, 3, 3});
    EXPECT_EQ(order.Choose(0, 0), std::nullopt);
    order.ReportReady(0, 0);
    EXPECT_EQ(order.Choose(0, 1), std::nullopt); // ready at worker 0 only
    EXPECT_EQ(order.At(0), std::nullopt);
    EXPECT_EQ(order.Choose(0, 0), 0U);
    for (const Rank worker : {0U, 1U})
    {
        order.ReportReady(worker, 2);
        order.ReportReady(worker, 1);
    }
    EXPECT_EQ(order.Choose(0, 1), 0U);
    EXPECT_EQ(order.At(0), 0U);
    EXPECT_EQ(order.Choose(1, 1), 1U);
    EXPECT_EQ(order.Choose(1, 0), 1U);
    EXPECT_EQ(order.Choose(2, 0), 2U);
    // the next iteration's chunks are exchanges 3, 4, 5; worker 1 was slow with 0
    order.ReportReady(1, 0);
    EXPECT_EQ(order.Choose(3, 1), std::nullopt);
    order.ReportReady(1, 3);
    order.ReportReady(1, 5);
    EXPECT_EQ(order.Choose(3, 1), 5U);
    EXPECT_EQ(order.Choose(4, 0), std::nullopt);
}

/* Chunk 1 goes first, but not all are ready for it; what the next iteration has waits for its turn. */
TEST(ExchangeOrder, ChoosesAmongWhatAllAreReadyFor)
{
    ExchangeOrder order(std::vector<std::uint32_t>{1, 0});
    order.StartTogether(2);
    order.ReportReady(0, 1);
    order.ReportReady(0, 0);
    order.ReportReady(1, 0);
    EXPECT_EQ(order.At(0), std::nullopt); // as one asks that does not choose
    EXPECT_EQ(order.Choose(0, 1), 0U);
    order.ReportReady(0, 3);
    order.ReportReady(1, 3);
    EXPECT_EQ(order.Choose(1, 0), std::nullopt);
    order.ReportReady(1, 1);
    EXPECT_EQ(order.Choose(1, 0), 1U);
    EXPECT_EQ(order.Choose(2, 0), 3U);
}

TEST(ExchangeOrder, TellsWhenItHasGrown)
{
    ExchangeOrder order(std::vector<std::uint32_t>{0, 1});
    unsigned grown = 0;
    order.OnGrowth([&grown] { ++grown; });
    order.ReportReady(0, 0);
    EXPECT_EQ(grown, 0U);
    order.Choose(0, 0);
    EXPECT_EQ(grown, 1U);
    order.Choose(0, 0); // known already
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
    order.ReportReady(0, 1);
    order.ReportReady(0, 0);
    EXPECT_FALSE(order.MayStart(0));
    EXPECT_FALSE(order.MayStart(1));
    EXPECT_EQ(grown, 0U);
    order.ReportReady(1, 1);
    EXPECT_TRUE(order.MayStart(1));
    EXPECT_FALSE(order.MayStart(0));
    EXPECT_EQ(grown, 1U);
}

} // namespace inca
