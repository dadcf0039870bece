/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/training-job.h"

#include "base/units.h"

#include <algorithm>

namespace inca
{

WorkerGradient
TrainingJob::GradientsOf(const JobChunk& chunk) const
{
    return [own = ownGradient,
            first = chunk.range.begin](Rank worker, ElementRange range, float* out) {
        own(worker, {first + range.begin, range.count}, out);
    };
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
    // As differences of a running total, so that the parts of a layer add up to the whole.
    const auto upTo = [](const JobLayer& layer, std::uint64_t end) {
        const auto clipped =
            std::clamp(end, layer.range.begin, layer.range.begin + layer.range.count);
        return MulDivCeil(clipped - layer.range.begin,
                          static_cast<std::uint64_t>(layer.aggregatorUpdatePs),
                          layer.range.count);
    };
    const auto begin = chunk.range.begin + range.begin;
    std::int64_t totalPs = 0;
    for (auto i = chunk.firstLayer; i <= chunk.lastLayer; ++i)
    {
        totalPs += upTo(layers[i], begin + range.count) - upTo(layers[i], begin);
    }
    return totalPs;
}

} // namespace inca
