/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/job-exchanges.h"

#include "base/errors.h"
#include "base/units.h"
#include "base/wire-format.h"
#include "exchange/exchange-catalog.h"
#include "job/bucket-plan.h"
#include "plan/sketch-rounds.h"
#include "scenario/specs.h"
#include "trace/value-source.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace inca
{

namespace
{

constexpr std::uint64_t g_mostExchanges =
    1ULL << 31U; ///< iterations times chunks; their numbers are 32 bits

BucketPlan
PlanOf(const GradientTrace& trace, const Scenario& scenario)
{
    static const std::map<std::string, SendUnit> units{{"layer", SendUnit::LAYER},
                                                       {"bucket", SendUnit::BUCKET},
                                                       {"fused", SendUnit::FUSED},
                                                       {"end", SendUnit::END}};
    LayerTensors tensors;
    for (const auto& layer : trace.layers)
    {
        // weights are gathered for whole layers
        tensors.push_back(GathersWeights(scenario) ? std::vector<std::uint64_t>{layer.elements}
                                                   : TensorsOf(layer));
    }
    return PlanBuckets(tensors,
                       {units.at(scenario.training.send),
                        trace.BytesPerElement(),
                        scenario.exchange.firstBucketBytes,
                        scenario.exchange.bucketBytes,
                        scenario.exchange.chunkBytes});
}

std::uint32_t
LastLayer(const TrainingJob& job, ElementRange range, std::uint32_t layer)
{
    while (layer + 1 < job.layers.size() &&
           job.layers[layer + 1].range.begin < range.begin + range.count)
    {
        ++layer;
    }
    return layer;
}

/** An exchange of an iteration. */
struct PlannedExchange
{
    const Chunk* chunk;
    ExchangePurpose purpose;
};

/**
 * In the order in which exchanges are ready. Where weights are gathered: those of a forward pass, then of each
 * bucket, as backward begins it, the next one's weights, and as backward ends it, its gradients; without overlap its
 * gradients first. The first that backward needs is kept since the forward pass.
 */
std::vector<PlannedExchange>
OrderOf(const BucketPlan& plan, bool gathers, bool overlaps)
{
    std::vector<std::vector<const Chunk*>> chunks(plan.buckets.size());
    for (const auto& chunk : plan.chunks)
    {
        chunks[chunk.bucket].push_back(&chunk);
    }
    std::vector<PlannedExchange> order;
    const auto append = [&](std::size_t bucket, ExchangePurpose purpose) {
        for (const auto* chunk : chunks[bucket])
        {
            order.push_back({chunk, purpose});
        }
    };
    for (auto bucket = plan.buckets.size(); gathers && bucket-- > 0;)
    {
        append(bucket, ExchangePurpose::FORWARD_WEIGHTS);
    }
    for (std::size_t bucket = 0; bucket < plan.buckets.size(); ++bucket)
    {
        const bool hasNext = gathers && bucket + 1 < plan.buckets.size();
        if (hasNext && overlaps)
        {
            append(bucket + 1, ExchangePurpose::BACKWARD_WEIGHTS);
        }
        append(bucket, ExchangePurpose::GRADIENTS);
        if (hasNext && !overlaps)
        {
            append(bucket + 1, ExchangePurpose::BACKWARD_WEIGHTS);
        }
    }
    return order;
}

/** Where @p bucket lists its chunks of that purpose. */
std::vector<std::uint32_t>&
ChunksFor(ExchangePurpose purpose, JobBucket& bucket)
{
    switch (purpose)
    {
    case ExchangePurpose::FORWARD_WEIGHTS:
        return bucket.forwardGathers;
    case ExchangePurpose::BACKWARD_WEIGHTS:
        return bucket.backwardGathers;
    case ExchangePurpose::GRADIENTS:
        break;
    }
    return bucket.chunks;
}

/** What a worker's GPUs send each other of @p bytes, to add them up or to share a sum. (ps) */
std::int64_t
LocalPs(const ClusterSettings& cluster, std::uint64_t bytes)
{
    return WorkPs(bytes / cluster.gpus * (cluster.gpus - 1), cluster.gpuBytesPerSecond);
}

std::int64_t
SparsifyPs(const Scenario& scenario, const GradientType& type, std::uint64_t elements)
{
    if (!Sparsifies(scenario))
    {
        return 0;
    }
    const auto bytes = elements / scenario.cluster.gpus * type.bytes;
    const auto& rate = scenario.sparsify.bytesPerSecond;
    if (rate)
    {
        return WorkPs(bytes, *rate);
    }
    const auto passes = SparsifyBytesPerValue(scenario.sparsify.method) / VALUE_BYTES;
    return WorkPs(static_cast<std::uint64_t>(static_cast<double>(bytes) * passes),
                  scenario.gpu.memoryBytesPerSecond);
}

void
AddBuckets(const BucketPlan& plan, const Scenario& scenario, TrainingJob& job)
{
    for (const auto& bucket : plan.buckets)
    {
        const auto elements = bucket.elements.count;
        job.buckets.push_back({static_cast<std::uint32_t>(bucket.firstLayer),
                               static_cast<std::uint32_t>(bucket.lastLayer),
                               {},
                               LocalPs(scenario.cluster, elements * job.gradientType.bytes),
                               SparsifyPs(scenario, job.gradientType, elements)});
    }
}

/** Without its rounds. */
JobChunk
BareChunk(const PlannedExchange& planned, const Scenario& scenario, const TrainingJob& job)
{
    JobChunk chunk;
    chunk.range = planned.chunk->elements;
    chunk.firstLayer = static_cast<std::uint32_t>(planned.chunk->firstLayer);
    chunk.lastLayer = LastLayer(job, chunk.range, chunk.firstLayer);
    chunk.purpose = planned.purpose;
    const bool staysShard =
        GathersWeights(scenario) && planned.purpose == ExchangePurpose::GRADIENTS;
    chunk.gatherPs =
        staysShard ? 0 : LocalPs(scenario.cluster, chunk.range.count * job.gradientType.bytes);
    return chunk;
}

ExchangeSpec
GatherSpec(const Scenario& scenario, const TrainingJob& job)
{
    auto spec = MakeExchangeSpec(scenario, job.gradientType.bytes);
    spec.phase = SumPhase::ALL_GATHER;
    return spec;
}

void
CheckExchangeCount(const TrainingJob& job)
{
    const auto batches = std::uint64_t{job.iterations} * job.exchangedBatches;
    if (job.chunks.size() * job.RoundCount() * batches >= g_mostExchanges)
    {
        throw InputError("training.iterations: " + std::to_string(job.chunks.size()) +
                         " chunks in each of " + std::to_string(job.iterations) +
                         " are more exchanges than can be numbered, " +
                         std::to_string(g_mostExchanges) +
                         "; fewer iterations, larger chunks (exchange.chunk_bytes) or larger "
                         "buckets (training.send, exchange.bucket_bytes) help");
    }
}

} // namespace

ExchangeSpec
SpecOf(const Scenario& scenario, const TrainingJob& job)
{
    return MakeExchangeSpec(scenario, HasSketch(scenario) ? VALUE_BYTES : job.gradientType.bytes);
}

std::vector<PlannedSketch>
AddExchanges(const Scenario& scenario,
             const GradientTrace& trace,
             const ValueHooks& hooks,
             TrainingJob& job)
{
    const auto plan = PlanOf(trace, scenario);
    AddBuckets(plan, scenario, job);
    StepPlans plans(SpecOf(scenario, job));
    StepPlans gathers(GatherSpec(scenario, job));
    std::optional<SketchRounds> coded;
    if (HasSketch(scenario))
    {
        coded.emplace(scenario, trace, job, hooks);
    }
    std::vector<PlannedSketch> sketches;
    const auto order = OrderOf(plan, GathersWeights(scenario), job.overlap);
    job.chunks.reserve(job.chunks.size() + order.size());
    for (const auto& planned : order)
    {
        auto chunk = BareChunk(planned, scenario, job);
        const bool isOfGradients = planned.purpose == ExchangePurpose::GRADIENTS;
        if (coded && isOfGradients)
        {
            for (auto& sketch : coded->Add(chunk))
            {
                sketches.push_back(std::move(sketch));
            }
        }
        else
        {
            auto& ofPurpose = isOfGradients ? plans : gathers;
            chunk.rounds.push_back({ofPurpose.Of(chunk.range.count), hooks});
        }
        ChunksFor(planned.purpose, job.buckets[planned.chunk->bucket])
            .push_back(static_cast<std::uint32_t>(job.chunks.size()));
        job.chunks.push_back(std::move(chunk));
    }
    CheckExchangeCount(job);
    return sketches;
}

std::vector<std::uint64_t>
BeginsOfBuckets(const Scenario& scenario, const GradientTrace& trace)
{
    std::vector<std::uint64_t> begins;
    for (const auto& bucket : PlanOf(trace, scenario).buckets)
    {
        begins.push_back(bucket.elements.begin);
    }
    return begins;
}

} // namespace inca
