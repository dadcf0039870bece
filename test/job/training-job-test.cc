/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/training-job.h"

#include <gtest/gtest.h>

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

} // namespace inca
