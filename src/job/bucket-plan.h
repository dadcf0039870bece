/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_BUCKET_PLAN_H
#define INCA_JOB_BUCKET_PLAN_H

#include "inca/exchange/element-range.h"
#include "inca/exchange/send-unit.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace inca
{

/** What a BucketPlan is made from. */
struct BucketSpec
{
    SendUnit send{SendUnit::BUCKET};
    std::uint64_t bytesPerElement{4};            ///< of the gradient's type; at least 1
    std::uint64_t firstBucketBytes{1024 * 1024}; ///< of BUCKET: ends the first bucket
    std::uint64_t bucketBytes{25ULL * 1024 *
                              1024};   ///< of BUCKET: ends any other; of FUSED: the most
    std::uint64_t chunkBytes{0};       ///< a bucket is cut into pieces of this; 0: not cut
    std::vector<std::size_t> begins{}; ///< of FUSED: layers that begin a bucket in any case
};

/** Consecutive tensors that are exchanged together. Of their layers, the first and the last have elements in it. */
struct Bucket
{
    ElementRange elements; ///< of the whole model, layer after layer in model order; never empty
    std::size_t firstLayer{0}; ///< the lowest; backward ends it last, and then the bucket is ready
    std::size_t lastLayer{0};
};

/** What is exchanged by one plan. */
struct Chunk
{
    std::size_t bucket{0};     ///< index of its bucket in the plan
    ElementRange elements;     ///< of the whole model; never empty
    std::size_t firstLayer{0}; ///< the lowest layer that has elements in it: the order of priority
};

/** Elements of each tensor of a layer, in model order; layers in model order, input side first. */
using LayerTensors = std::vector<std::vector<std::uint64_t>>;

/** How the tensors of a model become buckets, and buckets chunks. */
struct BucketPlan
{
    std::vector<Bucket> buckets; ///< as backward finishes them: the last layers first
    std::vector<Chunk> chunks;   ///< bucket after bucket, in each from its first element upwards
};

/**
 * Backward visits the layers last to first, and of a layer the last tensor first.
 *
 * BUCKET: a tensor joins the open bucket, which ends when its size reaches or passes its limit:
 * firstBucketBytes, and bucketBytes of all others. So a tensor may be larger than a limit, and a layer
 * may lie in several buckets. This is what PyTorch's DDP does once it has rebuilt its buckets
 * (compute_bucket_assignment_by_size; pytorch#48880, #61353).
 *
 * FUSED: a layer joins the open bucket if the sum stays at or below bucketBytes, and otherwise opens
 * the next one, so a layer that exceeds bucketBytes is alone. Those that a cycle takes first begin a bucket, too.
 *
 * What has no elements neither opens nor ends a bucket; such a layer may lie in none, and then has
 * nothing to wait for. A model without elements has no buckets.
 *
 * Chunks are whole values: chunkBytes is rounded down to them, to one value at least; a bucket's
 * last chunk may be shorter. They ascend because the next forward pass needs the lowest layers
 * first.
 *
 * @throws InputError if chunkBytes would cut the model into more than a million chunks
 */
BucketPlan PlanBuckets(const LayerTensors& layers, const BucketSpec& spec);

} // namespace inca

#endif // INCA_JOB_BUCKET_PLAN_H
