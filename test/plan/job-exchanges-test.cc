/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/job-exchanges.h"

#include "plan/job-builder.h"
#include "support/settings.h"
#include "trace/trace-catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

/** Elements of each bucket, as backward finishes them. */
std::vector<std::uint64_t>
BucketsOf(const Scenario& scenario)
{
    const auto prepared = PrepareJob(Resolve(scenario));
    std::vector<std::uint64_t> elements;
    for (const auto& chunk : prepared.job->chunks)
    {
        elements.push_back(chunk.range.count);
    }
    EXPECT_EQ(elements.size(), prepared.job->buckets.size()); // a chunk each
    return elements;
}

} // namespace

using testing::ElementsAre;

TEST(JobExchanges, ResNet50HasPyTorchsBuckets)
{
    // What three projects' public traces of PyTorch's DDP agree on, with 2, 15, 12, 51 and 81 parameters.
    const std::vector<std::uint64_t> ddp{2'049'000, 7'875'584, 6'563'840, 6'637'568, 2'431'040};
    EXPECT_EQ(BucketsOf(With({}, "training.trace=resnet-50")), ddp);
    // Measured on rows of whole tensors, the same parameters make the same buckets.
    EXPECT_EQ(BucketsOf(With({}, "training.trace=resnet50-a100")), ddp);
    // Of 2 bytes 25 MiB are 13,107,200 elements. The 15 parameters of the second bucket above are fewer, and so are
    // the first 11 of the third's 12, all but a convolution of 2,359,296, with them: 12,080,128. So those 27 are one
    // bucket of 7,875,584 + 6,563,840, and what is left is 6,637,568 + 2,431,040.
    EXPECT_THAT(BucketsOf(With({}, "training.trace=resnet-50 training.gradient_type=bf16")),
                ElementsAre(2'049'000, 14'439'424, 9'068'608));
}

/*
 * 100,000 values, with Open MPI's border between 2 ranks at 256 KiB, and a protocol's at 150 kB. A codec on CPU or GPU
 * hands on what it makes: 2 bytes a value, or one and a scale for each 32: 3125, and one more of the last 5; one in
 * the NIC gets fp32. What values decide is not known before.
 */
