/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SCENARIO_SPECS_H
#define INCA_SCENARIO_SPECS_H

#include "inca/base/wire-format.h"
#include "inca/codec/codec-catalog.h"
#include "inca/exchange/aggregation-scheme.h"
#include "inca/exchange/exchange-catalog.h"
#include "inca/exchange/transport-catalog.h"
#include "inca/job/training-catalog.h"
#include "inca/scenario/scenario.h"
#include "inca/topology/topology-spec.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace inca
{

/**
 * What the scenario tells its exchange.
 * @param bytesPerElement by which segments and chunks are cut
 */
ExchangeSpec MakeExchangeSpec(const Scenario& scenario,
                              std::uint64_t bytesPerElement = VALUE_BYTES);

/**
 * The scenario with the codec of messages between groups, or of those within them, as its [codec]: [group.replica.codec] or
 * [group.shard.codec], or [group.node.codec] within workers, say what differs from that.
 */
Scenario CodedAs(const Scenario& scenario, bool crossesGroups);

/** @return the key by which it is said: "codec.encode_rate", or "group.replica.codec.encode_rate". @param leaf encode_rate, say */
std::string CodecKey(const Scenario& scenario, bool crossesGroups, const std::string& leaf);

bool SaysCodecs(const Scenario& scenario);     ///< whether groups say something of it
bool HasCodecsApart(const Scenario& scenario); ///< whether they have different ones

/** What the scenario tells its codec. */
CodecSpec MakeCodecSpec(const Scenario& scenario);

/** How files of values and of curves call its codec, or those of its groups. */
std::string CodecTitleOf(const Scenario& scenario);

/** What it tells the codec between nodes, of one that reads "format". */
CodecSpec MakeBetweenSpec(const Scenario& scenario);

/** What the scenario tells homomorphic compression; a ratio of "safe" is left as it is by default. */
HomomorphicSettings MakeHomomorphicSettings(const Scenario& scenario);

/** What the scenario tells its topology: how many hosts its exchange has, and how they are wired. */
TopologySpec MakeTopologySpec(const Scenario& scenario);

/** The aggregation scheme by which its switches add, those inside nodes as others; null: none do. */
const AggregationSchemeEntry* SchemeOf(const Scenario& scenario);

/**
 * The same with its settings, as those inside nodes have it, or the others.
 * @param concurrent exchanges in flight per rank
 * @return null if they do not add
 */
std::unique_ptr<AggregationScheme> MakeScheme(const Scenario& scenario,
                                              bool inNodes,
                                              std::uint32_t concurrent);

/**
 * GPUs of a worker that are simulated each, on a network of their own: all of them; or 1, where a worker is one host, whose
 * GPUs add up by a formula (AddedGpus). It is one where switches or servers add, sketches or sparse gradients are made of
 * what GPUs have added, an engine is shared, values are a file's, or messages travel over TCP.
 */
std::uint32_t NodeSize(const Scenario& scenario);
std::uint32_t WorkerCount(const Scenario& scenario); ///< as exchanges count them: of NodeSize each
std::uint32_t AddedGpus(const Scenario& scenario);   ///< whose gradients are those of one of these

/** What a key stands for that is not given. @{ */
Sharding ShardingOf(
    const Scenario& scenario); ///< hybrid with one group, or with groups of one, is another one
std::uint32_t ShardGroup(
    const Scenario& scenario); ///< of hybrid sharding: 0 where it is another one
std::uint32_t GroupSize(const Scenario& scenario);  ///< of a hierarchy: one that fits the workers
CodecPlacement Placement(const Scenario& scenario); ///< of the codec: one that it can have
/** @} */

/** @return whether the GPUs of one node may exchange by @p entry before and after nodes do */
bool AddsInsideNodes(const ExchangeEntry& entry);

SumScope SumScopeOf(const Scenario& scenario);

/** @return the algorithm by which weights are gathered over all workers, or exchange.algorithm where none are */
std::string GatherAlgorithm(const Scenario& scenario);

/** @return the algorithm whose switches add, those inside nodes or the others; null: they do not */
const ExchangeEntry* AddingExchange(const Scenario& scenario, bool inNodes);
const ExchangeEntry* AddingExchange(const Scenario& scenario); ///< of others, or inside nodes

/** @return the key that says it */
std::string AddingKey(const Scenario& scenario, bool inNodes);

/** @return whether switches add values somewhere, and do not only hand on what workers have */
bool SwitchesAdd(const Scenario& scenario);
bool SwitchesAdd(const Scenario& scenario, bool inNodes); ///< those inside nodes, or the others

/** @return whether workers send each other messages, beside what switches add */
bool HasMessages(const Scenario& scenario);

/** @return how many workers' values a sum of switches is of, of those inside nodes or of the others */
Rank AddedTogether(const Scenario& scenario, bool inNodes);

/** Which of @p protocols, one at least, is that of an exchange of @p bytes. */
std::size_t PlaceOfProtocol(const std::vector<ProtocolSettings>& protocols, std::uint64_t bytes);

/** Questions that several keys and checks ask of a scenario. @throws InputError at an unknown name @{ */
bool IsSharded(const Scenario& scenario); ///< workers keep the optimizer's state of a part each
Meaning CollectiveOf(const Scenario& scenario); ///< of a training, which adds up: SUM
bool IsRouted(const Scenario& scenario); ///< each token goes to some workers, or comes from them
bool HasSums(const Scenario& scenario);  ///< something is added, not only handed on
bool AddsUp(const Scenario& scenario);   ///< sums or gathers, as its exchange's algorithm does
bool SharesOut(
    const Scenario& scenario); ///< workers end with the sums of a part, or begin with one
bool HasAggregator(const Scenario& scenario);  ///< its exchange has one, which updates the weights
bool HasServers(const Scenario& scenario);     ///< its exchange has such, which only add
bool HasSomeServers(const Scenario& scenario); ///< cluster.servers says how many of them
bool HasGroups(const Scenario& scenario);      ///< its exchange is a hierarchy
/** With hybrid sharding: of those that share weights out, or of replicas, whose messages cross these groups. @{ */
const GroupSettings& GroupIn(const Scenario& scenario, bool crossesGroups);
std::string AlgorithmIn(const Scenario& scenario, bool crossesGroups); ///< by which they exchange
bool IsHierarchyIn(const Scenario& scenario, bool crossesGroups);      ///< that is a hierarchy
std::uint32_t MembersIn(const Scenario& scenario, bool crossesGroups); ///< that exchange
/** @} */
bool DecodesOwn(const Scenario& scenario);       ///< who sums a block, too, what it sends of it
bool ReducesInNetwork(const Scenario& scenario); ///< switches add for all workers, or their rails
bool HasNodeStages(
    const Scenario& scenario); ///< GPUs of a worker exchange before, and after, workers do
bool PicksBySize(const Scenario& scenario); ///< a library picks its exchanges (exchange/library.h)
bool HasTrunks(const Scenario& scenario);   ///< its topology has more than one switch
std::uint64_t TrunkBitsPerSecond(const Scenario& scenario); ///< of a cable between switches
bool HasCodec(const Scenario& scenario);                    ///< some group's is not "none"
bool NamesCodec(const Scenario& scenario);                  ///< or [codec] has a name
bool HasEngines(const Scenario& scenario);                  ///< some group's codec is in NICs
bool IsOverTcp(const Scenario& scenario);                   ///< messages travel over TCP
bool HasFrames(const Scenario& scenario);      ///< they are frames of INCA's own transport
bool GathersWeights(const Scenario& scenario); ///< workers keep a shard of them only
bool GathersApart(const Scenario& scenario);   ///< over a communicator of its own
bool HasSketch(const Scenario& scenario);      ///< "homomorphic": it codes buckets, not frames
bool HasLossyCodec(const Scenario& scenario); ///< one of frames, which does not bring back all bits
bool HasHostCodec(const Scenario& scenario);  ///< some group's codec runs on cpu or gpu
bool Sparsifies(const Scenario& scenario);    ///< by any method but "none"
bool HasCompute(const Scenario& scenario);    ///< a trace, not a lone tensor
bool HasJitter(const Scenario& scenario);     ///< its compute times vary
bool HasRandomValues(const Scenario& scenario); ///< carries values that no file gives
/** @} */

/** Exchanges of a worker that may go on at the same time. */
std::uint32_t AtOnce(const Scenario& scenario);

/** Of packets of sums, but for those inside nodes: 2 where these are shared out while other exchanges go on (SlotFormat). */
std::uint32_t SequencesOf(const Scenario& scenario, std::uint32_t concurrent);

/** fp32, fp16 or bf16: the scenario's, else the trace's, if it is read. */
std::string GradientTypeOf(const Scenario& scenario);

/** In which gradients are added: what is said instead of it, where it is. */
std::string ReduceTypeOf(const Scenario& scenario);

/** Only sizes travel, and what the codec makes of a value is known by the trace's statistics alone. */
bool IsSizedByStatistics(const Scenario& scenario);

/**
 * Only sizes travel, of a codec that makes them by values, in an exchange that codes sums again, which are larger than a
 * worker's own gradient: what is known of that is too little for them.
 */
bool UnderratesSums(const Scenario& scenario);

/** What the row of a scenario's topology or codec says that it reads. @{ */
bool TopologyReads(const Scenario& scenario, const std::string& clusterKey); ///< "hosts_per_leaf"
bool CodecReads(const Scenario& scenario, const std::string& argument);      ///< "drop-bits"
/** @} */

/** Values that engines decode together (CodecEntry::group), of which a frame holds whole groups; 1 where none codes frames. */
std::uint64_t FrameGroup(const Scenario& scenario);

/** What stands before the payload in an IP packet of its transport. (bytes) */
std::uint64_t HeaderBytes(const Scenario& scenario);

/** The most payload of a frame: whole FrameGroups; a segment of TCP. (bytes) */
std::uint64_t FramePayloadBytes(const Scenario& scenario);

/** What it uses that is no part of INCA, for people: "codec 'sparse'"; empty: nothing. */
std::string ExtensionsOf(const Scenario& scenario);

/**
 * What copies between GPUs and host memory run at, a worker's GPUs side by side; 0: none are made, as
 * with a lone tensor.
 */
std::uint64_t CopyBytesPerSecond(const Scenario& scenario);

} // namespace inca

#endif // INCA_SCENARIO_SPECS_H
