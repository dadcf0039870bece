/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/torch-steps.h"

#include "import/recorded-training.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace inca
{

namespace
{

/** How the gradients of an iteration fit the sums between them. */
struct BucketFit
{
    std::size_t wrong{0};       ///< the first sum that does not fit, from 1; 0: all do
    std::uint64_t wrongSum{0};  ///< what became ready before it
    std::uint64_t padding{0};   ///< of all sums
    std::size_t late{0};        ///< gradients after the last of them
    std::uint64_t elements{0};  ///< of all gradients
    std::uint64_t exchanged{0}; ///< by all sums
};

BucketFit
FitOf(const TorchStep& step)
{
    BucketFit fit;
    std::size_t first = 0;
    for (std::size_t i = 0; i < step.buckets.size(); ++i)
    {
        const auto& bucket = step.buckets[i];
        std::uint64_t sum = 0;
        std::uint64_t rows = 0;
        for (; first < bucket.gradientsEnd; ++first)
        {
            sum += step.gradients[first].elements;
            rows += step.gradients[first].rowElements;
        }
        // A part of each worker's may be filled up with whole rows of each gradient.
        const auto most = step.scattered ? step.groupSize * rows : 0;
        fit.elements += sum;
        fit.exchanged += bucket.elements;
        if (sum <= bucket.elements && bucket.elements - sum <= most)
        {
            fit.padding += bucket.elements - sum;
        }
        else if (fit.wrong == 0)
        {
            fit.wrong = i + 1;
            fit.wrongSum = sum;
        }
    }
    fit.late = step.gradients.size() - first;
    for (; first < step.gradients.size(); ++first)
    {
        fit.elements += step.gradients[first].elements;
    }
    return fit;
}

/** The all-reduces' own sizes are the check of the gradients. @return whether these can be taken */
bool
CheckBuckets(const std::string& file,
             const TorchStep& step,
             const BucketFit& fit,
             ImportReport& report)
{
    const auto found = fmt::format("{}: {} gradients add up to ", file, step.gradients.size());
    if (fit.wrong == 0 && fit.late == 0)
    {
        report.Check(found + fmt::format("each of {} all-reduces", step.buckets.size()));
        return true;
    }
    if (fit.elements == fit.exchanged)
    {
        report.Check(found + fmt::format("{} all-reduces together, which go out in another order "
                                         "than they become ready in",
                                         step.buckets.size()));
        return true;
    }
    if (fit.wrong > 0)
    {
        report.Doubt(fmt::format("{}: all-reduce {} has {} elements, the gradients that became "
                                 "ready before it {}",
                                 file,
                                 fit.wrong,
                                 step.buckets[fit.wrong - 1].elements,
                                 fit.wrongSum));
    }
    else
    {
        report.Doubt(
            fmt::format("{}: {} gradients become ready after the last all-reduce", file, fit.late));
    }
    return false;
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
    std::size_t bucket = 0;
    for (std::size_t i = 0; i < step.gradients.size(); ++i)
    {
        const auto& gradient = step.gradients[i];
        const bool joins =
            !layers.empty() && gradient.node != 0 && gradient.node == step.gradients[i - 1].node;
        if (!joins)
        {
            layers.push_back({i, i, gradient.module, {}, 0});
        }
        while (bucket + 1 < step.buckets.size() && i >= step.buckets[bucket].gradientsEnd)
        {
            ++bucket;
        }
        layers.back().end = i + 1;
        layers.back().bucket = bucket;
        layers.back().tensors.push_back(gradient.elements);
    }
    for (std::size_t i = 0; i < layers.size(); ++i)
    {
        if (!layers[i].name.empty())
        {
            continue;
        }
        auto name = step.gradients[layers[i].begin].operation; // "ConvolutionBackward0"
        name.resize(std::min(name.find("Backward"), name.size()));
        std::transform(name.begin(), name.end(), name.begin(), [](char letter) {
            return static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
        });
        layers[i].name = fmt::format("{}-{}", name.empty() ? "parameter" : name, layers.size() - i);
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

void
LeaveOutOtherSums(TorchStep& step, ImportReport& report)
{
    if (!KnowsElements(step) || step.scattered)
    {
        return;
    }
    std::vector<TorchBucket> fitting;
    std::vector<TorchBucket> others;
    std::size_t first = 0;
    std::uint64_t pending = 0;
    for (const auto& bucket : step.buckets)
    {
        for (; first < bucket.gradientsEnd; ++first)
        {
            pending += step.gradients[first].elements;
        }
        const bool fits = bucket.elements == pending;
        (fits ? fitting : others).push_back(bucket);
        pending = fits ? 0 : pending;
    }
    if (fitting.empty() || pending > 0 || first < step.gradients.size())
    {
        return;
    }
    for (const auto& other : others)
    {
        report.LeaveOut("sum in backward",
                        "no gradients: those add up to the other sums",
                        other.elements * BytesOfGradientType(step.elementType));
    }
    step.buckets = std::move(fitting);
}

void
CheckGradients(const std::string& file, std::vector<TorchStep>& steps, ImportReport& report)
{
    const auto& first = steps.front();
    if (!KnowsElements(first) || first.buckets.empty())
    {
        return;
    }
    const auto fit = FitOf(first);
    const bool isRight = CheckBuckets(file, first, fit, report);
    for (auto& step : steps)
    {
        step.padding = isRight ? fit.padding : 0;
        for (auto& gradient : step.gradients)
        {
            gradient.elements = isRight ? gradient.elements : 0;
        }
    }
}

} // namespace inca