TEST(JobExchanges, ArePickedByWhatHostsSee)
{
    struct Row
    {
        const char* settings;
        std::uint64_t bytes;
        const char* algorithm;
        std::int64_t messagePs;
    };

    const std::string rates = " codec.encode_rate=1GBps codec.decode_rate=1GBps ";
    for (const auto& row :
         {Row{"", 400'000, "halving-doubling", 2},
          Row{"training.gradient_type=bf16", 200'000, "ring", 2},
          Row{"codec.name=truncate", 400'000, "halving-doubling", 2},
          Row{"codec.name=truncate training.gradient_type=bf16", 400'000, "halving-doubling", 2},
          Row{"codec.name=truncate codec.placement=gpu", 200'000, "ring", 2},
          Row{"codec.name=truncate codec.placement=cpu training.values=true", 200'000, "ring", 2},
          Row{"codec.name=block codec.format=mxfp8 codec.placement=gpu", 103'125, "ring", 1},
          Row{"codec.name=block codec.placement=cpu training.trace=tensor:400020B",
              103'131,
              "ring",
              1},
          Row{"codec.name=block codec.placement=cpu training.trace=tensor:400020B "
              "training.values=true",
              103'131,
              "ring",
              1},
          Row{"codec.name=snappy codec.bits_per_value=8", 100'000, "ring", 1},
          Row{"codec.name=snappy training.values=true", 400'000, "halving-doubling", 2}})
    {
        const auto job =
            PrepareJob(Resolve(With(
                           {},
                           "training.trace=tensor:400kB cluster.workers=2 exchange.library=openmpi "
                           "host.protocol.150kB.message_cost=1ps "
                           "host.protocol.1MB.message_cost=2ps" +
                               rates + row.settings)))
                .job;
        const auto& round = job->chunks.front().rounds.front();
        EXPECT_EQ(round.hostBytes, row.bytes) << row.settings;
        EXPECT_EQ(round.exchange->algorithm, row.algorithm) << row.settings;
        EXPECT_EQ(round.costs.messagePs, row.messagePs) << row.settings;
    }
}

/* Layers 0, 1 and 2 of U = 8: their weights in the order of the forward pass; then, as the backward pass begins a layer,
 * the weights of the one below, as it ends it, its gradients. Those of layer 7 are kept. */
TEST(JobExchanges, FullShardingHasOneQueueOfThreeExchanges)
{
    const auto job =
        PrepareJob(
            Resolve(With({}, "training.trace=alexnet training.send=layer training.sharding=full")))
            .job;
    constexpr std::uint32_t layers = 8;
    ASSERT_EQ(job->layers.size(), layers);
    std::vector<std::pair<ExchangePurpose, std::uint32_t>> expected;
    for (std::uint32_t layer = 0; layer < layers; ++layer)
    {
        expected.emplace_back(ExchangePurpose::FORWARD_WEIGHTS, layer);
    }
    for (std::uint32_t layer = layers; layer-- > 1;)
    {
        expected.emplace_back(ExchangePurpose::BACKWARD_WEIGHTS, layer - 1);
        expected.emplace_back(ExchangePurpose::GRADIENTS, layer);
    }
    expected.emplace_back(ExchangePurpose::GRADIENTS, 0);
    std::vector<std::pair<ExchangePurpose, std::uint32_t>> order;
    for (const auto& chunk : job->chunks)
    {
        EXPECT_EQ(chunk.firstLayer, chunk.lastLayer);
        order.emplace_back(chunk.purpose, chunk.firstLayer);
    }
    EXPECT_EQ(order, expected);
    EXPECT_TRUE(job->buckets.front().backwardGathers.empty());
    EXPECT_THAT(job->buckets.back().forwardGathers, ElementsAre(0));
    EXPECT_THAT(job->buckets.back().chunks, ElementsAre(3 * layers - 2));
}

/* Without overlap a unit's gradients leave before the weights of the one below come. */
TEST(JobExchanges, FullShardingWithoutOverlapSendsGradientsFirst)
{
    const auto job = PrepareJob(Resolve(With({},
                                             "training.trace=alexnet training.send=layer "
                                             "training.sharding=full training.overlap=false "
                                             "training.accumulation=3")))
                         .job;
    EXPECT_EQ(job->BatchCount(), 3U); // each micro-batch is exchanged
    EXPECT_EQ(job->chunks[8].purpose, ExchangePurpose::GRADIENTS);
    EXPECT_EQ(job->chunks[8].firstLayer, 7U);
    EXPECT_EQ(job->chunks[9].purpose, ExchangePurpose::BACKWARD_WEIGHTS);
    EXPECT_EQ(job->chunks[9].firstLayer, 6U);
    const auto last = static_cast<std::uint32_t>(job->chunks.size()) - 1;
    EXPECT_FALSE(job->IsOfLastBatch(last));
    EXPECT_TRUE(job->IsOfLastBatch(3 * last + 2));
    EXPECT_EQ(job->IterationOf(3 * last + 3), 1U);
}

/* 100 values of 3 workers are 34 each, of which the last one has 32 and 2 zeros. */
TEST(JobExchanges, ShardsAreEqual)
{
    for (const std::string sharding : {"none", "optimizer", "full"})
    {
        const auto scenario =
            With({}, "training.trace=tensor:400B cluster.workers=3 training.sharding=" + sharding);
        const auto job = PrepareJob(Resolve(scenario)).job;
        for (const auto& chunk : job->chunks)
        {
            EXPECT_EQ(chunk.range.count, 100U);
            EXPECT_EQ(chunk.rounds.front().plan->Elements(), 102U);
        }
    }
}

/* DDP's buckets cut layers; what is gathered does not. Where a worker is one host, weights are given to all its GPUs, and
 * gradients stay. */
TEST(JobExchanges, FullShardingGathersWholeLayers)
{
    const auto job =
        PrepareJob(Resolve(With({},
                                "training.trace=resnet-50 training.sharding=full cluster.gpus=2 "
                                "transport.name=tcp")))
            .job;
    EXPECT_GT(job->buckets.size(), 1U);
    for (const auto& chunk : job->chunks)
    {
        EXPECT_EQ(chunk.range.begin, job->layers[chunk.firstLayer].range.begin);
        EXPECT_EQ(chunk.range.End(), job->layers[chunk.lastLayer].range.End());
        EXPECT_EQ(chunk.gatherPs == 0, chunk.purpose == ExchangePurpose::GRADIENTS);
    }
}

} // namespace inca
