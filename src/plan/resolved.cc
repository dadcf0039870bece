/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/resolved.h"

#include "base/errors.h"
#include "base/text.h"
#include "base/wire-format.h"
#include "exchange/exchange-catalog.h"
#include "plan/compute-times.h"
#include "scenario/keys.h"
#include "scenario/specs.h"
#include "topology/topology-catalog.h"
#include "trace/layer-statistics.h"
#include "trace/trace-catalog.h"
#include "trace/value-source.h"

#include <numeric>
#include <utility>

namespace inca
{

namespace
{

GradientTrace
GpuTrace(const Scenario& scenario)
{
    const auto& training = scenario.training;
    auto trace = training.readTrace ? *training.readTrace : FindTrace(training.trace);
    trace.gradientType = training.gradientType.value_or(trace.gradientType);
    return training.density ? WithDensity(trace, *training.density) : trace;
}

void
AddTraces(const Scenario& scenario, Resolved& made)
{
    const auto over = [&](std::uint32_t gpus) {
        return gpus == 1 ? made.gpuTrace
                         : std::make_shared<const GradientTrace>(
                               OverGpus(*made.gpuTrace, gpus, scenario.training.unionExponent));
    };
    auto ofGpu = GpuTrace(scenario);
    made.gradientType = GradientTypeNamed(ofGpu.gradientType);
    const bool travel = IsSharded(scenario) || HasAggregator(scenario); // weights
    made.weightType = GradientTypeNamed(
        travel ? scenario.training.weightType.value_or(ofGpu.gradientType) : ofGpu.gradientType);
    ofGpu.gradientType = scenario.training.reduceType.value_or(ofGpu.gradientType);
    made.gpuTrace = std::make_shared<const GradientTrace>(std::move(ofGpu));
    made.workerTrace = over(AddedGpus(scenario));
    made.trace = Sparsifies(scenario) ? std::make_shared<const GradientTrace>(Sparsified(
                                            *made.workerTrace, scenario.sparsify.density))
                                      : over(scenario.cluster.gpus);
}

void
AddExchange(const Scenario& scenario, Resolved& made)
{
    made.buckets = BucketsOf(scenario, *made.trace, made.cycleBegins);
    made.training = &TrainingCatalog().Find(scenario.training.program);
    made.concurrent = made.buckets.chunks.size() == 1 ? 1 : AtOnce(scenario);
    made.exchange = &ExchangeCatalog().Find(scenario.exchange.algorithm);
    made.otherRanks = made.exchange->otherRanks(MakeExchangeSpec(scenario));
    made.sumScope = SumScopeOf(scenario);
    for (const bool inNodes : {false, true})
    {
        made.sums[inNodes] = {AddingExchange(scenario, inNodes),
                              MakeScheme(scenario, inNodes, made.concurrent),
                              AddedTogether(scenario, inNodes),
                              SwitchesAdd(scenario, inNodes)};
    }
    made.transport = &TransportCatalog().Find(scenario.transport.name);
    for (const bool crossesGroups : {false, true})
    {
        const auto coded = CodedAs(scenario, crossesGroups);
        auto& [entry, codec] = made.codecs[crossesGroups];
        entry = &FindCodec(coded.codec.name);
        codec = HasCodec(coded) && !HasSketch(coded) ? MakeCodec(MakeCodecSpec(coded)) : nullptr;
    }
}

void
AddNetwork(const Scenario& scenario, const std::optional<HostPlacement>& placement, Resolved& made)
{
    auto spec = MakeTopologySpec(scenario);
    made.hosts.resize(spec.hosts);
    std::iota(made.hosts.begin(), made.hosts.end(), 0U);
    if (placement)
    {
        if (spec.nodeSize > 1)
        {
            throw InputError(
                "cluster.gpus: must be 1 for jobs that share a network, whose hosts are GPUs");
        }
        if (placement->hosts.size() != spec.hosts)
        {
            throw InputError(Text(
                "a job of ", spec.hosts, " ranks is put on ", placement->hosts.size(), " hosts"));
        }
        made.hosts = placement->hosts;
        spec.hosts = placement->hostCount;
    }
    made.lossRate = scenario.cluster.lossRate;
    made.topology = MakeTopology(spec);
    made.network = SpeedOf(scenario, made.topology, made.hosts, HasEngines(scenario));
    made.headerBytes = HeaderBytes(scenario);
    made.framePayloadBytes = FramePayloadBytes(scenario);
    made.window = WindowOf(scenario, made.topology, made.network);
    made.windowNeeded = WindowNeeded(scenario, made.topology, made.network);
}

void
AddAttributes(const Scenario& scenario, Resolved& made)
{
    auto& attributes = made.keyAttributes;
    made.ownAttributes = scenario.attributes;
    for (const auto& key : ScenarioKeys())
    {
        for (const auto& path : key.attributes.paths)
        {
            attributes.emplace_back(path, key.attributes.text(scenario));
        }
    }
    for (const std::string transport : {"inca::Transport", "inca::FlowTransport"})
    {
        if (made.transport->hasFrames)
        {
            attributes.emplace_back(transport + "::Window", std::to_string(made.window));
        }
    }
    if (made.IsOverTcp() && scenario.transport.congestion == Congestion::DCTCP)
    {
        constexpr std::uint64_t frames = 65; // Alizadeh et al., SIGCOMM 2010: at 10 Gb/s
        attributes.emplace_back("inca::SwitchPort::EcnThreshold",
                                std::to_string(frames * FrameWireBytes(scenario.cluster.mtu)));
    }
    const auto sequences = std::to_string(SequencesOf(scenario, made.concurrent));
    attributes.emplace_back("inca::SlotProgram::Sequences", sequences);
    attributes.emplace_back("inca::SlotClient::Sequences", sequences);
}

} // namespace

std::shared_ptr<const Resolved>
Resolve(const Scenario& scenario,
        const std::optional<HostPlacement>& placement,
        const std::vector<std::size_t>& cycleBegins)
{
    const auto made = std::make_shared<Resolved>();
    made->scenario = scenario;
    made->cycleBegins = cycleBegins;
    made->simulation = scenario.simulation;
    made->picksBySize = PicksBySize(scenario);
    made->fastestScale = FastestScale(scenario);
    AddTraces(scenario, *made);
    AddExchange(scenario, *made);
    AddNetwork(scenario, placement, *made);
    AddAttributes(scenario, *made);
    return made;
}

BucketPlan
BucketsOf(const Scenario& scenario,
          const GradientTrace& trace,
          const std::vector<std::size_t>& cycleBegins)
{
    LayerTensors tensors;
    for (const auto& layer : trace.layers)
    {
        // weights are gathered for whole layers
        tensors.push_back(GathersWeights(scenario) ? std::vector<std::uint64_t>{layer.elements}
                                                   : TensorsOf(layer));
    }
    return PlanBuckets(tensors,
                       {scenario.training.send,
                        trace.BytesPerElement(),
                        scenario.exchange.firstBucketBytes,
                        scenario.exchange.bucketBytes,
                        scenario.exchange.chunkBytes,
                        cycleBegins});
}

std::vector<std::uint64_t>
BeginsOf(const BucketPlan& buckets)
{
    std::vector<std::uint64_t> begins;
    for (const auto& bucket : buckets.buckets)
    {
        begins.push_back(bucket.elements.begin);
    }
    return begins;
}

} // namespace inca
