/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/bucket-plan.h"

#include "base/errors.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace inca
{

namespace
{

constexpr std::uint64_t g_mostChunks = 1'000'000;

/** Elements that a worker has ready at the same time, and knows to belong together. */
struct Piece
{
    std::size_t layer;
    std::uint64_t elements;
};

std::uint64_t
SumOf(const std::vector<std::uint64_t>& tensors)
{
    return std::accumulate(tensors.begin(), tensors.end(), std::uint64_t{0});
}

/** Where each layer begins in the model, and behind the last one its end. */
std::vector<std::uint64_t>
LayerBegins(const LayerTensors& layers)
{
    std::vector<std::uint64_t> begins{0};
    for (const auto& tensors : layers)
    {
        begins.push_back(begins.back() + SumOf(tensors));
    }
    return begins;
}

/** In the order in which backward has them; tensors, where buckets are filled by those. */
std::vector<Piece>
PiecesOf(const LayerTensors& layers, SendUnit send)
{
    std::vector<Piece> pieces;
    for (auto layer = layers.size(); layer-- > 0;)
    {
        const auto& tensors = layers[layer];
        if (send != SendUnit::BUCKET)
        {
            pieces.push_back({layer, SumOf(tensors)});
            continue;
        }
        for (auto tensor = tensors.rbegin(); tensor != tensors.rend(); ++tensor)
        {
            pieces.push_back({layer, *tensor});
        }
    }
    return pieces;
}

/** Whether a piece belongs to the last bucket of so many, which holds @p held. */
bool
Joins(const BucketSpec& spec, std::size_t buckets, std::uint64_t held, const Piece& piece)
{
    const auto elements = piece.elements;
    const auto most = spec.bucketBytes / spec.bytesPerElement;
    switch (spec.send)
    {
    case SendUnit::LAYER:
        return false;
    case SendUnit::BUCKET:
        return held * spec.bytesPerElement <
               (buckets == 1 ? spec.firstBucketBytes : spec.bucketBytes);
    case SendUnit::FUSED:
        return elements <= most && held <= most - elements &&
               std::find(spec.begins.begin(), spec.begins.end(), piece.layer) == spec.begins.end();
    case SendUnit::END:
        break;
    }
    return true;
}

std::vector<Bucket>
CollectBuckets(const LayerTensors& layers, const BucketSpec& spec)
{
    auto begin = LayerBegins(layers).back();
    std::vector<Bucket> buckets;
    for (const auto& piece : PiecesOf(layers, spec.send))
    {
        const auto [layer, elements] = piece;
        if (elements == 0)
        {
            continue;
        }
        if (buckets.empty() || !Joins(spec, buckets.size(), buckets.back().elements.count, piece))
        {
            buckets.push_back({{begin, 0}, layer, layer});
        }
        begin -= elements;
        auto& bucket = buckets.back();
        bucket.elements = {begin, bucket.elements.count + elements};
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
PlanBuckets(const LayerTensors& layers, const BucketSpec& spec)
{
    BucketPlan plan;
    plan.buckets = CollectBuckets(layers, spec);
    const auto begins = LayerBegins(layers);
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
