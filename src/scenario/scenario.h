/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SCENARIO_SCENARIO_H
#define INCA_SCENARIO_SCENARIO_H

#include "inca/base/setting.h"
#include "inca/codec/codec-catalog.h"
#include "inca/exchange/exchange-spec.h"
#include "inca/exchange/send-unit.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

struct GradientTrace;

/** training.sharding: what a worker keeps of the weights and of the optimizer's state. */
enum class Sharding
{
    NONE,      ///< all
    OPTIMIZER, ///< the state of a part, which it updates (ZeRO-1 and ZeRO-2)
    FULL,      ///< a part of both (FSDP, ZeRO-3)
    HYBRID,    ///< the same in each group of workers, which are replicas of each other (HSDP)
};

/** training.update: when weights are updated. */
enum class UpdateMode
{
    END,    ///< by GPUs, once all gradients are summed
    BUCKET, ///< by GPUs, each bucket's as it comes
    HOST,   ///< by the host, likewise
};

/** training.jitter: how compute times vary. */
enum class Jitter
{
    NONE,
    NORMAL,
    LOGNORMAL,
};

/** transport.congestion: what sets TCP's congestion window. */
enum class Congestion
{
    CUBIC,
    NEWRENO,
    DCTCP,
};

/** cluster.routing: which of several equal paths a flow takes. */
enum class Routing
{
    ECMP,    ///< by a hash of its source and destination
    D_MOD_K, ///< by its destination's number
};

/** simulation.mode */
enum class SimulationMode
{
    AUTO,   ///< what is the same is simulated once
    PACKET, ///< every frame of every rank is simulated
    FLOW,   ///< messages are flows with fair rates, and no frame is simulated
};

/** Table [training]: what is trained, and how it is replayed. */
struct TrainingSettings
{
    std::string trace;                              ///< a shipped name, a path, or "tensor:100MB"
    std::shared_ptr<const GradientTrace> readTrace; ///< what that is; null: to be read
    std::uint32_t iterations{1};                    ///< 1..1'000'000
    SendUnit send{SendUnit::BUCKET};
    bool overlap{true};            ///< send while backward goes on
    bool values{false};            ///< carry real gradient bytes and verify every sum
    std::string valuesFile;        ///< safetensors, "{worker}" is its number; empty = drawn
    std::uint32_t accumulation{1}; ///< micro-batches per exchange, 1..65'536
    UpdateMode update{UpdateMode::END};
    bool barrier{false}; ///< the next forward pass waits for all updates
    Jitter jitter{Jitter::NONE};
    double jitterSd{0}; ///< relative to every compute time, 0..1
    bool jitterBySteps{
        false}; ///< jitter_scope: a factor for each iteration; else for each computation
    std::optional<double> unionExponent; ///< a of 1 - (1 - d)^(W^a), 0..1; empty = the trace's
    std::optional<double> density;       ///< of every layer, above 0 to 1; empty = the trace's
    Sharding sharding{Sharding::NONE};
    std::optional<std::uint32_t> shardGroup; ///< of HYBRID: workers of a group
    bool addsReplicasOnce{
        false}; ///< replica_sums: of HYBRID, once for each update; else after each micro-batch
    std::string program{"data-parallel"};    ///< a name of job/training-catalog.h
    std::optional<std::string> gradientType; ///< fp32, fp16 or bf16; empty = the trace's
    std::optional<std::string> reduceType;   ///< likewise; empty = the gradients'
    std::optional<std::string> weightType;   ///< likewise; empty = the gradients'
};

/** One table of [[cluster.worker]]: what sets this worker apart. */
struct WorkerOverride
{
    std::uint32_t index{0};                     ///< below ClusterSettings::workers
    std::optional<std::uint64_t> bitsPerSecond; ///< of its link; empty = the cluster's
    double computeScale{1};                     ///< times the trace's compute times, above 0

    std::uint64_t Id() const ///< sets tables apart
    {
        return index;
    }
};

/** One table of [[host.protocol]]: what exchanges of some size cost hosts (exchange/protocol-costs.h). */
struct ProtocolSettings
{
    std::uint64_t upToBytes{1};      ///< of gradients in an exchange
    std::int64_t startPs{0};         ///< of the exchange
    std::int64_t messagePs{0};       ///< of each message, to its sender
    std::uint64_t bytesPerSecond{0}; ///< the same of each of its bytes; 0: nothing

    std::uint64_t Id() const ///< sets tables apart
    {
        return upToBytes;
    }
};

