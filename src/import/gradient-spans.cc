/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/gradient-spans.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace inca
{

namespace
{

/** "ConvolutionBackward0" is "convolution". */
std::string
LayerNameOf(const std::string& operation)
{
    auto name = operation.substr(0, operation.find("Backward"));
    std::transform(name.begin(), name.end(), name.begin(), [](char letter) {
        return static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    });
    return name.empty() ? "parameter" : name;
}

std::size_t
BucketOf(const TorchStep& step, std::size_t gradient)
{
    std::size_t bucket = 0;
    while (bucket + 1 < step.buckets.size() && gradient >= step.buckets[bucket].gradientsEnd)
    {
        ++bucket;
    }
    return bucket;
}

} // namespace

std::uint64_t
GradientSpan::Elements() const
{
    return std::accumulate(tensors.begin(), tensors.end(), std::uint64_t{0});
}

bool
KnowsElements(const TorchStep& step)
{
    return !step.gradients.empty() &&
           std::all_of(step.gradients.begin(), step.gradients.end(), [](const auto& gradient) {
               return gradient.elements > 0;
           });
}

std::vector<GradientSpan>
LayersOf(const TorchStep& step)
{
    std::vector<GradientSpan> layers;
    for (std::size_t i = 0; i < step.gradients.size(); ++i)
    {
        const auto& gradient = step.gradients[i];
        const bool joins =
            !layers.empty() && gradient.node != 0 && gradient.node == step.gradients[i - 1].node;
        if (!joins)
        {
            layers.push_back({i, i, gradient.module, {}, 0});
        }
        layers.back().end = i + 1;
        layers.back().bucket = BucketOf(step, i);
        layers.back().tensors.push_back(gradient.elements);
    }
    for (std::size_t i = 0; i < layers.size(); ++i)
    {
        auto& name = layers[i].name;
        const auto& operation = step.gradients[layers[i].begin].operation;
        const auto number = std::to_string(layers.size() - i);
        name = name.empty() ? LayerNameOf(operation) + "-" + number : name;
    }
    return layers;
}

std::vector<GradientSpan>
BucketsOf(const TorchStep& step)
{
    std::vector<GradientSpan> buckets;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < step.buckets.size(); ++i)
    {
        const auto& bucket = step.buckets[i];
        buckets.push_back(
            {begin, bucket.gradientsEnd, "bucket-" + std::to_string(i + 1), {bucket.elements}, i});
        begin = bucket.gradientsEnd;
    }
    return buckets;
}

} // namespace inca
