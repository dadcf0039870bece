/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/job-builder.h"

#include "base/errors.h"
#include "base/units.h"
#include "base/wire-format.h"
#include "codec/codec-catalog.h"
#include "exchange/adder.h"
#include "exchange/bucket-plan.h"
#include "exchange/exchange-catalog.h"
#include "exchange/network-sum.h"
#include "experiment/compute-times.h"
#include "experiment/mean-bits.h"
#include "scenario/specs.h"
#include "trace/gpu-union.h"
#include "trace/sparse-statistics.h"
#include "trace/sparsified-values.h"
#include "trace/trace-catalog.h"
#include "trace/value-source.h"

#include <map>
#include <optional>
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
    const bool needed = HasCodec(scenario) || scenario.training.values || Sparsifies(scenario);
    if (trace.gradientType != "fp32" && needed)
    {
        throw InputError("training.trace: '" + trace.name + "' has " + trace.gradientType +
                         " gradients; codecs, values and sparsifying need fp32 ones");
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

/** Programs depend on the number of words only, so rounds of one size share one. */
class Programs
{
  public:
    explicit Programs(ExchangeSpec spec)
        : m_spec(std::move(spec))
    {
    }

    std::shared_ptr<const Program> Of(std::uint64_t words)
    {
        auto& program = m_programs[words];
        if (!program)
        {
            program = MakeProgram(m_spec, words);
        }
        return program;
    }

  private:
    ExchangeSpec m_spec;
    std::map<std::uint64_t, std::shared_ptr<const Program>> m_programs;
};

NetworkSumSpec
NetworkSumOf(const Scenario& scenario)
{
    const auto& settings = scenario.inSwitch;
    return {scenario.cluster.workers,
            settings.adder,
            settings.scaling,
            settings.fixedExponent,
            settings.valuesPerPacket,
            std::nullopt};
}

ValueHooks
HooksOfWords(const Scenario& scenario, WordSum sum)
{
    ValueHooks hooks;
    hooks.sum = sum;
    if (SumsInNetwork(scenario) && scenario.training.values)
    {
        auto spec = NetworkSumOf(scenario);
        spec.words = sum == WordSum::FP32 ? std::nullopt : std::optional<WordSum>(sum);
        SetNetworkSum(spec, hooks);
    }
    return hooks;
}

/** The rounds of a chunk that is compressed homomorphically. */
void
AddSketch(const Scenario& scenario,
          const PlannedSketch& sketch,
          Programs& programs,
          JobChunk& chunk)
{
    const auto words = WordsOf(sketch.spec);
    const auto counters = sketch.spec.adder == CounterAdder::FP32 ? WordSum::FP32 : WordSum::INT32;
    chunk.coding = MakeSketchCoding(sketch.spec);
    chunk.rounds = {
        {programs.Of(words.index), HooksOfWords(scenario, IndexSum(sketch.spec.settings.index))},
        {programs.Of(words.counters), HooksOfWords(scenario, counters)},
    };
}

void
CheckSketchSize(std::uint64_t values)
{
    constexpr std::uint64_t most = 1ULL << 32U;
    if (values >= most)
    {
        throw InputError(
            "exchange.chunk_bytes: homomorphic compression takes less than 2^32 values "
            "(16GiB) at a time, and one exchange has " +
            std::to_string(values) + "; such as \"1GiB\" cuts it");
    }
}

/** What a worker's GPUs send each other of @p bytes, to add them up or to share a sum. (ps) */
std::int64_t
LocalPs(const ClusterSettings& cluster, std::uint64_t bytes)
{
    return WorkPs(bytes / cluster.gpus * (cluster.gpus - 1), cluster.gpuBytesPerSecond);
}

std::int64_t
SparsifyPs(const Scenario& scenario, std::uint64_t elements)
{
    const auto share = elements / scenario.cluster.gpus;
    const auto& rate = scenario.sparsify.bytesPerSecond;
    if (rate)
    {
        return WorkPs(share * VALUE_BYTES, *rate);
    }
    const auto bytes = static_cast<double>(share) * SparsifyBytesPerValue(scenario.sparsify.method);
    return WorkPs(static_cast<std::uint64_t>(bytes), scenario.gpu.memoryBytesPerSecond);
}

void
AddBuckets(const BucketPlan& plan, const Scenario& scenario, TrainingJob& job)
{
    for (const auto& bucket : plan.buckets)
    {
        const auto first = static_cast<std::uint32_t>(bucket.firstLayer);
        const auto last = static_cast<std::uint32_t>(bucket.lastLayer);
        const auto elements = job.layers[last].range.End() - job.layers[first].range.begin;
        job.buckets.push_back({first,
                               last,
                               {},
                               LocalPs(scenario.cluster, elements * job.bytesPerElement),
                               SparsifyPs(scenario, elements)});
    }
}

void
AddChunks(const BucketPlan& plan, const Scenario& scenario, PreparedJob& prepared)
{
    auto& job = *prepared.job;
    Programs programs(MakeExchangeSpec(scenario));
    std::optional<SketchPlanner> planner;
    if (HasSketch(scenario))
    {
        planner.emplace(scenario, *prepared.trace);
    }
    for (const auto& planned : plan.chunks)
    {
        const auto first = static_cast<std::uint32_t>(planned.firstLayer);
        JobChunk chunk;
        chunk.range = planned.elements;
        chunk.firstLayer = first;
        chunk.lastLayer = LastLayer(job, planned.elements, first);
        chunk.gatherPs = LocalPs(scenario.cluster, chunk.range.count * job.bytesPerElement);
        if (planner)
        {
            CheckSketchSize(chunk.range.count);
            prepared.sketches.push_back(planner->Plan(chunk.range));
            AddSketch(scenario, prepared.sketches.back(), programs, chunk);
        }
        else
        {
            chunk.rounds = {{programs.Of(chunk.range.count), prepared.hooks}};
        }
        job.buckets[planned.bucket].chunks.push_back(static_cast<std::uint32_t>(job.chunks.size()));
        job.chunks.push_back(std::move(chunk));
    }
}

void
CheckExchangeCount(const TrainingJob& job)
{
    if (job.chunks.size() * job.RoundCount() * job.iterations >= g_mostExchanges)
    {
        throw InputError("exchange.chunk_bytes: too small: " + std::to_string(job.chunks.size()) +
                         " chunks in " + std::to_string(job.iterations) +
                         " iterations are more exchanges than can be numbered");
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
    if (!HasCodec(scenario) || HasSketch(scenario))
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
    prepared.hooks.roundSum = [codec = prepared.codec](float* values, std::uint64_t count) {
        codec->RoundSum(values, count);
    };
    if (scenario.ring.ownerCopy == "coded")
    {
        prepared.hooks.keepOwned = roundTrip;
    }
}

void
AddNetworkSum(const Scenario& scenario, PreparedJob& prepared)
{
    if (SumsInNetwork(scenario))
    {
        prepared.exactSums = MakeAdder(scenario.inSwitch.adder)->IsExact();
        SetNetworkSum(NetworkSumOf(scenario), prepared.hooks);
    }
}

/** @param trace of the values before they are made sparse */
void
AddValues(const Scenario& scenario,
          const std::shared_ptr<const GradientTrace>& trace,
          PreparedJob& prepared)
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
            ? MakeDrawnValues(trace, drawn)
            : MakeFileValues(trace, training.valuesFile, scenario.cluster.workers);
    if (Sparsifies(scenario))
    {
        const auto& sparsify = scenario.sparsify;
        values = MakeSparsifiedValues(values, trace, {sparsify.method, sparsify.density});
    }
    prepared.job->ownGradient = [values](Rank worker, ElementRange range, float* out) {
        values->Fill(worker, range.begin, range.count, out);
    };
}

/** The trace of a worker's gradients, all its GPUs added up. */
std::shared_ptr<const GradientTrace>
WorkersTrace(const Scenario& scenario)
{
    const auto& training = scenario.training;
    auto trace = FindTrace(training.trace);
    if (training.density)
    {
        trace = WithDensity(trace, *training.density);
    }
    if (scenario.cluster.gpus > 1)
    {
        trace = OverGpus(trace, scenario.cluster.gpus, training.unionExponent);
    }
    return std::make_shared<const GradientTrace>(std::move(trace));
}

} // namespace

PreparedJob
PrepareJob(const Scenario& scenario)
{
    PreparedJob prepared;
    const auto trace = WorkersTrace(scenario);
    CheckTrace(*trace, scenario);
    prepared.trace =
        Sparsifies(scenario)
            ? std::make_shared<const GradientTrace>(Sparsified(*trace, scenario.sparsify.density))
            : trace;
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
    AddCodec(scenario, prepared);
    AddValues(scenario, trace, prepared);
    const auto plan = PlanOf(*prepared.trace, scenario);
    AddBuckets(plan, scenario, job);
    AddChunks(plan, scenario, prepared);
    CheckExchangeCount(job);
    return prepared;
}

} // namespace inca