/** Constants that explain the measurements of a preset (inca calibrate), in place of its own. */
struct Explanation
{
    std::string name; ///< for people: "as much as can be by messages"
    /** What its errors are of: "sizes" between those that it was fitted to, "ranks" between those; empty: it was fitted to all. */
    std::string leftOut;
    double linkSpeed{1}; ///< times cluster.bandwidth
    std::vector<ProtocolSettings> protocols;
    std::vector<double>
        errors; ///< |ln(measured / predicted)| of the times that it was not fitted to
};

/** How far the constants of a preset are to be trusted. */
struct CalibratedRange
{
    std::uint64_t leastBytes{0}; ///< of the measured exchanges
    std::uint64_t mostBytes{0};
    std::set<std::uint32_t> ranks; ///< that were measured
    std::vector<Explanation> explanations;
};

/** Table [cluster]: hosts, links and switches. */
struct ClusterSettings
{
    std::uint32_t workers{4}; ///< 1..65'536; aggregators and servers are not counted
    std::optional<std::uint32_t>
        servers;                   ///< of sharded-parameter-server; empty = as many as workers
    std::string topology{"star"};  ///< a name of topology-catalog
    std::uint32_t hostsPerLeaf{4}; ///< leaf-spine
    std::uint32_t spines{2};       ///< leaf-spine
    std::uint32_t arity{4};        ///< fat-tree: ports of every switch, an even number
    std::uint32_t trunks{1};       ///< rack-pair: parallel cables between the racks
    std::optional<std::uint64_t> trunkBitsPerSecond; ///< between switches; empty = a worker's, or:
    std::optional<double>
        oversubscription; ///< what a switch's hosts can send over what its trunks carry
    Routing routing{Routing::ECMP};
    std::uint64_t ecmpSeed{1}; ///< of the hash that spreads flows over equal paths
    std::uint64_t bitsPerSecond{10'000'000'000}; ///< of a worker's link
    std::optional<std::uint64_t>
        aggregatorBitsPerSecond;           ///< an aggregator's, a server's; empty = the same
    std::int64_t latencyPs{1'000'000};     ///< one way, per link
    std::uint32_t mtu{1500};               ///< bytes of an IP packet, 576..9216
    std::uint64_t bufferBytes{16U << 20U}; ///< of one switch port
    double lossRate{0};                    ///< of every link, each way, 0..0.5
    std::uint32_t gpus{1};                 ///< of each worker, 1..1'024
    std::uint64_t gpuBytesPerSecond{12'000'000'000}; ///< between a worker's GPUs, each, each way
    std::int64_t gpuLatencyPs{0};                    ///< of a message between them
    std::uint32_t nics{1};                           ///< of each worker, 1..1'024, each with a link
    std::vector<WorkerOverride> overrides;           ///< ascending by index, each once
    std::string preset;                              ///< a file of inca calibrate; empty = none
    std::shared_ptr<const struct Scenario> asFitted; ///< what that file alone sets; null: none
    std::shared_ptr<const CalibratedRange> calibrated; ///< its constants' range; null: none

    /** All links of a worker together: NICs share what it sends. */
    std::uint64_t WorkerBitsPerSecond() const
    {
        return nics * bitsPerSecond;
    }
};

/** Table [exchange]: how all workers end up with the same sum. */
struct ExchangeSettings
{
    std::string algorithm{"ring"};          ///< a name of exchange-catalog
    std::string library{"none"};            ///< that picks an exchange by size (exchange/library.h)
    Meaning collective{Meaning::SUM};       ///< of a lone tensor
    BlockShares shares;                     ///< of a TRANSPOSE; null: its blocks are equal
    std::uint32_t expertsPerToken{2};       ///< of a DISPATCH or COMBINE
    std::string allToAll{"pairwise"};       ///< a name of AllToAllNames
    std::string broadcast{"binomial"};      ///< flat or binomial: how weights go down
    std::optional<std::uint32_t> groupSize; ///< of the hierarchies; empty = UsualGroupSize
    std::uint64_t firstBucketBytes{1U << 20U}; ///< so large, the first bucket ends (PyTorch's DDP)
    std::uint64_t bucketBytes{25U << 20U};     ///< so large, any other ends; fused: the most of one
    std::int64_t cyclePs{0};                   ///< fused buckets start in cycles of this; 0 = none
    std::uint64_t chunkBytes{0}; ///< a bucket is exchanged in chunks of this; 0 = whole
    std::optional<std::uint64_t>
        partBytes;               ///< of a message between nodes; 0 = one part; empty = by its costs
    bool priority{false};        ///< order: lower layers first; else as they are ready
    std::uint32_t concurrent{1}; ///< chunks in flight per worker, 1..1024
    std::optional<std::string> gatherAlgorithm; ///< of weights; empty = algorithm
    std::uint32_t communicators{1};             ///< 2: gathers of weights have one of their own
    bool startTogether{false}; ///< start: when everybody's gradients are ready; else a worker's own
    bool sumOnArrival{
        false}; ///< sum: an aggregator or server sums on arrival of gradients; else after
};

struct Scenario;

/** A key of [codec] that a group has for itself. */
struct OwnKey
{
    std::string text;                    ///< of its value
    std::function<void(Scenario&)> take; ///< sets [codec] to it
};

/** By their names, without the table's. */
using OwnKeys = std::map<std::string, OwnKey>;

/** Tables [group.node], [group.shard] and [group.replica]: what sets the exchanges of one kind of group apart. */
struct GroupSettings
{
    std::optional<std::string>
        algorithm; ///< a name of exchange-catalog; empty = ExchangeSettings::algorithm
    std::optional<std::uint32_t>
        groupSize;      ///< in a hierarchy of theirs; empty = ExchangeSettings::groupSize
    bool isCoded{true}; ///< compress: by the codec, if there is one
    OwnKeys codec;      ///< its table codec: what differs from [codec]
};

/** Table [ring]. */
struct RingSettings
{
    bool codedOwnerCopy{
        false};         ///< owner_copy: decode(encode(sum)), as everybody gets it; else exact
    bool isFlat{false}; ///< gpus: through all of them; else in stages
    std::uint32_t channels{1};   ///< rings at the same time, each of its share of the values, 1..64
    std::uint64_t chunkBytes{0}; ///< a channel's blocks in a turn; 0 = one turn, of all it has
};

/** Table [tree]. */
struct TreeSettings
{
    std::uint64_t chunkBytes{64U << 10U}; ///< what follows each other through a tree
};

/** Table [switch], without the keys that aggregation programs bring. */
struct SwitchSettings
{
    std::string preset{"none"}; ///< a name of SwitchPresets: what the table's others are by default
    std::int64_t latencyPs{0};  ///< of every switch: from last bit in to output queue
};

/** Table [codec]: what turns gradients into bytes, and where. */
struct CodecSettings
{
    std::string name{"none"};           ///< a name of codec-catalog
    unsigned bound{10};                 ///< of the codecs that read it: 2^-bound, 1..15
    unsigned dropBits{16};              ///< truncate: 16, 22 or 24
    std::string castTo{"bf16"};         ///< cast: bf16 or fp16
    std::string sum{"fp32"};            ///< cast: sums in fp32 or in the wire type
    std::string format{"mxfp8"};        ///< block: ParseBlockFormat
    std::optional<std::string> between; ///< block: the format between nodes; empty: as format says
    bool isStochastic{false};           ///< block: its rounding; else to nearest
    std::uint64_t rowValues{4096};      ///< block: of formats with a scale for each row
    std::string grouping{"bit"};        ///< netzip: one of NETZIP_GROUPINGS
    std::string backend{"lz4"};         ///< netzip: a name of ByteCompressors
    bool isShifted{false};              ///< netzip: the difference to a percentile is coded
    std::optional<CodecPlacement> placement; ///< empty = CodecEntry::placement
    std::int64_t startPs{0};                 ///< of an exchange, on cpu and gpu, before it begins
    std::uint64_t encodeBytesPerSecond{0};   ///< of plain fp32, on cpu and gpu; 0 = not given
    std::uint64_t decodeBytesPerSecond{0};   ///< of plain fp32, on cpu and gpu; 0 = not given
    std::optional<double> bitsPerValue; ///< that travel where only sizes do; empty = by statistics
    // homomorphic
    std::optional<double> ratio{10}; ///< rows per counter row, 0.5..1'000'000; empty = "safe"
    double safeLeft{0.001};          ///< of "safe": share of set values expected to be estimated
    std::string index{"bits-1"};     ///< a name of HomomorphicIndexNames
    double bloomBits{0.5};           ///< of index bloom, per value, above 0 to 1
    unsigned bloomHashes{7};         ///< of index bloom, 1..16
    bool overlapsRounds{false};      ///< rounds: the sketch does not wait for the index
    std::optional<double>
        skipDensity; ///< layers at least so dense travel as they are; empty = none
};

/** Whether both code frames and messages alike; of sketches nothing is compared. */
bool operator==(const CodecSettings& a, const CodecSettings& b);

/** Table [engine]: the pipelines of a NIC that compresses, one each way. Attributes may set one apart. */
struct EngineSettings
{
    std::uint32_t widthBits{256};     ///< 8..1'000'000
    std::uint64_t hertz{100'000'000}; ///< up to 1 THz, above 0
    std::uint32_t latencyCycles{0};   ///< beyond the work, up to 1'000'000
};

/** Table [sparsify]: what makes gradients sparse before they are encoded. */
struct SparsifySettings
{
    std::string method{"none"}; ///< none, top-k or threshold
    double density{0.01};       ///< share of a layer's values that is kept, above 0 to 1
    /** Plain fp32; empty = by gpu.memory_bandwidth; 0 = it costs nothing. */
    std::optional<std::uint64_t> bytesPerSecond;
};

/** Table [gpu]: what coding on a GPU costs where no rate is given. */
struct GpuSettings
{
    std::uint64_t memoryBytesPerSecond{900'000'000'000};
    std::int64_t roundCheckPs{20'000'000}; ///< until the host knows whether peeling goes on
};

/** Table [host]: what a host's own work costs. A rate of 0 stands for "none": it costs nothing. */
struct HostSettings
{
    std::string preset{"none"}; ///< a name of HostPresets: what the others are by default
    bool isHalfDuplex{false};   ///< it receives, then sends
    std::uint64_t sumBytesPerSecond{8'400'000'000};  ///< of gradients added
    std::uint64_t copyBytesPerSecond{4'500'000'000}; ///< between GPU and host memory
    std::uint64_t byteBytesPerSecond{0}; ///< plain bytes moved, in pipeline with the wire
    std::int64_t frameCostPs{0};
    std::int64_t messageCostPs{0};
    std::vector<ProtocolSettings> protocols; ///< by size; empty: nothing more
};

/** Table [transport]. */
struct TransportSettings
{
    std::string name{"inca"};            ///< a name of exchange/transport-catalog.h
    std::optional<std::uint32_t> window; ///< frames, 1..65'536; empty = auto (plan/network-speed.h)
    std::uint32_t ackEvery{16};          ///< data frames per acknowledgement, at most the window
    bool credits{true}; ///< all who send to a host share the buffer of the port before it
    std::int64_t minTimeoutPs{1'000'000'000}; ///< of a retransmission
    // tcp
    std::uint32_t sockets{1}; ///< from a host to another, 1..64
    Congestion congestion{Congestion::CUBIC};
    std::uint64_t sendBytes{4U << 20U};    ///< of a connection's send buffer, 4 KiB..1 GiB
    std::uint64_t receiveBytes{6U << 20U}; ///< of a connection's receive buffer, likewise
    bool restartAfterIdle{true};           ///< the congestion window shrinks while nothing is sent
};

/** Table [simulation]. */
struct SimulationSettings
{
    SimulationMode mode{SimulationMode::AUTO};
    std::uint32_t warmup{0}; ///< iterations left out of the mean; below iterations
    bool explains{true};     ///< why things happen when they do is remembered
    std::uint64_t seed{1};   ///< up to 2^63 - 1
    std::uint64_t maxCpuPs{3'600'000'000'000'000}; ///< CPU time that a run may take, as estimated
    std::uint64_t maxMemoryBytes{std::uint64_t{16} << 30U}; ///< the same of memory
    std::int64_t watchdogPs{10'000'000'000'000}; ///< without progress, after which a run ends
};

/**
 * All inputs of one run, with their defaults. Every field, and every setting of an aggregation program,
 * is one row of the key table (scenario/keys.h), which knows its name, unit, range and text form.
 */
struct Scenario
{
    TrainingSettings training;
    ClusterSettings cluster;
    ExchangeSettings exchange;
    GroupSettings ofNodes;  ///< table [group.node]: GPUs of a worker, of several workers
    GroupSettings ofShards; ///< table [group.shard]: workers that share the weights out among them
    GroupSettings ofReplicas; ///< table [group.replica]: those that hold the same shard
    RingSettings ring;
    TreeSettings tree;
    SwitchSettings inSwitch; ///< table [switch]
    /** Keys that rows of catalogues bring, of aggregation programs and of trainings: "switch.slots". */
    SettingValues rowSettings;
    CodecSettings codec;
    EngineSettings engine;
    SparsifySettings sparsify;
    GpuSettings gpu;
    HostSettings host;
    TransportSettings transport;
    SimulationSettings simulation;
    /** Table [attributes]: an ns-3 attribute's path and its value as text, in the file's order. */
    std::vector<std::pair<std::string, std::string>> attributes;
};

} // namespace inca

#endif // INCA_SCENARIO_SCENARIO_H
