/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/training-job.h"

#include "base/units.h"
#include "exchange/exchange-catalog.h"
#include "exchange/shift-symmetry.h"

#include <algorithm>
#include <cmath>
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

/** Counted from the first value of @p chunk; zeros behind its last. */
WorkerGradient
CountedFrom(const JobChunk& chunk, WorkerGradient gradient)
{
    return [gradient = std::move(gradient),
            all = chunk.range](Rank worker, ElementRange range, float* out) {
        const auto there = Clip(range, {0, all.count});
        if (there.count > 0)
        {
            gradient(worker, {all.begin + there.begin, there.count}, out);
        }
        std::fill(out + there.count, out + range.count, 0.0F);
    };
}

/** Zeros where a worker has nothing to combine: in all parts of blocks that are not for it. */
WorkerGradient
OfOwnParts(const JobChunk& chunk, WorkerGradient gradient)
{
    const auto plan = chunk.rounds.front().plan;
    return [gradient = std::move(gradient), plan](Rank worker, ElementRange range, float* out) {
        gradient(worker, range, out);
        for (Rank owner = 0; owner < plan->WorkerCount(); ++owner)
        {
            const auto block = BlockOf(plan->Elements(), plan->WorkerCount(), owner);
            const auto own = PartOf(block, owner, worker, plan->OneIn());
            for (const auto& other : {ElementRange{block.begin, own.begin - block.begin},
                                      ElementRange{own.End(), block.End() - own.End()}})
            {
                const auto here = Clip(other, range);
                if (here.count > 0)
                {
                    std::fill_n(out + (here.begin - range.begin), here.count, 0.0F);
                }
            }
        }
    };
}

} // namespace

std::size_t
JobChunk::CodedRounds() const
{
    const std::size_t ofWeights = rounds.back().weights ? 1 : 0;
    return coding ? rounds.size() - ofWeights : 0;
}

std::uint64_t
JobChunk::ValueCount() const
{
    if (!coding)
    {
        return rounds.front().plan->Elements();
    }
    const auto* shards = coding->ShardsOfValues();
    return shards == nullptr ? range.count : shards->size() * TotalCount(shards->front());
}

WorkerGradient
TrainingJob::GradientsOf(const JobChunk& chunk) const
{
    const auto meaning = chunk.Means();
    auto gradients = CountedFrom(chunk, ownGradient);
    if (meaning == Meaning::COMBINE)
    {
        gradients = OfOwnParts(chunk, std::move(gradients));
    }
    const bool areWeights = chunk.purpose != ExchangePurpose::GRADIENTS ||
                            meaning == Meaning::ALL_GATHER || meaning == Meaning::BROADCAST;
    if (!areWeights || !weightType.narrow)
    {
        return gradients;
    }
    return [gradients = std::move(gradients),
            type = weightType](Rank worker, ElementRange range, float* out) {
        gradients(worker, range, out);
        type.Round(out, range.count);
    };
}

WorkerGradient
TrainingJob::TermsOf(const JobChunk& chunk) const
{
    auto terms = CountedFrom(chunk, gpuGradient ? gpuGradient : ownGradient);
    return chunk.Means() == Meaning::COMBINE ? OfOwnParts(chunk, std::move(terms)) : terms;
}

std::uint32_t
TrainingJob::GradientChunkCount() const
{
    return static_cast<std::uint32_t>(
        std::count_if(chunks.begin(), chunks.end(), [](const JobChunk& chunk) {
            return chunk.purpose == ExchangePurpose::GRADIENTS;
        }));
}

Rank
TrainingJob::RankCount() const
{
    return chunks.front().rounds.front().plan->RankCount();
}

Rank
TrainingJob::WorkersAmong(Rank ranks) const
{
    return rows == 1 ? std::min(ranks, workers) : (ranks + rows - 1) / rows;
}

std::string
TrainingJob::NameOf(Rank rank) const
{
    const auto number = rows == 1 ? rank : InterleavedRank(rank, RankCount(), rows);
    if (number < workers)
    {
        const auto gpu = nodeSize > 1 ? " GPU " + std::to_string(number % nodeSize) : "";
        return "worker " + std::to_string(number / nodeSize) + gpu;
    }
    return (weightsReturn ? "aggregator " : "server ") + std::to_string(number - workers);
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
    return MulDivCeil(
        range.count, static_cast<std::uint64_t>(wholePs), chunk.range.count * updatingGpus);
}

std::shared_ptr<TrainingJob>
MakeTensorJob(const ExchangeSpec& exchange, std::uint64_t elements)
{
    auto job = std::make_shared<TrainingJob>();
    const ElementRange all{0, elements};
    job->workers = exchange.workers;
    job->weightsReturn = ReturnsWeights(exchange);
    job->computePs = [](const ComputeKey&) { return 0; };
    job->layers = {{all, 0}};
    job->buckets = {{0, 0, {0}}};
    job->chunks = {{all, 0, 0, {{MakeStepPlan(exchange, elements), {}}}, nullptr, 0}};
    return job;
}

} // namespace inca
