/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/job-builder.h"

#include "base/wire-format.h"
#include "base/word-sum.h"
#include "codec/codec-catalog.h"
#include "exchange/network-reduction.h"
#include "job/codec-coding.h"
#include "job/trace-job.h"
#include "plan/compute-times.h"
#include "plan/gpu-sums.h"
#include "plan/job-exchanges.h"
#include "scenario/keys.h"
#include "scenario/specs.h"
#include "trace/layer-statistics.h"
#include "trace/value-source.h"

#include <algorithm>
#include <utility>

namespace inca
{

namespace
{

/** Workers of a node that share what codes for them, if @p coded says where that is. */
Rank
CodecSharers(const Scenario& coded, Rank nodeSize)
{
    return Placement(coded) == CodecPlacement::GPU ? 1 : nodeSize;
}

void
AddSettings(const Resolved& resolved, TrainingJob& job)
{
    const auto& scenario = resolved.scenario;
    const auto matters = [&scenario](const char* key) {
        return IdleReason(*FindKey(key), scenario).empty();
    };
    job.workers = WorkerCount(scenario);
    job.nodeSize = NodeSize(scenario);
    job.iterations = scenario.training.iterations;
    job.accumulation = matters("training.accumulation") ? scenario.training.accumulation : 1;
    job.exchangedBatches = GathersWeights(scenario) ? job.accumulation : 1;
    job.overlap = scenario.training.overlap;
    job.barrier = scenario.training.barrier;
    job.updatesAtEnd = scenario.training.update == UpdateMode::END;
    job.updatesOnHost = scenario.training.update == UpdateMode::HOST && matters("training.update");
    job.updatingGpus = AddedGpus(scenario);
    job.addingGpus = CopyBytesPerSecond(scenario) == 0 ? AddedGpus(scenario) : 1;
    job.sumSharers = CopyBytesPerSecond(scenario) == 0 ? 1 : job.nodeSize;
    job.codecSharers = CodecSharers(scenario, job.nodeSize);
    job.gathersApart = GathersApart(scenario);
    job.concurrent = job.gathersApart ? 1 : resolved.concurrent;
    job.priority = scenario.exchange.priority && matters("exchange.order");
    job.sumOnArrival = scenario.exchange.sumOnArrival;
    job.startTogether = scenario.exchange.startTogether;
    job.cyclePs = matters("exchange.cycle_time") ? scenario.exchange.cyclePs : 0;
    for (Rank reached = 1; job.cyclePs > 0 && reached < job.workers; reached *= 2)
    {
        job.cycleRoundPs += reached < job.nodeSize
                                ? 2 * scenario.cluster.gpuLatencyPs
                                : RoundTripPs(scenario) + 2 * scenario.host.messageCostPs;
    }
}

std::function<void(float*, std::uint64_t)>
RoundTrip(std::shared_ptr<const Codec> codec)
{
    return [codec = std::move(codec)](float* values, std::uint64_t count) {
        codec->RoundTrip(values, count);
    };
}

/** Whether the GPUs of a worker send each other gradients as they are, as nobody says otherwise. */
bool
SparesNodes(const Scenario& scenario)
{
    const bool isAlone = scenario.cluster.workers == 1 && HasHostCodec(scenario);
    return NodeSize(scenario) > 1 && AddsUp(scenario) && ShardGroup(scenario) == 0 && !isAlone &&
           !SaysCodecs(scenario);
}

/** What @p coded says of a host's rates, if that is not what [codec] does. */
std::optional<CodingRates>
OwnRates(const Scenario& scenario, const Scenario& coded)
{
    const auto sharers = CodecSharers(coded, NodeSize(scenario));
    const auto& own = coded.codec;
    const auto& usual = scenario.codec;
    if (own.encodeBytesPerSecond == usual.encodeBytesPerSecond &&
        own.decodeBytesPerSecond == usual.decodeBytesPerSecond &&
        sharers == CodecSharers(scenario, NodeSize(scenario)))
    {
        return std::nullopt;
    }
    const auto shareOf = [sharers](std::uint64_t bytesPerSecond) {
        return std::max<std::uint64_t>(1, bytesPerSecond / sharers);
    };
    return CodingRates{shareOf(own.encodeBytesPerSecond), shareOf(own.decodeBytesPerSecond)};
}

/** How messages within groups, or between them, are coded. */
GroupCoding
CodingOf(const Resolved& resolved, bool crossesGroups)
{
    const auto scenario = CodedAs(resolved.scenario, crossesGroups);
    const auto& [entry, codec] = resolved.codecs[crossesGroups];
    if (!codec)
    {
        return {};
    }
    const bool onHost = HasHostCodec(scenario);
    const auto between = MakeBetweenSpec(scenario);
    const bool isOther = crossesGroups && onHost && CodecReads(scenario, "format") &&
                         between.format != scenario.codec.format &&
                         resolved.scenario.ofReplicas.codec.count("format") == 0;
    auto coding = MakeCodecCoding(
        *entry,
        isOther ? MakeCodec(between) : codec,
        onHost ? CodingPlace::HOST : CodingPlace::ENGINE,
        {scenario.training.values, scenario.codec.bitsPerValue, resolved.trace.get()});
    coding.rates = onHost ? OwnRates(resolved.scenario, scenario) : std::nullopt;
    return coding;
}

void
AddCodec(const Resolved& resolved, PreparedJob& prepared, MessageCoding& coding)
{
    for (const bool crossesGroups : {false, true})
    {
        if (crossesGroups || !SparesNodes(resolved.scenario))
        {
            coding.groups[crossesGroups] = CodingOf(resolved, crossesGroups);
        }
    }
    const auto& scenario = resolved.scenario;
    if (!coding.IsSome() || !scenario.training.values)
    {
        return;
    }
    const auto codec = coding.FirstCodec();
    prepared.hooks.roundSum = SumRounding(codec);
    if (scenario.ring.codedOwnerCopy && !DecodesOwn(scenario) && !HasCodecsApart(scenario))
    {
        prepared.hooks.keepOwned = RoundTrip(codec);
    }
}

WorkerGradient
GradientOf(std::shared_ptr<const ValueSource> values)
{
    return [values = std::move(values)](Rank worker, ElementRange range, float* out) {
        values->Fill(worker, range.begin, range.count, out);
    };
}

RandomValuesSpec
RandomSpecOf(const Scenario& scenario)
{
    return {scenario.simulation.seed, scenario.codec.bound, scenario.training.unionExponent};
}

/** Rounded as GPUs compute them, where that is not what they are cast to. */
std::shared_ptr<const ValueSource>
AsComputed(const Resolved& resolved, std::shared_ptr<const ValueSource> values)
{
    const bool isCast = GradientTypeOf(resolved.scenario) != resolved.gpuTrace->gradientType;
    return isCast ? MakeRoundedValues(std::move(values), resolved.gradientType) : values;
}

/** Random, or of a file: what a worker's GPUs have added up. */
std::shared_ptr<const ValueSource>
ValuesOfWorkers(const Resolved& resolved)
{
    const auto& scenario = resolved.scenario;
    const auto& trace = resolved.workerTrace;
    const auto& file = scenario.training.valuesFile;
    std::shared_ptr<const ValueSource> values =
        file.empty() ? MakeRandomValues(trace, RandomSpecOf(scenario))
                     : MakeFileValues(trace, file, scenario.cluster.workers);
    return AddedGpus(scenario) == 1 ? AsComputed(resolved, std::move(values)) : values;
}

/** Random ones of each GPU, added up by those of a worker. */
std::shared_ptr<const ValueSource>
ValuesOfGpus(const Resolved& resolved, TrainingJob& job)
{
    const auto& scenario = resolved.scenario;
    const auto ofGpus =
        AsComputed(resolved, MakeRandomValues(resolved.gpuTrace, RandomSpecOf(scenario)));
    if (!Sparsifies(scenario)) // else what is added up in the end is another thing
    {
        job.gpuGradient = GradientOf(MakeRoundedValues(ofGpus, job.gradientType));
        job.gpusOfWorker = AddedGpus(scenario);
    }
    return MakeGpuSums(ofGpus,
                       {AddedGpus(scenario),
                        job.gradientType,
                        BeginsOf(resolved.buckets),
                        resolved.gpuTrace->Elements()});
}

void
AddNetworkSums(const Resolved& resolved, Rank workers, ValueHooks& hooks)
{
    std::uint32_t levels = 0;
    for (const bool inNodes : {false, true})
    {
        if (const auto& scheme = resolved.sums[inNodes].scheme)
        {
            (inNodes ? hooks.inNodes : hooks.network) = scheme->Reduction({});
            levels += resolved.sums[inNodes].areSums ? 1 : 0;
        }
    }
    const RoundedSum all{resolved.Scheme()->Numbers().adder, workers, levels};
    for (auto* network : {&hooks.network, &hooks.inNodes})
    {
        if (network->isSum && !resolved.AddsForAll()) // these sums are added, and rounded, further
        {
            network->isSum = [all](double held, double sum, double magnitude) {
                return IsSumOfRounded(all, held, sum, magnitude);
            };
        }
    }
}

void
AddValues(const Resolved& resolved, PreparedJob& prepared, TrainingJob& job)
{
    const auto& scenario = resolved.scenario;
    if (!scenario.training.values)
    {
        return;
    }
    if (SwitchesAdd(scenario))
    {
        AddNetworkSums(resolved, job.workers, prepared.hooks);
    }
    const auto& type = job.gradientType;
    if (type.narrow)
    {
        prepared.hooks.narrow = RoundTrip(type.narrow);
    }
    if (job.weightsReturn && job.weightType.narrow)
    {
        prepared.hooks.narrowWeights = RoundTrip(job.weightType.narrow);
    }
    // Values of a file are a worker's sums already; of fp32, which is not rounded to less, a sum is made at once.
    const bool addsOnGpus = AddedGpus(scenario) > 1 &&
                            (type.narrow || resolved.gradientType.narrow) &&
                            scenario.training.valuesFile.empty();
    job.ownGradient =
        BroughtOf(resolved, addsOnGpus ? ValuesOfGpus(resolved, job) : ValuesOfWorkers(resolved));
}

} // namespace

WorkerGradient
BroughtOf(const Resolved& resolved, std::shared_ptr<const ValueSource> gradients)
{
    const auto& trace = resolved.workerTrace;
    auto values = MakeRoundedValues(std::move(gradients), GradientTypeNamed(trace->gradientType));
    if (Sparsifies(resolved.scenario))
    {
        const auto& sparsify = resolved.scenario.sparsify;
        values = MakeSparsifiedValues(values, trace, {sparsify.method, sparsify.density});
    }
    return GradientOf(std::move(values));
}

PreparedJob
PrepareJob(std::shared_ptr<const Resolved> of, JobId id)
{
    PreparedJob prepared;
    prepared.resolved = std::move(of);
    const auto& resolved = *prepared.resolved;
    const auto made = std::make_shared<TrainingJob>();
    auto& job = *made;
    job.id = id;
    AddSettings(resolved, job);
    job.gradientType = GradientTypeNamed(resolved.trace->gradientType);
    job.weightType = resolved.weightType;
    AddCodec(resolved, prepared, job.coding);
    // A codec, or a switch that adds for all, takes gradients of whatever type widened.
    const bool takesWords =
        job.coding.IsSome() || HasSketch(resolved.scenario) || resolved.AddsForAll();
    job.bytesPerElement = takesWords ? VALUE_BYTES : job.gradientType.bytes;
    const auto times = std::make_shared<const ComputeTimes>(resolved.trace, resolved.scenario);
    job.computePs = [times](const ComputeKey& key) { return times->Ps(key); };
    AddLayers(*resolved.trace, job);
    const auto spec = MakeExchangeSpec(resolved.scenario);
    job.weightsReturn =
        ReturnsWeights(spec) && spec.phase != SumPhase::ALL_GATHER && spec.expertsPerToken == 0;
    AddValues(resolved, prepared, job);
    prepared.sketches = AddExchanges(resolved, prepared.hooks, job);
    MakeProgram(*resolved.training, job, resolved.scenario.rowSettings);
    prepared.job = made;
    return prepared;
}

} // namespace inca
