/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/bucket-plan.h"

#include "base/errors.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace inca
{

namespace
{

std::string
Range(ElementRange range)
{
    return std::to_string(range.begin) + "+" + std::to_string(range.count);
}

/** "60+40 of 2-3": elements, and first and last layer of each bucket. */
std::vector<std::string>
Buckets(const BucketPlan& plan)
{
    std::vector<std::string> texts;
    for (const auto& bucket : plan.buckets)
    {
        texts.push_back(Range(bucket.elements) + " of " + std::to_string(bucket.firstLayer) + "-" +
                        std::to_string(bucket.lastLayer));
    }
    return texts;
}

/** "60+40 in 0 from 2": elements, bucket, and lowest layer of each chunk. */
std::vector<std::string>
Chunks(const BucketPlan& plan)
{
    std::vector<std::string> texts;
    for (const auto& chunk : plan.chunks)
    {
        texts.push_back(Range(chunk.elements) + " in " + std::to_string(chunk.bucket) + " from " +
                        std::to_string(chunk.firstLayer));
    }
    return texts;
}

/** Of layers of one tensor each. */
BucketPlan
Plan(SendUnit send,
     const std::vector<std::uint64_t>& layers,
     std::uint64_t bucketBytes = 0,
     std::uint64_t chunkBytes = 0)
{
    LayerTensors tensors;
    for (const auto elements : layers)
    {
        tensors.push_back({elements});
    }
    return PlanBuckets(tensors, {send, 4, bucketBytes, bucketBytes, chunkBytes});
}

/** As PyTorch's DDP fills them, of 4 bytes each. */
BucketPlan
Filled(const LayerTensors& layers, std::uint64_t firstBytes, std::uint64_t bytes)
{
    return PlanBuckets(layers, {SendUnit::BUCKET, 4, firstBytes, bytes, 0});
}

} // namespace

TEST(BucketPlan, HasTheBucketsOfItsUnit)
{
    struct Row
    {
        const char* what;
        BucketPlan plan;
        std::vector<std::string> buckets;
    };

    const std::vector<std::uint64_t> someEmpty{0, 20, 0, 10, 0};
    const LayerTensors seven{{7}, {25}, {3}, {10}, {10}, {5}, {6}};
    const LayerTensors cut{{30, 1, 9}, {40, 2}, {9}};
    const Row rows[] = {
        {"layers go backwards",
         Plan(SendUnit::LAYER, {10, 20, 30}),
         {"30+30 of 2-2", "10+20 of 1-1", "0+10 of 0-0"}},
        {"one at the end", Plan(SendUnit::END, {10, 20, 30}), {"0+60 of 0-2"}},
        // From the last layer on, 40 bytes (10 elements) end the first bucket, 80 bytes (20) any other. 6 + 5
        // reach the first limit and pass it; then 10 + 10 reach the second exactly; 3 + 25 pass it; 7 is left.
        {"filled until they reach their limit",
         Filled(seven, 40, 80),
         {"55+11 of 5-6", "35+20 of 3-4", "7+28 of 1-2", "0+7 of 0-0"}},
        // One byte more, and what reached a limit exactly has not: 10 + 10 + 3 then, and 25; 6 + 5 = 44 bytes
        // are 41 as well.
        {"with the tensor that reaches the limit",
         Filled(seven, 41, 81),
         {"55+11 of 5-6", "32+23 of 2-4", "7+25 of 1-1", "0+7 of 0-0"}},
        // Of a layer the last tensor is first: 9 + 2 reach the first limit of 11, and 40 the others', as do 9 +
        // 1 + 30. So layer 1 lies in two buckets; if a single element reaches the others' limit, layer 0 in
        // three.
        {"a layer is cut between its tensors",
         Filled(cut, 44, 160),
         {"80+11 of 1-2", "40+40 of 1-1", "0+40 of 0-0"}},
        {"and more often",
         Filled(cut, 44, 4),
         {"80+11 of 1-2", "40+40 of 1-1", "31+9 of 0-0", "30+1 of 0-0", "0+30 of 0-0"}},
        {"a layer without tensors, or with empty ones, ends no bucket",
         Filled({{}, {4, 0}, {0}, {0, 4}}, 20, 20),
         {"0+8 of 1-3"}},
        // 4 bytes each, up to 160 bytes = 40 elements: 30 + 10 fit exactly (layers 3 and 2), then 20 + 15
        // (layers 1 and 0). One byte less, and 30, 10 + 20, 15 remain.
        {"layers fused up to a size",
         Plan(SendUnit::FUSED, {15, 20, 10, 30}, 160),
         {"35+40 of 2-3", "0+35 of 0-1"}},
        {"a byte less",
         Plan(SendUnit::FUSED, {15, 20, 10, 30}, 159),
         {"45+30 of 3-3", "15+30 of 1-2", "0+15 of 0-0"}},
        // Up to 40 elements; layer 1 has 100 and is alone, though layer 2 left room for 30.
        {"a layer that exceeds the size is alone",
         Plan(SendUnit::FUSED, {5, 100, 10}, 160),
         {"105+10 of 2-2", "5+100 of 1-1", "0+5 of 0-0"}},
        {"fused into nothing", Plan(SendUnit::FUSED, {1, 2}, 0), {"1+2 of 1-1", "0+1 of 0-0"}},
        // Layers 0, 2 and 4 have no elements: the bucket of 3 and 1 spans 2, and 0 and 4 are in none.
        {"past layers without elements", Plan(SendUnit::END, someEmpty), {"0+30 of 1-3"}},
        {"by layer, too", Plan(SendUnit::LAYER, someEmpty), {"20+10 of 3-3", "0+20 of 1-1"}},
        {"nothing but such", Plan(SendUnit::END, {0, 0}), {}},
        {"nothing", Plan(SendUnit::END, {}), {}},
    };
    for (const auto& row : rows)
    {
        EXPECT_EQ(Buckets(row.plan), row.buckets) << row.what;
    }
}

/* Limits are bytes of the gradient's type: 16 bits fit twice as many into them. */
TEST(BucketPlan, CountsBytesOfTheGradientsType)
{
    const LayerTensors layers{{10}, {10}, {10}, {10}};
    EXPECT_EQ(PlanBuckets(layers, {SendUnit::BUCKET, 4, 40, 40, 0}).buckets.size(), 4U);
    EXPECT_EQ(PlanBuckets(layers, {SendUnit::BUCKET, 2, 40, 40, 0}).buckets.size(), 2U);
}

/* All of 10 elements fit 1000 bytes; layers 3 and 1 begin a bucket. */
TEST(BucketPlan, BeginsBucketsWhereCyclesDo)
{
    const LayerTensors layers{{10}, {10}, {10}, {10}};
    EXPECT_EQ(Buckets(PlanBuckets(layers, {SendUnit::FUSED, 4, 0, 1000, 0, {3, 1}})),
              (std::vector<std::string>{"20+20 of 2-3", "0+20 of 0-1"}));
}

TEST(BucketPlan, CutsBucketsIntoChunks)
{
    using Texts = std::vector<std::string>;
    // one of a bucket unless told otherwise
    EXPECT_EQ(Chunks(Plan(SendUnit::LAYER, {10, 20})),
              (Texts{"10+20 in 0 from 1", "0+10 in 1 from 0"}));
    // 100 bytes are 25 elements. Bucket 0 has 10 + 20 + 30 elements: layers begin at 0, 10, 30.
    EXPECT_EQ(Chunks(Plan(SendUnit::END, {10, 20, 30}, 0, 100)),
              (Texts{"0+25 in 0 from 0", "25+25 in 0 from 1", "50+10 in 0 from 2"}));
    EXPECT_EQ(Chunks(Plan(SendUnit::LAYER, {10, 0, 30}, 0, 100)),
              (Texts{"10+25 in 0 from 2", "35+5 in 0 from 2", "0+10 in 1 from 0"}));
    // 11 bytes hold 2 whole values of 4, 3 bytes none: one value then.
    EXPECT_EQ(Chunks(Plan(SendUnit::END, {5}, 0, 11)),
              (Texts{"0+2 in 0 from 0", "2+2 in 0 from 0", "4+1 in 0 from 0"}));
    EXPECT_EQ(Plan(SendUnit::END, {5}, 0, 3).chunks.size(), 5U);
    // Where a chunk begins, the empty layer 1 ends: the chunk starts with layer 2.
    EXPECT_EQ(Chunks(Plan(SendUnit::END, {2, 0, 2}, 0, 8)),
              (Texts{"0+2 in 0 from 0", "2+2 in 0 from 2"}));
}

/* 2^40 elements in chunks of one value would be a list of 2^40 entries. */
TEST(BucketPlan, RefusesMoreChunksThanMemoryHolds)
{
    EXPECT_THROW(Plan(SendUnit::END, {1ULL << 40U}, 0, 4), InputError);
    EXPECT_EQ(Plan(SendUnit::END, {1'000'000}, 0, 4).chunks.size(), 1'000'000U);
    EXPECT_THROW(Plan(SendUnit::END, {1'000'001}, 0, 4), InputError);
}

} // namespace inca
