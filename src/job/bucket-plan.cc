/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/bucket-plan.h"

#include "base/errors.h"

#include <algorithm>
#include <string>

namespace inca
{

namespace
{

constexpr std::uint64_t g_mostChunks = 1'000'000;

/** The most elements that layers of one bucket may have together. */
std::uint64_t
BucketElements(const BucketSpec& spec)
{
    switch (spec.send)
    {
    case SendUnit::LAYER:
        return 0;
    case SendUnit::BUCKET:
        return spec.bucketBytes / spec.bytesPerElement;
    case SendUnit::END:
        break;
    }
    return UINT64_MAX;
}

/** Where each layer begins in the model, and behind the last one its end. */
std::vector<std::uint64_t>
LayerBegins(const std::vector<std::uint64_t>& layerElements)
{
    std::vector<std::uint64_t> begins{0};
    for (const auto elements : layerElements)
    {
        begins.push_back(begins.back() + elements);
    }
    return begins;
}

bool
Fits(const Bucket& bucket, std::uint64_t elements, std::uint64_t most)
{
    return elements <= most && bucket.elements.count <= most - elements;
}

std::vector<Bucket>
CollectBuckets(const std::vector<std::uint64_t>& layerElements, std::uint64_t most)
{
    const auto begins = LayerBegins(layerElements);
    std::vector<Bucket> buckets;
    for (auto layer = layerElements.size(); layer-- > 0;)
    {
        const auto elements = layerElements[layer];
        if (elements == 0)
        {
            continue;
        }
        if (buckets.empty() || !Fits(buckets.back(), elements, most))
        {
            buckets.push_back({{begins[layer + 1], 0}, layer, layer});
        }
        auto& bucket = buckets.back();
        bucket.elements = {begins[layer], bucket.elements.count + elements};
        bucket.firstLayer = layer;
    }
    return buckets;
}

std::uint64_t
CeilDiv(std::uint64_t numerator, std::uint64_t denominator)
{
    return numerator / denominator + (numerator % denominator > 0 ? 1 : 0);
}

std::uint64_t
CountChunks(const std::vector<Bucket>& buckets, std::uint64_t chunkElements)
{
    std::uint64_t count = 0;
    for (const auto& bucket : buckets)
    {
        count += CeilDiv(bucket.elements.count, chunkElements);
    }
    return count;
}

/** Refuses what would take unbounded memory. */
void
RequireFewChunks(std::uint64_t chunks, const BucketSpec& spec)
{
    if (spec.chunkBytes > 0 && chunks > g_mostChunks)
    {
        throw InputError("exchange.chunk_bytes: " + std::to_string(spec.chunkBytes) +
                         " cuts the model into " + std::to_string(chunks) +
                         " chunks; choose larger ones, so that there are at most " +
                         std::to_string(g_mostChunks));
    }
}

/** Appends the chunks of one bucket. */
void
CutBucket(BucketPlan& plan,
          std::size_t index,
          std::uint64_t chunkElements,
          const std::vector<std::uint64_t>& layerBegins)
{
    const auto& bucket = plan.buckets[index];
    auto layer = bucket.firstLayer;
    for (std::uint64_t done = 0; done < bucket.elements.count; done += chunkElements)
    {
        const auto begin = bucket.elements.begin + done;
        while (layerBegins[layer + 1] <= begin)
        {
            ++layer;
        }
        const auto count = std::min(chunkElements, bucket.elements.count - done);
        plan.chunks.push_back({index, {begin, count}, layer});
    }
}

} // namespace

BucketPlan
PlanBuckets(const std::vector<std::uint64_t>& layerElements, const BucketSpec& spec)
{
    BucketPlan plan;
    plan.buckets = CollectBuckets(layerElements, BucketElements(spec));
    const auto begins = LayerBegins(layerElements);
    const auto chunkElements =
        spec.chunkBytes == 0 ? std::max<std::uint64_t>(begins.back(), 1)
                             : std::max<std::uint64_t>(spec.chunkBytes / spec.bytesPerElement, 1);
    RequireFewChunks(CountChunks(plan.buckets, chunkElements), spec);
    for (std::size_t index = 0; index < plan.buckets.size(); ++index)
    {
        CutBucket(plan, index, chunkElements, begins);
    }
    return plan;
}

} // namespace inca
