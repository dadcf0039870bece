/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/exchange-order.h"
#include "job/training-job.h"

#include <gtest/gtest.h>

#include <optional>

namespace inca
{

namespace
{

/** Layers of 10 and 7 elements whose updates take 1001 and 500 ps. */
TrainingJob
TwoLayers()
{
    TrainingJob job;
    job.layers = {{{0, 10}, 1001}, {{10, 7}, 500}};
    return job;
}

} // namespace

/* 10 and 7 elements in chunks of 3: the last chunk of the first layer (9..11) also has two elements
 * of the second. Rounded parts differ, but all together are 1001 + 500. */
TEST(TrainingJob, ChunksOfALayerAddUpToItsUpdate)
{
    const auto job = TwoLayers();
    std::int64_t totalPs = 0;
    for (std::uint64_t begin = 0; begin < 17; begin += 3)
    {
        const auto count = std::min<std::uint64_t>(3, 17 - begin);
        const JobChunk chunk{{begin, count},
                             static_cast<std::uint32_t>(begin < 10 ? 0 : 1),
                             static_cast<std::uint32_t>(begin + count <= 10 ? 0 : 1),
                             {},
                             nullptr,
                             0};
        totalPs += job.AggregatorUpdatePs(chunk, {0, count});
    }
    EXPECT_EQ(totalPs, 1501);
}

/* Half of the first layer, ceil(1001 * 5 / 10) = 501, and the rest of it with all of the second. */
TEST(TrainingJob, PartsOfAChunkAddUpToo)
{
    const auto job = TwoLayers();
    const JobChunk all{{0, 17}, 0, 1, {}, nullptr, 0};
    EXPECT_EQ(job.AggregatorUpdatePs(all, {0, 5}), 501);
    EXPECT_EQ(job.AggregatorUpdatePs(all, {5, 12}), 1000);
    EXPECT_EQ(job.AggregatorUpdatePs(all, {5, 0}), 0);
}

/* Ranks beyond the 3 workers: aggregators if weights return, else servers. */
TEST(TrainingJob, NamesItsRanks)
{
    TrainingJob job;
    job.workers = 3;
    EXPECT_EQ(job.NameOf(2), "worker 2");
    EXPECT_EQ(job.NameOf(4), "server 1");
    job.weightsReturn = true;
    EXPECT_EQ(job.NameOf(3), "aggregator 0");
}

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
