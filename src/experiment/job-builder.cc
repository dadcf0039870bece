/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/job-builder.h"

#include "base/errors.h"
#include "codec/codec-catalog.h"
#include "exchange/adder.h"
#include "exchange/bucket-plan.h"
#include "exchange/exchange-catalog.h"
#include "exchange/network-sum.h"
#include "experiment/compute-times.h"
#include "experiment/mean-bits.h"
#include "scenario/specs.h"
#include "trace/trace-catalog.h"
#include "trace/value-source.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

constexpr std::uint64_t g_mostExchanges =
    1ULL << 31U; ///< iterations times chunks; their numbers are 32 bits

void
CheckTrace(const GradientTrace& trace, const Scenario& scenario)
{
    if (trace.gradientType != "fp32" && (scenario.codec.name != "none" || scenario.training.values))
    {
        throw InputError("training.trace: '" + trace.name + "' has " + trace.gradientType +
                         " gradients; codecs and values need fp32 ones");
    }
}

BucketPlan
PlanOf(const GradientTrace& trace, const Scenario& scenario)
{
    static const std::map<std::string, SendUnit> units{
        {"layer", SendUnit::LAYER}, {"bucket", SendUnit::BUCKET}, {"end", SendUnit::END}};
    std::vector<std::uint64_t> elements;
    for (const auto& layer : trace.layers)
    {
        elements.push_back(layer.elements);
    }
    return PlanBuckets(elements,
                       {units.at(scenario.training.send),
                        trace.BytesPerElement(),
                        scenario.exchange.bucketBytes,
                        scenario.exchange.chunkBytes});
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

/** Programs depend on the number of elements only, so chunks of one size share one. */
void
AddChunks(const BucketPlan& plan, const ExchangeSpec& spec, TrainingJob& job)
{
    std::map<std::uint64_t, std::shared_ptr<const Program>> programs;
    for (const auto& bucket : plan.buckets)
    {
        job.buckets.push_back({static_cast<std::uint32_t>(bucket.firstLayer),
                               static_cast<std::uint32_t>(bucket.lastLayer),
                               {}});
    }
    for (const auto& chunk : plan.chunks)
    {
        auto& program = programs[chunk.elements.count];
        if (!program)
        {
            program = MakeProgram(spec, chunk.elements.count);
        }
        const auto first = static_cast<std::uint32_t>(chunk.firstLayer);
        job.buckets[chunk.bucket].chunks.push_back(static_cast<std::uint32_t>(job.chunks.size()));
        job.chunks.push_back(
            {chunk.elements, first, LastLayer(job, chunk.elements, first), program});
    }
}

void
AddSettings(const Scenario& scenario, TrainingJob& job)
{
    job.workers = scenario.cluster.workers;
    job.iterations = scenario.training.iterations;
    job.accumulation = scenario.training.accumulation;
    job.overlap = scenario.training.overlap;
    job.barrier = scenario.training.barrier;
    job.concurrent = scenario.exchange.concurrent;
    job.priority = scenario.exchange.order == "priority";
    job.sumOnArrival = scenario.exchange.sum == "arrival";
    job.duplex = scenario.host.duplex;
    job.startTogether = scenario.exchange.start == "together";
}

std::function<void(float*, std::uint64_t)>
RoundTrip(std::shared_ptr<const Codec> codec)
{
    return [codec = std::move(codec)](float* values, std::uint64_t count) {
        std::vector<std::uint8_t> stream;
        codec->Encode(values, count, stream);
        codec->Decode(stream.data(), stream.size(), values, count);
    };
}

void
AddCodec(const Scenario& scenario, PreparedJob& prepared)
{
    if (scenario.codec.name == "none")
    {
        return;
    }
    prepared.codec = MakeCodec(MakeCodecSpec(scenario));
    auto& job = *prepared.job;
    job.engines = scenario.codec.placement == "nic";
    job.hostCodec = job.engines ? nullptr : prepared.codec;
    // With values, what they are is counted; the bound takes what is known of any value.
    job.meanBits = [bits = prepared.codec->MeanBits({}).value_or(0)](ElementRange) { return bits; };
    if (!scenario.training.values)
    {
        const auto bits = std::make_shared<const MeanBits>(*prepared.trace, *prepared.codec);
        job.meanBits = [bits](ElementRange range) { return bits->Of(range); };
        return;
    }
    const auto roundTrip = RoundTrip(prepared.codec);
    prepared.wire = [roundTrip](Rank, Leg leg, float* values, std::uint64_t count) {
        if (leg == Leg::GRADIENT)
        {
            roundTrip(values, count);
        }
    };
    job.hooks.roundSum = [codec = prepared.codec](float* values, std::uint64_t count) {
        codec->RoundSum(values, count);
    };
    if (scenario.ring.ownerCopy == "coded")
    {
        job.hooks.keepOwned = roundTrip;
    }
}

void
AddNetworkSum(const Scenario& scenario, PreparedJob& prepared)
{
    if (!SumsInNetwork(scenario))
    {
        return;
    }
    const auto& settings = scenario.inSwitch;
    prepared.exactSums = MakeAdder(settings.adder)->IsExact();
    SetNetworkSum({scenario.cluster.workers,
                   settings.adder,
                   settings.scaling,
                   settings.fixedExponent,
                   settings.valuesPerPacket},
                  prepared.job->hooks);
}

void
AddValues(const Scenario& scenario, PreparedJob& prepared)
{
    if (!scenario.training.values)
    {
        return;
    }
    AddNetworkSum(scenario, prepared);
    const auto& training = scenario.training;
    const DrawnValuesSpec drawn{
        scenario.simulation.seed, scenario.codec.bound, training.unionExponent};
    std::shared_ptr<const ValueSource> values =
        training.valuesFile.empty()
            ? MakeDrawnValues(prepared.trace, drawn)
            : MakeFileValues(prepared.trace, training.valuesFile, scenario.cluster.workers);
    prepared.job->ownGradient = [values](Rank worker, ElementRange range, float* out) {
        values->Fill(worker, range.begin, range.count, out);
    };
}

} // namespace

PreparedJob
PrepareJob(const Scenario& scenario)
{
    PreparedJob prepared;
    prepared.trace = std::make_shared<const GradientTrace>(FindTrace(scenario.training.trace));
    CheckTrace(*prepared.trace, scenario);
    prepared.job = std::make_shared<TrainingJob>();
    auto& job = *prepared.job;
    AddSettings(scenario, job);
    job.bytesPerElement = prepared.trace->BytesPerElement();
    const auto times = std::make_shared<const ComputeTimes>(prepared.trace, scenario);
    job.computePs = [times](const ComputeKey& key) { return times->Ps(key); };
    AddLayers(*prepared.trace, job);
    const auto spec = MakeExchangeSpec(scenario);
    const auto& exchange = FindExchange(spec.algorithm);
    prepared.otherRanks = exchange.otherRanks(spec);
    job.weightsReturn = ReturnsWeights(exchange);
    AddChunks(PlanOf(*prepared.trace, scenario), spec, job);
    if (job.chunks.size() * job.iterations >= g_mostExchanges)
    {
        throw InputError("exchange.chunk_bytes: too small: " + std::to_string(job.chunks.size()) +
                         " chunks in " + std::to_string(job.iterations) +
                         " iterations are more exchanges than can be numbered");
    }
    AddCodec(scenario, prepared);
    AddValues(scenario, prepared);
    return prepared;
}

} // namespace inca
