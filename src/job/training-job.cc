/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/training-job.h"

#include "base/units.h"

#include <algorithm>
#include <utility>

namespace inca
{

namespace
{

/** @param layerPs of the update of a whole layer */
std::int64_t
UpdatePs(const std::vector<JobLayer>& layers,
         const JobChunk& chunk,
         ElementRange range,
         const std::function<std::int64_t(std::uint32_t layer)>& layerPs)
{
    const auto begin = chunk.range.begin + range.begin;
    std::int64_t totalPs = 0;
    for (auto i = chunk.firstLayer; i <= chunk.lastLayer; ++i)
    {
        // As a difference of a running total, so that the parts of a layer add up to the whole.
        const auto& layer = layers[i].range;
        const auto wholePs = static_cast<std::uint64_t>(layerPs(i));
        const auto upTo = [&](std::uint64_t end) {
            const auto clipped = std::clamp(end, layer.begin, layer.End());
            return MulDivCeil(clipped - layer.begin, wholePs, layer.count);
        };
        totalPs += upTo(begin + range.count) - upTo(begin);
    }
    return totalPs;
}

/** Counted from the first value of @p chunk. */
WorkerGradient
CountedFrom(const JobChunk& chunk, WorkerGradient gradient)
{
    return [gradient = std::move(gradient),
            first = chunk.range.begin](Rank worker, ElementRange range, float* out) {
        gradient(worker, {first + range.begin, range.count}, out);
    };
}

} // namespace

WorkerGradient
TrainingJob::GradientsOf(const JobChunk& chunk) const
{
    return CountedFrom(chunk, ownGradient);
}

WorkerGradient
TrainingJob::TermsOf(const JobChunk& chunk) const
{
    return CountedFrom(chunk, gpuGradient ? gpuGradient : ownGradient);
}

Rank
TrainingJob::RankCount() const
{
    return chunks.front().rounds.front().plan->RankCount();
}

std::string
TrainingJob::NameOf(Rank rank) const
{
    if (rank < workers)
    {
        return "worker " + std::to_string(rank);
    }
    return (weightsReturn ? "aggregator " : "server ") + std::to_string(rank - workers);
}

std::int64_t
TrainingJob::AggregatorUpdatePs(const JobChunk& chunk, ElementRange range) const
{
    return UpdatePs(layers, chunk, range, [this](std::uint32_t layer) {
        return layers[layer].aggregatorUpdatePs;
    });
}

std::int64_t
TrainingJob::ShardUpdatePs(Rank worker,
                           std::uint32_t iteration,
                           const JobChunk& chunk,
                           ElementRange range) const
{
    const auto wholePs = UpdatePs(layers, chunk, {0, chunk.range.count}, [&](std::uint32_t layer) {
        return computePs({worker, iteration, 0, layer, ComputePhase::UPDATE});
    });
    return MulDivCeil(range.count, static_cast<std::uint64_t>(wholePs), chunk.range.count);
}

} // namespace inca
