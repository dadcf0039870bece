/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/specs.h"

#include "base/nearest.h"
#include "base/wire-format.h"
#include "codec/block-format.h"
#include "exchange/collectives.h"
#include "exchange/exchange-catalog.h"
#include "exchange/exchange-spec.h"
#include "topology/topology-catalog.h"
#include "trace/gradient-trace.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

namespace inca
{

namespace
{

const ExchangeEntry&
ExchangeOf(const Scenario& scenario)
{
    return ExchangeCatalog().Find(scenario.exchange.algorithm);
}

/** What a group says of its codec. */
OwnKeys
CodecOf(const GroupSettings& group)
{
    const auto takeNone = [](Scenario& coded) { coded.codec.name = "none"; };
    return group.isCoded ? group.codec : OwnKeys{{"name", {"none", takeNone}}};
}

/**
 * What groups say of the codec within them, and between them. GPUs of a worker have one only if it has a name.
 * @param nodeSize ranks that a worker is
 */
std::array<OwnKeys, 2>
CodecsOf(const Scenario& scenario, std::uint32_t nodeSize)
{
    const auto& training = scenario.training;
    const auto workers = scenario.cluster.workers;
    const auto group = training.shardGroup.value_or(1);
    if (training.sharding == Sharding::HYBRID && group > 1 && group < workers * nodeSize)
    {
        return {CodecOf(scenario.ofShards), CodecOf(scenario.ofReplicas)};
    }
    const bool isNamed = nodeSize > 1 && workers > 1 && scenario.ofNodes.codec.count("name") > 0;
    return {isNamed ? scenario.ofNodes.codec : OwnKeys(), OwnKeys()};
}

/** The scenario with a codec for all that is [codec], but for what @p own say. Another codec has sizes and rates of its own. */
Scenario
CodedBy(const Scenario& scenario, const OwnKeys& own)
{
    auto coded = scenario;
    for (auto* group : {&coded.ofNodes, &coded.ofShards, &coded.ofReplicas})
    {
        group->codec.clear();
        group->isCoded = true;
    }
    const auto name = own.find("name");
    if (name != own.end() && name->second.text != scenario.codec.name)
    {
        coded.codec.bitsPerValue.reset();
        coded.codec.encodeBytesPerSecond = 0;
        coded.codec.decodeBytesPerSecond = 0;
    }
    for (const auto& [leaf, key] : own)
    {
        key.take(coded);
    }
    return coded;
}

/** Whether some group's codec is so. */
template <class IsSo>
bool
IsSomeCodec(const Scenario& scenario, IsSo isSo)
{
    return !SaysCodecs(scenario) ? isSo(scenario)
                                 : isSo(CodedAs(scenario, false)) || isSo(CodedAs(scenario, true));
}

bool
IsInEngines(const Scenario& scenario)
{
    return scenario.codec.name != "none" && Placement(scenario) == CodecPlacement::NIC;
}

/** Whether a worker's GPUs reach the network through an engine that several of them share. */
bool
ShareEngine(const Scenario& scenario)
{
    if (scenario.cluster.nics >= scenario.cluster.gpus)
    {
        return false;
    }
    const auto [within, between] = CodecsOf(scenario, scenario.cluster.gpus);
    const auto hasEngines = [&scenario](const OwnKeys& own) {
        return own.empty() ? IsInEngines(scenario) : IsInEngines(CodedBy(scenario, own));
    };
    const bool isHybrid = scenario.training.sharding == Sharding::HYBRID; // else it is of GPUs
    return hasEngines(between) || (isHybrid && hasEngines(within));
}

/** Aggregators or servers. */
std::uint32_t
OtherRanks(const Scenario& scenario)
{
    return ExchangeOf(scenario).otherRanks(MakeExchangeSpec(scenario));
}

/** Only sizes travel, which values would decide. */
bool
IsSizedByValues(const Scenario& scenario)
{
    return !scenario.training.values && !HasSketch(scenario) &&
           IsSomeCodec(scenario, [](const Scenario& one) {
               return !MakeCodec(MakeCodecSpec(one))->MeanBits({});
           });
}

/** Of a message between nodes: smaller ones would cost their host more time than their NIC. */
std::uint64_t
UsualPartBytes(const Scenario& scenario)
{
    constexpr double least = 64 << 10;
    constexpr double psPerSecond = 1e12;
    const double inCost = static_cast<double>(scenario.host.messageCostPs) / psPerSecond *
                          static_cast<double>(scenario.cluster.bitsPerSecond / 8);
    return static_cast<std::uint64_t>(std::max(least, inCost));
}

/** Whether the groups of hybrid sharding are the workers, each of several GPUs. */
bool
AreShardsNodes(const Scenario& scenario)
{
    return ShardGroup(scenario) > 1 && ShardGroup(scenario) == NodeSize(scenario);
}

/** In how large groups a hierarchy of one kind of groups is cut. */
std::uint32_t
GroupSizeIn(const Scenario& scenario, bool crossesGroups)
{
    const auto members = MembersIn(scenario, crossesGroups);
    const auto usual = UsualGroupSizeOf(AlgorithmIn(scenario, crossesGroups), members);
    const auto ofAll = std::min(scenario.exchange.groupSize.value_or(usual), members);
    return GroupIn(scenario, crossesGroups).groupSize.value_or(ofAll);
}

/** Of all but what is inside nodes. */
ExchangeSpec
SpecBetweenNodes(const Scenario& scenario, std::uint64_t bytesPerElement)
{
    ExchangeSpec spec;
    spec.algorithm = scenario.exchange.algorithm;
    spec.workers = WorkerCount(scenario);
    spec.nodeSize = NodeSize(scenario);
    spec.ownBlocks = GatherAlgorithm(scenario) != scenario.exchange.algorithm;
    spec.broadcast = scenario.exchange.broadcast;
    spec.groupSize = GroupSize(scenario);
    spec.servers = scenario.cluster.servers;
    const auto collective = CollectiveOf(scenario);
    const bool gathers = collective == Meaning::ALL_GATHER || collective == Meaning::DISPATCH;
    const bool scatters = SharesOutSums(collective) || GathersWeights(scenario);
    spec.sharded = SharesOut(scenario);
    spec.shares = collective == Meaning::TRANSPOSE ? scenario.exchange.shares : nullptr;
    spec.expertsPerToken = IsRouted(scenario) ? scenario.exchange.expertsPerToken : 0;
    spec.phase = !spec.sharded ? SumPhase::ALL_REDUCE
                 : gathers     ? SumPhase::ALL_GATHER
                 : scatters    ? SumPhase::REDUCE_SCATTER
                               : SumPhase::ALL_REDUCE;
    spec.collective = AddsUp(scenario) ? Meaning::SUM : collective;
    spec.allToAll = scenario.exchange.allToAll;
    spec.shardGroup = ShardGroup(scenario);
    if (spec.shardGroup > 0)
    {
        spec.replicaAlgorithm = AlgorithmIn(scenario, true);
        spec.replicaGroupSize = GroupSizeIn(scenario, true);
        spec.algorithm = AlgorithmIn(scenario, false);
        spec.groupSize = GroupSizeIn(scenario, false);
    }
    spec.partElements =
        scenario.exchange.partBytes.value_or(UsualPartBytes(scenario)) / bytesPerElement;
    spec.flatRing = scenario.ring.isFlat;
    const bool picks = PicksBySize(scenario); // them, too
    spec.ringChannels = picks ? 1 : scenario.ring.channels;
    spec.ringChunkElements = picks ? 0 : scenario.ring.chunkBytes / bytesPerElement;
    spec.treeChunkElements = scenario.tree.chunkBytes / bytesPerElement;
    spec.bytesPerElement = bytesPerElement;
    spec.library = scenario.exchange.library;
    spec.gpus = AddedGpus(scenario);
    spec.nics = scenario.cluster.nics;
    spec.linkBytesPerSecond = scenario.cluster.WorkerBitsPerSecond() / 8;
    spec.gpuBytesPerSecond = scenario.cluster.gpuBytesPerSecond;
    return spec;
}

/** By which the GPUs of a node exchange among themselves, where they are ranks of several nodes. */
std::string
NodeAlgorithm(const Scenario& scenario)
{
    return AreShardsNodes(scenario) ? AlgorithmIn(scenario, false)
           : HasNodeStages(scenario) && !PicksBySize(scenario)
               ? scenario.ofNodes.algorithm.value_or("ring")
               : "ring";
}

/** By which nodes, or workers that are none, exchange. */
const ExchangeEntry&
BetweenNodes(const Scenario& scenario)
{
    const auto& replicas = scenario.ofReplicas.algorithm;
    return AreShardsNodes(scenario) && replicas ? ExchangeCatalog().Find(*replicas)
                                                : ExchangeOf(scenario);
}

/** Whether workers are several, of several GPUs that are simulated each. */
bool
AreNodes(const Scenario& scenario)
{
    return NodeSize(scenario) > 1 && scenario.cluster.workers > 1;
}

/** Whether switches hand on weights of all workers, or of their rails. */
bool
GathersInNetwork(const Scenario& scenario)
{
    return GathersWeights(scenario) && ShardGroup(scenario) == 0 &&
           !ExchangeCatalog().Find(GatherAlgorithm(scenario)).aggregation.empty();
}

auto
TiedTo(const CodecSettings& c)
{
    return std::tie(c.name,
                    c.bound,
                    c.dropBits,
                    c.castTo,
                    c.sum,
                    c.format,
                    c.isStochastic,
                    c.rowValues,
                    c.grouping,
                    c.backend,
                    c.isShifted,
                    c.placement,
                    c.encodeBytesPerSecond,
                    c.decodeBytesPerSecond,
                    c.bitsPerValue);
}

} // namespace

bool
operator==(const CodecSettings& a, const CodecSettings& b)
{
    return TiedTo(a) == TiedTo(b);
}

ExchangeSpec
MakeExchangeSpec(const Scenario& scenario, std::uint64_t bytesPerElement)
{
    auto spec = SpecBetweenNodes(scenario, bytesPerElement);
    spec.nodeAlgorithm = NodeAlgorithm(scenario);
    return spec;
}

std::uint32_t
GroupSize(const Scenario& scenario)
{
    const auto nodeSize = NodeSize(scenario);
    const auto nodes = scenario.cluster.workers > 1 ? scenario.cluster.workers : nodeSize;
    const auto& exchange = scenario.exchange;
    const bool isPairwise = !AddsUp(scenario) && exchange.allToAll == "pairwise";
    const auto usual = AddsUp(scenario) ? UsualGroupSizeOf(exchange.algorithm, nodes)
                       : isPairwise     ? UsualPairwiseGroup(nodeSize > 1 ? nodeSize : nodes)
                       : nodeSize > 1   ? nodeSize
                                        : UsualGroupSize(nodes);
    return exchange.groupSize.value_or(usual);
}

CodecPlacement
Placement(const Scenario& scenario)
{
    return scenario.codec.placement.value_or(FindCodec(scenario.codec.name).placement);
}

Scenario
CodedAs(const Scenario& scenario, bool crossesGroups)
{
    return CodedBy(scenario, CodecsOf(scenario, NodeSize(scenario))[crossesGroups]);
}

std::string
CodecKey(const Scenario& scenario, bool crossesGroups, const std::string& leaf)
{
    const bool isOwn = CodecsOf(scenario, NodeSize(scenario))[crossesGroups].count(leaf) > 0;
    const std::string group = ShardGroup(scenario) == 0 ? "node"
                              : crossesGroups           ? "replica"
                                                        : "shard";
    return (isOwn ? "group." + group + "." : std::string()) + "codec." + leaf;
}

bool
SaysCodecs(const Scenario& scenario)
{
    const auto& shards = scenario.ofShards;
    const auto& replicas = scenario.ofReplicas;
    const bool saysNothing = scenario.ofNodes.codec.empty() && shards.codec.empty() &&
                             replicas.codec.empty() && shards.isCoded && replicas.isCoded;
    if (saysNothing)
    {
        return false;
    }
    const auto said = CodecsOf(scenario, NodeSize(scenario));
    return !said[0].empty() || !said[1].empty();
}

bool
HasCodecsApart(const Scenario& scenario)
{
    return SaysCodecs(scenario) &&
           !(CodedAs(scenario, false).codec == CodedAs(scenario, true).codec);
}

CodecSpec
MakeCodecSpec(const Scenario& scenario)
{
    CodecSpec spec;
    spec.name = scenario.codec.name;
    spec.bound = scenario.codec.bound;
    spec.dropBits = scenario.codec.dropBits;
    spec.castTo = scenario.codec.castTo;
    spec.sum = scenario.codec.sum;
    spec.format = scenario.codec.format;
    spec.block = {scenario.codec.rowValues, scenario.codec.isStochastic, scenario.simulation.seed};
    spec.valueBytes = ReduceTypeOf(scenario) == "bf16" ? 2 : 4;
    spec.netzip = {scenario.codec.grouping, scenario.codec.backend, scenario.codec.isShifted};
    if (HasSketch(scenario))
    {
        spec.homomorphic = MakeHomomorphicSettings(scenario);
    }
    return spec;
}

std::string
CodecTitleOf(const Scenario& scenario)
{
    const auto of = [&scenario](bool crossesGroups) {
        return CodecTitle(MakeCodecSpec(CodedAs(scenario, crossesGroups)));
    };
    return HasCodecsApart(scenario) ? of(false) + "; " + of(true) : of(false);
}

CodecSpec
MakeBetweenSpec(const Scenario& scenario)
{
    auto spec = MakeCodecSpec(scenario);
    const auto usual = ParseBlockFormat(spec.format).between;
    spec.format = scenario.codec.between.value_or(usual.empty() ? spec.format : usual);
    return spec;
}

HomomorphicSettings
MakeHomomorphicSettings(const Scenario& scenario)
{
    HomomorphicSettings settings;
    settings.ratio = scenario.codec.ratio.value_or(settings.ratio);
    settings.index = FindHomomorphicIndex(scenario.codec.index);
    settings.bloom = {scenario.codec.bloomBits, scenario.codec.bloomHashes};
    return settings;
}

TopologySpec
MakeTopologySpec(const Scenario& scenario)
{
    const auto& cluster = scenario.cluster;
    TopologySpec spec;
    spec.name = cluster.topology;
    spec.hosts = WorkerCount(scenario) + OtherRanks(scenario);
    spec.nodeSize = NodeSize(scenario);
    spec.nics = cluster.nics;
    spec.hostsPerLeaf = cluster.hostsPerLeaf;
    spec.spines = cluster.spines;
    spec.arity = cluster.arity;
    spec.trunks = cluster.trunks;
    return spec;
}

bool
AddsInsideNodes(const ExchangeEntry& entry)
{
    return entry.shards && (entry.inOneSwitch || entry.name == "ring");
}

std::string
GatherAlgorithm(const Scenario& scenario)
{
    const auto& exchange = scenario.exchange;
    const bool mayDiffer =
        GathersWeights(scenario) && ShardGroup(scenario) == 0 && !HasSketch(scenario);
    return mayDiffer ? exchange.gatherAlgorithm.value_or(exchange.algorithm) : exchange.algorithm;
}

SumScope
SumScopeOf(const Scenario& scenario)
{
    if (!ReducesInNetwork(scenario))
    {
        return SumScope::NONE;
    }
    const bool isHalf = GathersInNetwork(scenario) == BetweenNodes(scenario).aggregation.empty();
    return AreNodes(scenario)                   ? SumScope::RAILS
           : GathersWeights(scenario) && isHalf ? SumScope::HALF
                                                : SumScope::WORKERS;
}

const ExchangeEntry*
AddingExchange(const Scenario& scenario, bool inNodes)
{
    if (inNodes)
    {
        const auto& inside = ExchangeCatalog().Find(NodeAlgorithm(scenario));
        return AreNodes(scenario) && !inside.aggregation.empty() ? &inside : nullptr;
    }
    const auto& between = BetweenNodes(scenario);
    return SumScopeOf(scenario) == SumScope::NONE ? nullptr
           : !between.aggregation.empty()         ? &between
                                          : &ExchangeCatalog().Find(GatherAlgorithm(scenario));
}

std::string
AddingKey(const Scenario& scenario, bool inNodes)
{
    const bool areGroups = ShardGroup(scenario) > 0;
    const bool areGathers =
        BetweenNodes(scenario).aggregation.empty() && GathersInNetwork(scenario);
    return inNodes      ? (areGroups ? "group.shard.algorithm" : "group.node.algorithm")
           : areGroups  ? "group.replica.algorithm"
           : areGathers ? "exchange.gather_algorithm"
                        : "exchange.algorithm";
}

const ExchangeEntry*
AddingExchange(const Scenario& scenario)
{
    const auto* const between = AddingExchange(scenario, false);
    return between != nullptr ? between : AddingExchange(scenario, true);
}

bool
SwitchesAdd(const Scenario& scenario)
{
    return SwitchesAdd(scenario, true) || SwitchesAdd(scenario, false);
}

bool
SwitchesAdd(const Scenario& scenario, bool inNodes)
{
    return HasSums(scenario) && (inNodes ? AddingExchange(scenario, true) != nullptr
                                         : !BetweenNodes(scenario).aggregation.empty());
}

bool
HasMessages(const Scenario& scenario)
{
    const auto scope = SumScopeOf(scenario);
    const bool gathers = GathersWeights(scenario) && ShardGroup(scenario) == 0;
    const bool areRails = scope == SumScope::RAILS && SwitchesAdd(scenario, true) &&
                          SwitchesAdd(scenario, false) && gathers == GathersInNetwork(scenario);
    return scope != SumScope::WORKERS && !areRails;
}

Rank
AddedTogether(const Scenario& scenario, bool inNodes)
{
    return inNodes                                   ? NodeSize(scenario)
           : SumScopeOf(scenario) == SumScope::RAILS ? scenario.cluster.workers
                                                     : WorkerCount(scenario);
}

const AggregationSchemeEntry*
SchemeOf(const Scenario& scenario)
{
    const auto* const adding = AddingExchange(scenario);
    return adding != nullptr ? &AggregationSchemeCatalog().Find(adding->aggregation) : nullptr;
}

std::unique_ptr<AggregationScheme>
MakeScheme(const Scenario& scenario, bool inNodes, std::uint32_t concurrent)
{
    if (AddingExchange(scenario, inNodes) == nullptr)
    {
        return nullptr;
    }
    const auto& entry = *SchemeOf(scenario);
    SchemeSpec spec;
    for (const auto& setting : entry.settings)
    {
        const auto given = scenario.rowSettings.find(setting.key);
        if (given != scenario.rowSettings.end())
        {
            spec.values.insert(*given);
        }
    }
    spec.workers = AddedTogether(scenario, inNodes);
    spec.mtu = scenario.cluster.mtu;
    spec.sequences = inNodes ? 2 : SequencesOf(scenario, concurrent);
    spec.adds = SwitchesAdd(scenario, inNodes);
    spec.handsOn =
        inNodes || GathersInNetwork(scenario) || (SharesOut(scenario) && !GathersWeights(scenario));
    spec.wordsAsTheyAre = HasSketch(scenario);
    return entry.make(spec);
}

std::size_t
PlaceOfProtocol(const std::vector<ProtocolSettings>& protocols, std::uint64_t bytes)
{
    const auto found = std::find_if(protocols.begin(), protocols.end() - 1, [bytes](const auto& p) {
        return bytes <= p.upToBytes;
    });
    return static_cast<std::size_t>(found - protocols.begin());
}

Meaning
CollectiveOf(const Scenario& scenario)
{
    return HasCompute(scenario) ? Meaning::SUM : scenario.exchange.collective;
}

bool
HasSums(const Scenario& scenario)
{
    const auto collective = CollectiveOf(scenario);
    return collective == Meaning::SUM || SharesOutSums(collective);
}

bool
AddsUp(const Scenario& scenario)
{
    return CollectiveOf(scenario) == Meaning::SUM || SharesOut(scenario);
}

bool
SharesOut(const Scenario& scenario)
{
    const auto collective = CollectiveOf(scenario);
    return IsSharded(scenario) || collective == Meaning::REDUCE_SCATTER ||
           collective == Meaning::ALL_GATHER ||
           (IsRouted(scenario) && !ExchangeOf(scenario).aggregation.empty());
}

bool
IsRouted(const Scenario& scenario)
{
    const auto collective = CollectiveOf(scenario);
    return collective == Meaning::DISPATCH || collective == Meaning::COMBINE;
}

bool
HasAggregator(const Scenario& scenario)
{
    return ExchangeOf(scenario).returnsWeights;
}

std::uint32_t
NodeSize(const Scenario& scenario)
{
    const auto& cluster = scenario.cluster;
    const auto& exchange = ExchangeOf(scenario);
    const bool areWorkers = exchange.otherRanks({}) == 0;
    const bool addFirst = HasSketch(scenario) || Sparsifies(scenario) || ShareEngine(scenario) ||
                          (scenario.training.values && !scenario.training.valuesFile.empty());
    return areWorkers && !addFirst && !IsOverTcp(scenario) ? cluster.gpus : 1;
}

std::uint32_t
WorkerCount(const Scenario& scenario)
{
    return scenario.cluster.workers * NodeSize(scenario);
}

std::uint32_t
AddedGpus(const Scenario& scenario)
{
    return scenario.cluster.gpus / NodeSize(scenario);
}

Sharding
ShardingOf(const Scenario& scenario)
{
    const auto& training = scenario.training;
    if (training.sharding != Sharding::HYBRID || ShardGroup(scenario) > 0)
    {
        return training.sharding;
    }
    return training.shardGroup == 1U ? Sharding::NONE : Sharding::FULL;
}

std::uint32_t
ShardGroup(const Scenario& scenario)
{
    const auto& training = scenario.training;
    const auto size = training.shardGroup.value_or(1);
    const bool isGroup = size > 1 && size < WorkerCount(scenario);
    return training.sharding == Sharding::HYBRID && isGroup ? size : 0;
}

bool
IsSharded(const Scenario& scenario)
{
    return ShardingOf(scenario) != Sharding::NONE;
}

std::uint32_t
SequencesOf(const Scenario& scenario, std::uint32_t concurrent)
{
    const bool areBoth = IsSharded(scenario) && SumScopeOf(scenario) != SumScope::HALF;
    return areBoth && concurrent > 1 ? 2 : 1;
}

bool
IsOverTcp(const Scenario& scenario)
{
    return TransportCatalog().Find(scenario.transport.name).isTcp;
}

bool
HasFrames(const Scenario& scenario)
{
    return TransportCatalog().Find(scenario.transport.name).hasFrames;
}

bool
GathersWeights(const Scenario& scenario)
{
    const auto sharding = ShardingOf(scenario);
    return sharding == Sharding::FULL || sharding == Sharding::HYBRID;
}

bool
GathersApart(const Scenario& scenario)
{
    return GathersWeights(scenario) && scenario.exchange.communicators > 1;
}

std::uint32_t
AtOnce(const Scenario& scenario)
{
    return GathersApart(scenario) ? 2 : scenario.exchange.concurrent;
}

bool
HasServers(const Scenario& scenario)
{
    return OtherRanks(scenario) > 0 && !HasAggregator(scenario);
}

bool
HasGroups(const Scenario& scenario)
{
    const bool areOfAllToAll = !AddsUp(scenario) && IsAllToAll(CollectiveOf(scenario)) &&
                               scenario.exchange.allToAll != "direct";
    return areOfAllToAll || (ShardGroup(scenario) > 0
                                 ? IsHierarchyIn(scenario, false) || IsHierarchyIn(scenario, true)
                                 : ExchangeOf(scenario).inGroups);
}

const GroupSettings&
GroupIn(const Scenario& scenario, bool crossesGroups)
{
    return crossesGroups ? scenario.ofReplicas : scenario.ofShards;
}

std::string
AlgorithmIn(const Scenario& scenario, bool crossesGroups)
{
    return GroupIn(scenario, crossesGroups).algorithm.value_or(scenario.exchange.algorithm);
}

bool
IsHierarchyIn(const Scenario& scenario, bool crossesGroups)
{
    return ExchangeCatalog().Find(AlgorithmIn(scenario, crossesGroups)).inGroups;
}

std::uint32_t
MembersIn(const Scenario& scenario, bool crossesGroups)
{
    const auto size = ShardGroup(scenario);
    const auto ofNode = NodeSize(scenario);
    return crossesGroups                         ? WorkerCount(scenario) / size
           : size > ofNode && size % ofNode == 0 ? size / ofNode // of each rail
                                                 : size;
}

bool
DecodesOwn(const Scenario& scenario)
{
    return ExchangeOf(scenario).allToAll && HasHostCodec(scenario);
}

bool
HasSomeServers(const Scenario& scenario)
{
    return ExchangeOf(scenario).onServers;
}

bool
ReducesInNetwork(const Scenario& scenario)
{
    return !BetweenNodes(scenario).aggregation.empty() || GathersInNetwork(scenario);
}

bool
HasNodeStages(const Scenario& scenario)
{
    return AddsUp(scenario) && SpecBetweenNodes(scenario, VALUE_BYTES).HasNodeStages();
}

bool
PicksBySize(const Scenario& scenario)
{
    return scenario.exchange.library != "none";
}

bool
HasTrunks(const Scenario& scenario)
{
    return TopologyCatalog().Find(scenario.cluster.topology).hasTrunks;
}

std::uint64_t
TrunkBitsPerSecond(const Scenario& scenario)
{
    const auto& cluster = scenario.cluster;
    const auto rate = cluster.trunkBitsPerSecond.value_or(cluster.WorkerBitsPerSecond());
    if (!cluster.oversubscription)
    {
        return rate;
    }
    const auto hosts =
        TopologyCatalog().Find(cluster.topology).hostsPerTrunk(NodesOf(MakeTopologySpec(scenario)));
    constexpr double most = 1e18;
    const auto fair = static_cast<double>(rate) * hosts / *cluster.oversubscription;
    return static_cast<std::uint64_t>(std::llround(std::clamp(fair, 1.0, most)));
}

bool
HasCodec(const Scenario& scenario)
{
    return IsSomeCodec(scenario, [](const Scenario& one) { return one.codec.name != "none"; });
}

bool
NamesCodec(const Scenario& scenario)
{
    return scenario.codec.name != "none" || HasCodec(scenario);
}

bool
HasEngines(const Scenario& scenario)
{
    return IsSomeCodec(scenario, IsInEngines);
}

bool
HasSketch(const Scenario& scenario)
{
    return scenario.codec.name == "homomorphic";
}

bool
HasLossyCodec(const Scenario& scenario)
{
    return !HasSketch(scenario) && IsSomeCodec(scenario, [](const Scenario& one) {
        return !MakeCodec(MakeCodecSpec(one))->IsLossless();
    });
}

std::string
GradientTypeOf(const Scenario& scenario)
{
    const auto& training = scenario.training;
    return training.gradientType.value_or(training.readTrace ? training.readTrace->gradientType
                                                             : "fp32");
}

std::string
ReduceTypeOf(const Scenario& scenario)
{
    return scenario.training.reduceType.value_or(GradientTypeOf(scenario));
}

bool
IsSizedByStatistics(const Scenario& scenario)
{
    return IsSomeCodec(scenario, [](const Scenario& one) {
        return IsSizedByValues(one) && !one.codec.bitsPerValue;
    });
}

bool
UnderratesSums(const Scenario& scenario)
{
    const bool codesOwnAlone = HasAggregator(scenario) && !HasGroups(scenario);
    return IsSizedByValues(scenario) && !codesOwnAlone;
}

bool
HasHostCodec(const Scenario& scenario)
{
    return IsSomeCodec(scenario, [](const Scenario& one) {
        return one.codec.name != "none" && !IsInEngines(one);
    });
}

bool
Sparsifies(const Scenario& scenario)
{
    return scenario.sparsify.method != "none";
}

bool
HasCompute(const Scenario& scenario)
{
    return scenario.training.trace.rfind("tensor:", 0) != 0;
}

bool
HasJitter(const Scenario& scenario)
{
    const auto& training = scenario.training;
    return training.jitter != Jitter::NONE && training.jitterSd > 0 && HasCompute(scenario);
}

bool
HasRandomValues(const Scenario& scenario)
{
    return scenario.training.values && scenario.training.valuesFile.empty();
}

bool
TopologyReads(const Scenario& scenario, const std::string& clusterKey)
{
    return IsAmong(clusterKey, TopologyCatalog().Find(scenario.cluster.topology).keys);
}

bool
CodecReads(const Scenario& scenario, const std::string& argument)
{
    return IsSomeCodec(scenario, [&argument](const Scenario& one) {
        return IsAmong(argument, FindCodec(one.codec.name).arguments);
    });
}

std::uint64_t
FrameGroup(const Scenario& scenario)
{
    const auto groupOf = [](const Scenario& one) {
        return IsInEngines(one) ? FindCodec(one.codec.name).group : 1;
    };
    return !SaysCodecs(scenario)
               ? groupOf(scenario)
               : std::lcm(groupOf(CodedAs(scenario, false)), groupOf(CodedAs(scenario, true)));
}

std::uint64_t
HeaderBytes(const Scenario& scenario)
{
    return TransportCatalog().Find(scenario.transport.name).headerBytes;
}

std::uint64_t
FramePayloadBytes(const Scenario& scenario)
{
    return HasFrames(scenario) ? MaxPayloadBytes(scenario.cluster.mtu, FrameGroup(scenario))
                               : scenario.cluster.mtu - HeaderBytes(scenario);
}

std::string
ExtensionsOf(const Scenario& scenario)
{
    std::string names;
    const auto add = [&names](const char* kind, const auto& entry) {
        names += entry.isExtension
                     ? (names.empty() ? "" : ", ") + std::string(kind) + " '" + entry.name + "'"
                     : "";
    };
    add("codec", FindCodec(CodedAs(scenario, false).codec.name));
    if (HasCodecsApart(scenario))
    {
        add("codec", FindCodec(CodedAs(scenario, true).codec.name));
    }
    add("exchange", ExchangeOf(scenario));
    add("topology", TopologyCatalog().Find(scenario.cluster.topology));
    add("training", TrainingCatalog().Find(scenario.training.program));
    add("transport", TransportCatalog().Find(scenario.transport.name));
    if (const auto* const scheme = SchemeOf(scenario))
    {
        add("aggregation scheme", *scheme);
    }
    return names;
}

std::uint64_t
CopyBytesPerSecond(const Scenario& scenario)
{
    const std::uint64_t gpus = scenario.cluster.gpus;
    const auto mostOfOne = std::numeric_limits<std::uint64_t>::max() / gpus;
    return HasCompute(scenario) ? gpus * std::min(mostOfOne, scenario.host.copyBytesPerSecond) : 0;
}

} // namespace inca
