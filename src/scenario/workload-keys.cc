/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/key-row.h"
#include "scenario/specs.h"
#include "topology/topology-catalog.h"

#include <fmt/format.h>

#include <limits>

namespace inca
{

namespace
{

constexpr std::uint64_t g_mostBytes{1ULL << 40U};
constexpr std::uint64_t g_mostWorkers{65'536};
constexpr std::uint64_t g_mostSeed{std::numeric_limits<std::int64_t>::max()};
constexpr const char* g_onlySizes = "only sizes travel (training.values is false)";

std::string
WhyNoCompute(const Scenario& s)
{
    return Unless(HasCompute(s), "a lone tensor has no compute");
}

std::string
WhyNoLayers(const Scenario& s)
{
    return Unless(HasCompute(s), "a lone tensor is one layer");
}

std::string
WhyNoBarrier(const Scenario& s)
{
    return s.training.iterations == 1 ? "training.iterations is 1"
           : GathersWeights(s)        ? "no weights are gathered before all are updated"
                                      : WhyNoLayers(s);
}

std::string
WhyNoSummingHost(const Scenario& s)
{
    return Unless(HasAggregator(s) || HasServers(s),
                  s.exchange.algorithm + " has neither aggregator nor servers");
}

std::string
TopologyIs(const Scenario& s)
{
    return "cluster.topology is " + s.cluster.topology;
}

/** For key cluster.@p leaf, which only those topologies read whose rows say so. */
Why
UnlessTopologyReads(std::string leaf)
{
    return [leaf = std::move(leaf)](const Scenario& s) {
        return Unless(TopologyReads(s, leaf), TopologyIs(s));
    };
}

/** The same of a key that says how many equal paths there are: sums take one of them. */
Why
UnlessMessagesTakePaths(std::string leaf)
{
    return [leaf = std::move(leaf)](const Scenario& s) {
        return TopologyReads(s, leaf) ? WhyNoMessages(s) : TopologyIs(s);
    };
}

std::string
WhyNoTrunks(const Scenario& s)
{
    return Unless(HasTrunks(s), TopologyIs(s));
}

std::string
WhyNoChoiceOfPaths(const Scenario& s)
{
    const auto& cluster = s.cluster;
    const bool onePath = (cluster.topology == "leaf-spine" && cluster.spines == 1) ||
                         (cluster.topology == "rack-pair" && cluster.trunks == 1);
    return !HasTrunks(s) ? TopologyIs(s)
           : onePath     ? "there is one path between any two hosts"
                         : WhyNoMessages(s);
}

std::string
GigabitsPerSecond(std::uint64_t bitsPerSecond)
{
    return QuantityForm(g_bitRate, LINK_RATES).columnText(bitsPerSecond);
}

std::string
WhyNoServers(const Scenario& s)
{
    return Unless(HasSomeServers(s),
                  s.exchange.algorithm + (HasServers(s) ? " has one server" : " has no servers"));
}

std::string
WhyNoBroadcast(const Scenario& s)
{
    return Unless(HasAggregator(s), s.exchange.algorithm + " broadcasts no weights");
}

std::string
WhyNoSegments(const Scenario& s)
{
    return HasAggregator(s) && s.exchange.broadcast != "chain"
               ? "exchange.broadcast is " + s.exchange.broadcast
               : WhyNoBroadcast(s);
}

std::string
WhyNoBuckets(const Scenario& s)
{
    return s.training.send == "bucket" || s.training.send == "fused"
               ? Unless(HasCompute(s), "a lone tensor is one bucket")
               : "training.send is " + s.training.send;
}

/** Chunks can only be ordered, or be in flight together, where there are several. */
std::string
WhyNoChunks(const Scenario& s)
{
    const bool oneBucket = s.training.send == "end" || !HasCompute(s);
    return Unless(!oneBucket || s.exchange.chunkBytes > 0, "all gradients are one chunk");
}

/** The chunks of one bucket ascend, whatever the order. */
std::string
WhyNoOrder(const Scenario& s)
{
    const auto oneChunk = WhyNoChunks(s);
    const bool oneBucket = s.training.send == "end" || !HasCompute(s);
    return oneBucket && oneChunk.empty()
               ? "all gradients are one bucket, whose chunks go from the lowest layer up anyway"
               : oneChunk;
}

std::string
WhyNoOwnerCopy(const Scenario& s)
{
    return !s.training.values    ? g_onlySizes
           : HasAggregator(s)    ? s.exchange.algorithm + " sums on an aggregator"
           : HasServers(s)       ? s.exchange.algorithm + " sums on servers"
           : ReducesInNetwork(s) ? s.exchange.algorithm + " sums in the network"
           : IsSharded(s)        ? "weights come back, as they are"
           : HasSketch(s)        ? "all workers decode the same sum with homomorphic"
           : HasLossyCodec(s)    ? ""
                                 : "codec.name is " + s.codec.name + ", which loses nothing";
}

/** For keys of one exchange alone. */
Why
UnlessAlgorithmIs(std::string algorithm)
{
    return [algorithm = std::move(algorithm)](const Scenario& s) {
        return Unless(s.exchange.algorithm == algorithm,
                      "exchange.algorithm is " + s.exchange.algorithm);
    };
}

} // namespace

std::vector<Key>
WorkloadKeys()
{
    return {
        // What is trained, and how it is replayed.
        Row({"training.trace", "trace", "a shipped trace's name, a path, or one lone tensor"},
            TextForm("such as \"alexnet\" or \"tensor:100MB\""),
            At(&Scenario::training, &TrainingSettings::trace)),
        Row({"training.iterations", "iterations", "training iterations that are replayed"},
            WholeForm({1, 1'000'000}),
            At(&Scenario::training, &TrainingSettings::iterations)),
        Row({"training.send",
             "send",
             "gradients leave per layer, in buckets as PyTorch's DDP or Horovod (fused) fills "
             "them, "
             "or all at once after backward"},
            NameForm({"layer", "bucket", "fused", "end"}),
            At(&Scenario::training, &TrainingSettings::send),
            WhyNoLayers),
        Row({"training.overlap", "overlap", "send while backward goes on"},
            BooleanForm(),
            At(&Scenario::training, &TrainingSettings::overlap),
            [](const Scenario& s) {
                return s.training.send == "end" ? "training.send is end" : WhyNoCompute(s);
            }),
        // Where each micro-batch is exchanged, it counts without anything to compute, too.
        Row({"training.accumulation",
             "accumulation",
             "forward and backward passes (micro-batches) per update"},
            WholeForm({1, 65'536}),
            At(&Scenario::training, &TrainingSettings::accumulation),
            [](const Scenario& s) { return GathersWeights(s) ? "" : WhyNoCompute(s); }),
        Row({"training.sharding",
             "sharding",
             "each worker updates all weights; or a part, which it hands on (ZeRO-1 and ZeRO-2), "
             "or "
             "keeps, and gets the others when it computes (full: FSDP, ZeRO-3)"},
            NameForm({"none", "optimizer", "full"}),
            At(&Scenario::training, &TrainingSettings::sharding)),
        Row({"training.barrier", "barrier", "a forward pass waits for all updates"},
            BooleanForm(),
            At(&Scenario::training, &TrainingSettings::barrier),
            WhyNoBarrier),
        // What gradients hold, and how compute times vary.
        Row({"training.values", "values", "carry real gradient bytes, verify every sum"},
            BooleanForm(),
            At(&Scenario::training, &TrainingSettings::values)),
        Row({"training.values_file",
             "values_file",
             "safetensors file of the gradients; {worker} is its number; not given: drawn"},
            TextForm("a path"),
            At(&Scenario::training, &TrainingSettings::valuesFile),
            [](const Scenario& s) {
                return Unless(s.training.values, "training.values is false");
            }),
        // Sketches are planned for the union's density, whatever values travel in the end.
        Row({"training.union_exponent",
             "union_exponent",
             "1: workers' non-zero positions are independent; 0: the same"},
            DecimalForm({0, 1}),
            At(&Scenario::training, &TrainingSettings::unionExponent),
            [](const Scenario& s) {
                return Unless(DrawsValues(s) || HasSketch(s), "no values are drawn");
            }),
        Row({"training.density",
             "density",
             "share of non-zero values of every layer; not given: the trace's"},
            SomeShareForm(),
            At(&Scenario::training, &TrainingSettings::density),
            [](const Scenario& s) {
                return s.training.values && !DrawsValues(s) && !HasSketch(s)
                           ? "training.values_file says which values are 0"
                           : WhyNoZeros(s);
            }),
        Row({"training.gradient_type",
             "gradient_type",
             "of all gradients: those of 16 bits travel and add as 2 bytes, but for codecs and "
             "switches; not given: the trace's"},
            NameForm({"fp32", "fp16", "bf16"}),
            At(&Scenario::training, &TrainingSettings::gradientType)),
        Row({"training.jitter", "jitter", "how compute times vary"},
            NameForm({"none", "normal", "lognormal"}),
            At(&Scenario::training, &TrainingSettings::jitter),
            [](const Scenario& s) {
                return s.training.jitter != "none" && s.training.jitterSd == 0
                           ? "training.jitter_sd is 0"
                           : WhyNoCompute(s);
            }),
        Row({"training.jitter_sd",
             "jitter_sd",
             "standard deviation relative to every compute time"},
            DecimalForm({0, 1}),
            At(&Scenario::training, &TrainingSettings::jitterSd),
            [](const Scenario& s) {
                return s.training.jitter == "none" ? "training.jitter is none" : WhyNoCompute(s);
            }),
        // How hosts and switches are wired.
        Row({"cluster.workers", "workers", "aggregators and servers are not counted"},
            WholeForm({2, g_mostWorkers}),
            At(&Scenario::cluster, &ClusterSettings::workers)),
        WithColumn(Row({"cluster.servers",
                        "servers",
                        "of sharded-parameter-server; not given: as many as workers"},
                       WholeForm({1, g_mostWorkers}),
                       At(&Scenario::cluster, &ClusterSettings::servers),
                       WhyNoServers),
                   [](const Scenario& s) {
                       return std::to_string(s.cluster.servers.value_or(s.cluster.workers));
                   }),
        Row({"cluster.topology", "topology", "how hosts and switches are wired"},
            NameForm(TopologyNames()),
            At(&Scenario::cluster, &ClusterSettings::topology)),
        Row({"cluster.hosts_per_leaf", "hosts_per_leaf", "leaf-spine: on one switch"},
            WholeForm({1, g_mostWorkers}),
            At(&Scenario::cluster, &ClusterSettings::hostsPerLeaf),
            UnlessTopologyReads("hosts_per_leaf")),
        Row({"cluster.spines", "spines", "leaf-spine: switches above every leaf"},
            WholeForm({1, 64}),
            At(&Scenario::cluster, &ClusterSettings::spines),
            UnlessMessagesTakePaths("spines")),
        Row({"cluster.fat_tree_k", "fat_tree_k", "fat-tree: ports of every switch, even"},
            WholeForm({2, 32}),
            At(&Scenario::cluster, &ClusterSettings::arity),
            UnlessTopologyReads("fat_tree_k")),
        Row({"cluster.trunks", "trunks", "rack-pair: cables between the two racks"},
            WholeForm({1, 1'024}),
            At(&Scenario::cluster, &ClusterSettings::trunks),
            UnlessMessagesTakePaths("trunks")),
        WithColumn(Row({"cluster.trunk_bandwidth",
                        "trunk_bandwidth_gbps",
                        "of a cable between switches; not given: as a worker's link"},
                       QuantityForm(g_bitRate, LINK_RATES),
                       At(&Scenario::cluster, &ClusterSettings::trunkBitsPerSecond),
                       WhyNoTrunks),
                   [](const Scenario& s) {
                       return GigabitsPerSecond(
                           s.cluster.trunkBitsPerSecond.value_or(s.cluster.bitsPerSecond));
                   }),
        Row({"cluster.ecmp_seed", "ecmp_seed", "of the hash that spreads flows over paths"},
            WholeForm({0, g_mostSeed}),
            At(&Scenario::cluster, &ClusterSettings::ecmpSeed),
            WhyNoChoiceOfPaths,
            {{"inca::Switch::EcmpSeed"}, g_wholeAttribute}),
        // What links and workers are like.
        Row({"cluster.bandwidth", "bandwidth_gbps", "of a worker's link, each way"},
            QuantityForm(g_bitRate, LINK_RATES),
            At(&Scenario::cluster, &ClusterSettings::bitsPerSecond),
            {},
            {{"inca::Nic::DataRate"}, g_bitRateAttribute}),
        WithColumn(Row({"cluster.aggregator_bandwidth",
                        "aggregator_bandwidth_gbps",
                        "of an aggregator's or server's link; not given: as a worker's"},
                       QuantityForm(g_bitRate, LINK_RATES),
                       At(&Scenario::cluster, &ClusterSettings::aggregatorBitsPerSecond),
                       WhyNoSummingHost),
                   [](const Scenario& s) {
                       return GigabitsPerSecond(
                           s.cluster.aggregatorBitsPerSecond.value_or(s.cluster.bitsPerSecond));
                   }),
        Row({"cluster.latency", "latency_us", "of one link, one way"},
            QuantityForm(g_microTime, {0, LONGEST_COST_PS}),
            At(&Scenario::cluster, &ClusterSettings::latencyPs),
            {},
            {{"inca::Link::Delay"}, g_timeAttribute}),
        Row({"cluster.mtu", "mtu_bytes", "largest IP packet, in bytes"},
            WholeForm({576, 9'216}),
            At(&Scenario::cluster, &ClusterSettings::mtu),
            {},
            {{"inca::Nic::Mtu"}, g_wholeAttribute}),
        Row({"cluster.buffer", "buffer_bytes", "of one switch port"},
            QuantityForm(g_byteCount, {1, g_mostBytes}),
            At(&Scenario::cluster, &ClusterSettings::bufferBytes),
            {},
            {{"inca::SwitchPort::Buffer"}, g_byteAttribute}),
        Row({"cluster.loss_rate", "loss_rate", "share of frames that every link loses, each way"},
            DecimalForm({0, 0.5}),
            At(&Scenario::cluster, &ClusterSettings::lossRate)),
        Row({"cluster.gpus", "gpus", "of each worker; their gradients are added before any leave"},
            WholeForm({1, 1'024}),
            At(&Scenario::cluster, &ClusterSettings::gpus)),
        Row({"cluster.gpu_bandwidth",
             "gpu_bandwidth_bytes_per_s",
             "bytes per second between a worker's GPUs, of each, each way"},
            RateForm(g_byteRate, ""),
            At(&Scenario::cluster, &ClusterSettings::gpuBytesPerSecond),
            [](const Scenario& s) { return Unless(s.cluster.gpus > 1, "cluster.gpus is 1"); }),
        // How gradients are exchanged.
        Row({"exchange.algorithm", "exchange", "how all workers end up with the same sum"},
            NameForm(ExchangeNames()),
            At(&Scenario::exchange, &ExchangeSettings::algorithm)),
        Row({"exchange.broadcast", "broadcast", "how an aggregator's weights go down"},
            NameForm({"flat", "binomial", "chain"}),
            At(&Scenario::exchange, &ExchangeSettings::broadcast),
            WhyNoBroadcast),
        Row({"exchange.segment_bytes", "segment_bytes", "of the chain broadcast"},
            QuantityForm(g_byteCount, {VALUE_BYTES, g_mostBytes}),
            At(&Scenario::exchange, &ExchangeSettings::segmentBytes),
            WhyNoSegments),
        WithColumn(
            Row({"exchange.group_size",
                 "group_size",
                 "workers in a group of a hierarchy; not given: up to 4, as fits the workers"},
                WholeForm({2, g_mostWorkers}),
                At(&Scenario::exchange, &ExchangeSettings::groupSize),
                [](const Scenario& s) {
                    return Unless(HasGroups(s), s.exchange.algorithm + " has no groups");
                }),
            [](const Scenario& s) { return std::to_string(GroupSize(s)); }),
        Row({"exchange.sum",
             "aggregator_sum",
             "an aggregator or server sums after all gradients came, or on arrival of each"},
            NameForm({"after", "arrival"}),
            At(&Scenario::exchange, &ExchangeSettings::sum),
            WhyNoSummingHost),
        // What is exchanged at once, and in which order.
        Row({"exchange.first_bucket_bytes",
             "first_bucket_bytes",
             "the first bucket ends with the tensor that makes it as large as this"},
            QuantityForm(g_byteCount, {VALUE_BYTES, g_mostBytes}),
            At(&Scenario::exchange, &ExchangeSettings::firstBucketBytes),
            [](const Scenario& s) {
                return s.training.send == "fused" ? "training.send is fused" : WhyNoBuckets(s);
            }),
        Row({"exchange.bucket_bytes",
             "bucket_bytes",
             "the same of every other bucket; fused: the most that layers share"},
            QuantityForm(g_byteCount, {VALUE_BYTES, g_mostBytes}),
            At(&Scenario::exchange, &ExchangeSettings::bucketBytes),
            WhyNoBuckets),
        Row({"exchange.chunk_bytes",
             "chunk_bytes",
             "a bucket is exchanged in such parts; 0: whole"},
            QuantityForm(g_byteCount, {0, g_mostBytes}),
            At(&Scenario::exchange, &ExchangeSettings::chunkBytes)),
        Row({"exchange.order", "order", "chunks go as they are ready, or lower layers first"},
            NameForm({"ready", "priority"}),
            At(&Scenario::exchange, &ExchangeSettings::order),
            WhyNoOrder),
        Row({"exchange.concurrent", "concurrent", "chunks in flight per worker"},
            WholeForm({1, 1'024}),
            At(&Scenario::exchange, &ExchangeSettings::concurrent),
            WhyNoChunks),
        Row({"exchange.start",
             "exchange_start",
             "a chunk starts on a worker when its own gradients are ready, or when everybody's "
             "are"},
            NameForm({"own", "together"}),
            At(&Scenario::exchange, &ExchangeSettings::start)),
        Row({"ring.owner_copy",
             "owner_copy",
             "who summed a block keeps the exact sum, or the coded one as all others"},
            NameForm({"exact", "coded"}),
            At(&Scenario::ring, &RingSettings::ownerCopy),
            WhyNoOwnerCopy),
        Row({"ring.channels",
             "ring_channels",
             "rings at the same time, each of its share of the values"},
            WholeForm({1, 64}),
            At(&Scenario::ring, &RingSettings::channels),
            UnlessAlgorithmIs("ring")),
        Row({"ring.chunk_bytes",
             "ring_chunk_bytes",
             "a channel goes round in turns with blocks of this; 0: in one turn"},
            QuantityForm(g_byteCount, {0, g_mostBytes}),
            At(&Scenario::ring, &RingSettings::chunkBytes),
            UnlessAlgorithmIs("ring")),
        Row({"tree.chunk_bytes",
             "tree_chunk_bytes",
             "parts that follow each other up and down a tree"},
            QuantityForm(g_byteCount, {VALUE_BYTES, g_mostBytes}),
            At(&Scenario::tree, &TreeSettings::chunkBytes),
            UnlessAlgorithmIs("tree")),
        Row({"switch.latency", "switch_latency_ns", "of every switch: last bit in to output queue"},
            QuantityForm(g_nanoTime, {0, LONGEST_COST_PS}),
            At(&Scenario::inSwitch, &SwitchSettings::latencyPs),
            {},
            {{"inca::Switch::Latency"}, g_timeAttribute}),
    };
}

} // namespace inca
