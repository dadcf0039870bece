/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/trace-job.h"

#include "base/wire-format.h"
#include "exchange/exchange-catalog.h"

#include <algorithm>
#include <map>
#include <utility>

namespace inca
{

std::int64_t
PhasePs(const LayerRecord& layer, ComputePhase phase)
{
    return phase == ComputePhase::FORWARD    ? layer.forwardPs
           : phase == ComputePhase::BACKWARD ? layer.backwardPs
                                             : layer.updatePs;
}

std::uint32_t
LastLayerOf(const TrainingJob& job, ElementRange range)
{
    const auto behind =
        std::partition_point(job.layers.begin(), job.layers.end(), [&](const JobLayer& layer) {
            return layer.range.begin < range.begin + range.count;
        });
    return static_cast<std::uint32_t>(behind - job.layers.begin()) - 1;
}

void
AddLayers(const GradientTrace& trace, TrainingJob& job)
{
    std::uint64_t begin = 0;
    for (const auto& layer : trace.layers)
    {
        job.layers.push_back(
            {{begin, layer.elements}, layer.aggregatorUpdatePs.value_or(layer.updatePs)});
        begin += layer.elements;
    }
}

std::shared_ptr<TrainingJob>
MakeTraceJob(std::shared_ptr<const GradientTrace> trace,
             const ExchangeSpec& exchange,
             BucketSpec buckets)
{
    auto job = std::make_shared<TrainingJob>();
    job->workers = exchange.workers;
    job->weightsReturn = ReturnsWeights(exchange);
    job->gradientType = GradientTypeNamed(trace->gradientType);
    job->weightType = job->gradientType;
    job->bytesPerElement = job->gradientType.bytes;
    AddLayers(*trace, *job);
    LayerTensors tensors;
    for (const auto& layer : trace->layers)
    {
        tensors.push_back(TensorsOf(layer));
    }
    buckets.bytesPerElement = job->bytesPerElement;
    const auto plan = PlanBuckets(tensors, buckets);
    for (const auto& bucket : plan.buckets)
    {
        job->buckets.push_back({static_cast<std::uint32_t>(bucket.firstLayer),
                                static_cast<std::uint32_t>(bucket.lastLayer),
                                {}});
    }
    auto spec = exchange;
    spec.bytesPerElement = job->bytesPerElement;
    std::map<std::uint64_t, std::shared_ptr<const StepPlan>> plans; // by elements
    for (const auto& planned : plan.chunks)
    {
        auto& steps = plans[planned.elements.count];
        if (!steps)
        {
            steps = MakeStepPlan(spec, PaddedElements(spec, planned.elements.count));
        }
        job->buckets[planned.bucket].chunks.push_back(
            static_cast<std::uint32_t>(job->chunks.size()));
        JobRound round;
        round.plan = steps;
        round.exchange = std::make_shared<const ExchangeSpec>(spec);
        round.hostBytes = planned.elements.count * spec.bytesPerElement;
        job->chunks.push_back({planned.elements,
                               static_cast<std::uint32_t>(planned.firstLayer),
                               LastLayerOf(*job, planned.elements),
                               {round},
                               nullptr,
                               0});
    }
    if (NetworkAdds(
            *job->chunks.front().rounds.front().plan)) // words, whatever the gradients' type
    {
        job->bytesPerElement = VALUE_BYTES;
    }
    job->computePs = [trace = std::move(trace)](const ComputeKey& key) {
        return PhasePs(trace->layers[key.layer], key.phase);
    };
    return job;
}

} // namespace inca
