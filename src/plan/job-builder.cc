/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/job-builder.h"

#include "base/wire-format.h"
#include "base/word-sum.h"
#include "codec/codec-catalog.h"
#include "exchange/exchange-catalog.h"
#include "exchange/network-reduction.h"
#include "plan/compute-times.h"
#include "plan/gpu-sums.h"
#include "plan/job-exchanges.h"
#include "plan/mean-bits.h"
#include "scenario/keys.h"
#include "scenario/specs.h"
#include "trace/layer-statistics.h"
#include "trace/trace-catalog.h"
#include "trace/value-source.h"

#include <utility>

namespace inca
{

namespace
{

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

void
AddSettings(const Scenario& scenario, TrainingJob& job)
{
    const auto matters = [&scenario](const char* key) {
        return IdleReason(*FindKey(key), scenario).empty();
    };
    job.workers = scenario.cluster.workers;
    job.iterations = scenario.training.iterations;
    job.accumulation = matters("training.accumulation") ? scenario.training.accumulation : 1;
    job.exchangedBatches = GathersWeights(scenario) ? job.accumulation : 1;
    job.overlap = scenario.training.overlap;
    job.barrier = scenario.training.barrier;
    job.updatesAtEnd = scenario.training.update == "end";
    job.updatesOnHost = scenario.training.update == "host" && matters("training.update");
    job.updatingGpus = scenario.cluster.gpus;
    job.addingGpus = CopyBytesPerSecond(scenario) == 0 ? scenario.cluster.gpus : 1;
    job.concurrent = scenario.exchange.concurrent;
    job.priority = scenario.exchange.order == "priority" && matters("exchange.order");
    job.sumOnArrival = scenario.exchange.sum == "arrival";
    job.startTogether = scenario.exchange.start == "together";
}

std::function<void(float*, std::uint64_t)>
RoundTrip(std::shared_ptr<const Codec> codec)
{
    return [codec = std::move(codec)](float* values, std::uint64_t count) {
        codec->RoundTrip(values, count);
    };
}

/** What a value takes where only sizes travel: what the scenario says, or the trace's statistics. */
std::function<double(ElementRange)>
PlannedBits(const Scenario& scenario, const PreparedJob& prepared)
{
    if (const auto given = scenario.codec.bitsPerValue)
    {
        return [bits = *given](ElementRange) { return bits; };
    }
    const auto bits = std::make_shared<const MeanBits>(*prepared.trace, *prepared.codec);
    return [bits](ElementRange range) { return bits->Of(range); };
}

/** Another format between groups, if there is one. */
void
AddBetweenCodec(const Scenario& scenario, TrainingJob& job)
{
    const auto spec = MakeBetweenSpec(scenario);
    if (job.hostCodec && CodecReads(scenario, "format") && spec.format != scenario.codec.format)
    {
        job.betweenCodec = MakeCodec(spec);
        job.betweenBits = scenario.codec.bitsPerValue.value_or(*job.betweenCodec->MeanBits({}));
    }
}

void
AddCodec(const Scenario& scenario, PreparedJob& prepared, TrainingJob& job)
{
    if (!HasCodec(scenario) || HasSketch(scenario))
    {
        return;
    }
    prepared.codec = MakeCodec(MakeCodecSpec(scenario));
    job.engines = Placement(scenario) == "nic";
    job.codecGroup = FindCodec(scenario.codec.name).group;
    job.hostCodec = job.engines ? nullptr : prepared.codec;
    AddBetweenCodec(scenario, job);
    const bool carries = scenario.training.values;
    job.countsTell = CodecReads(scenario, "format") && (carries || !scenario.codec.bitsPerValue);
    if (!carries)
    {
        job.meanBits = PlannedBits(scenario, prepared);
        return;
    }
    // What they are is counted; the bound takes what is known of any value.
    job.meanBits = [bits = prepared.codec->MeanBits({}).value_or(0)](ElementRange) { return bits; };
    prepared.wire = WireOf(job, prepared.codec);
    if (scenario.codec.sum == "wire" || CodecReads(scenario, "format"))
    {
        prepared.hooks.roundSum = [codec = prepared.codec](float* values, std::uint64_t count) {
            codec->RoundSum(values, count);
        };
    }
    if (scenario.ring.ownerCopy == "coded" && !DecodesOwn(scenario))
    {
        prepared.hooks.keepOwned = RoundTrip(prepared.codec);
    }
}

WorkerGradient
GradientOf(std::shared_ptr<const ValueSource> values)
{
    return [values = std::move(values)](Rank worker, ElementRange range, float* out) {
        values->Fill(worker, range.begin, range.count, out);
    };
}

/** The trace of what one GPU computes. */
GradientTrace
GpuTrace(const Scenario& scenario)
{
    const auto& training = scenario.training;
    auto trace = training.readTrace ? *training.readTrace : FindTrace(training.trace);
    if (training.gradientType)
    {
        trace.gradientType = *training.gradientType;
    }
    return training.density ? WithDensity(trace, *training.density) : trace;
}

/** The trace of a worker's gradients, all its GPUs added up. */
std::shared_ptr<const GradientTrace>
WorkersTrace(const Scenario& scenario)
{
    auto trace = GpuTrace(scenario);
    if (scenario.cluster.gpus > 1)
    {
        trace = OverGpus(trace, scenario.cluster.gpus, scenario.training.unionExponent);
    }
    return std::make_shared<const GradientTrace>(std::move(trace));
}

RandomValuesSpec
RandomSpecOf(const Scenario& scenario)
{
    return {scenario.simulation.seed, scenario.codec.bound, scenario.training.unionExponent};
}

/** Random, or of a file: what a worker's GPUs have added up. */
std::shared_ptr<const ValueSource>
ValuesOfWorkers(const Scenario& scenario, const std::shared_ptr<const GradientTrace>& trace)
{
    const auto& file = scenario.training.valuesFile;
    return file.empty() ? MakeRandomValues(trace, RandomSpecOf(scenario))
                        : MakeFileValues(trace, file, scenario.cluster.workers);
}

/** Random ones of each GPU, added up by those of a worker. @param trace of workers */
std::shared_ptr<const ValueSource>
ValuesOfGpus(const Scenario& scenario, const GradientTrace& trace, TrainingJob& job)
{
    const auto ofOne = std::make_shared<const GradientTrace>(GpuTrace(scenario));
    const std::shared_ptr<const ValueSource> ofGpus =
        MakeRandomValues(ofOne, RandomSpecOf(scenario));
    if (!Sparsifies(scenario)) // else what is added up in the end is another thing
    {
        job.gpuGradient = GradientOf(MakeRoundedValues(ofGpus, job.gradientType));
        job.gpusOfWorker = scenario.cluster.gpus;
    }
    return MakeGpuSums(ofGpus,
                       {scenario.cluster.gpus,
                        job.gradientType,
                        BeginsOfBuckets(scenario, trace),
                        trace.Elements()});
}

/** @param trace of the values before they are made sparse */
void
AddValues(const Scenario& scenario,
          const std::shared_ptr<const GradientTrace>& trace,
          PreparedJob& prepared,
          TrainingJob& job)
{
    if (!scenario.training.values)
    {
        return;
    }
    if (ReducesInNetwork(scenario))
    {
        prepared.hooks.network = MakeScheme(scenario)->Reduction({});
    }
    const auto& type = job.gradientType;
    if (type.narrow)
    {
        prepared.hooks.narrow = RoundTrip(type.narrow);
    }
    // Values of a file are a worker's sums already; of fp32, which is not rounded to less, a sum is made at once.
    const bool addsOnGpus =
        scenario.cluster.gpus > 1 && type.narrow && scenario.training.valuesFile.empty();
    job.ownGradient = BroughtOf(scenario,
                                trace,
                                addsOnGpus ? ValuesOfGpus(scenario, *trace, job)
                                           : ValuesOfWorkers(scenario, trace));
}

} // namespace

Wire
WireOf(const TrainingJob& job, const std::shared_ptr<const Codec>& codec)
{
    return [&job, codec](Rank from, const Transfer& transfer, float* values, std::uint64_t count) {
        if (job.IsCoded(from, transfer))
        {
            const auto* ofHost = job.HostCodecOf(transfer);
            (ofHost == nullptr ? *codec : *ofHost).RoundTrip(values, count);
        }
    };
}

WorkerGradient
BroughtOf(const Scenario& scenario,
          const std::shared_ptr<const GradientTrace>& trace,
          std::shared_ptr<const ValueSource> gradients)
{
    auto values = MakeRoundedValues(std::move(gradients), GradientTypeNamed(trace->gradientType));
    if (Sparsifies(scenario))
    {
        const auto& sparsify = scenario.sparsify;
        values = MakeSparsifiedValues(values, trace, {sparsify.method, sparsify.density});
    }
    return GradientOf(std::move(values));
}

PreparedJob
PrepareJob(const Scenario& scenario)
{
    PreparedJob prepared;
    const auto trace = WorkersTrace(scenario);
    prepared.trace =
        Sparsifies(scenario)
            ? std::make_shared<const GradientTrace>(Sparsified(*trace, scenario.sparsify.density))
            : trace;
    const auto made = std::make_shared<TrainingJob>();
    auto& job = *made;
    AddSettings(scenario, job);
    job.gradientType = GradientTypeNamed(prepared.trace->gradientType);
    // A codec, or a switch that adds, takes gradients of whatever type widened.
    const bool takesWords = HasCodec(scenario) || ReducesInNetwork(scenario);
    job.bytesPerElement = takesWords ? VALUE_BYTES : job.gradientType.bytes;
    const auto times = std::make_shared<const ComputeTimes>(prepared.trace, scenario);
    job.computePs = [times](const ComputeKey& key) { return times->Ps(key); };
    AddLayers(*prepared.trace, job);
    const auto spec = MakeExchangeSpec(scenario);
    const auto& exchange = ExchangeCatalog().Find(spec.algorithm);
    prepared.otherRanks = exchange.otherRanks(spec);
    job.weightsReturn = ReturnsWeights(spec);
    AddCodec(scenario, prepared, job);
    AddValues(scenario, trace, prepared, job);
    prepared.sketches = AddExchanges(scenario, *prepared.trace, prepared.hooks, job);
    job.concurrent = job.chunks.size() == 1 ? 1 : job.concurrent; // what is given has no effect
    prepared.job = made;
    return prepared;
}

} // namespace inca
