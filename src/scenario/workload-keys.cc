/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/collectives.h"
#include "exchange/library.h"
#include "scenario/key-row.h"
#include "scenario/keys.h"
#include "scenario/presets.h"
#include "scenario/specs.h"
#include "topology/topology-catalog.h"
#include "trace/csv-fields.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>

namespace inca
{

namespace
{

constexpr std::uint64_t g_mostBytes{1ULL << 40U};
constexpr std::uint64_t g_mostWorkers{65'536};

/** A number of bytes; at least one value of fp32, where there must be some. @{ */
ValueForm<std::uint64_t>
SomeBytes()
{
    return QuantityForm(g_byteCount, {VALUE_BYTES, g_mostBytes});
}

ValueForm<std::uint64_t>
BytesOrZero()
{
    return QuantityForm(g_byteCount, {0, g_mostBytes});
}

/** @} */

bool
HasOneBucket(const Scenario& s)
{
    return s.training.send == SendUnit::END || !HasCompute(s);
}

/** Whether flows can take different paths. */
bool
HasPaths(const Scenario& s)
{
    const auto& cluster = s.cluster;
    return !(cluster.topology == "leaf-spine" && cluster.spines == 1) &&
           !(cluster.topology == "rack-pair" && cluster.trunks == 1);
}

const KeyCondition g_hasLayers{HasCompute, "a lone tensor is one layer"};
const KeyCondition g_hasOthers{[](const Scenario& s) { return s.cluster.workers > 1; },
                               "the GPUs of one worker exchange on links of their own"};
const KeyCondition g_hasTrunks{HasTrunks, "cluster.topology is {cluster.topology}"};
const KeyCondition g_hasPaths{HasPaths, "there is one path between any two hosts"};
const KeyCondition g_hasSummingHost{
    [](const Scenario& s) { return HasAggregator(s) || HasServers(s); },
    "{exchange.algorithm} has neither aggregator nor servers"};
const KeyCondition g_picksItself{[](const Scenario& s) { return !PicksBySize(s); },
                                 "exchange.library is {exchange.library}, which picks it"};
const KeyCondition g_isLone{[](const Scenario& s) { return !HasCompute(s); },
                            "a training says itself what it exchanges"};
const KeyCondition g_addsUp{
    AddsUp, "exchange.collective is {exchange.collective}, in which it has no part"};
const KeyCondition g_broadcasts{
    [](const Scenario& s) { return HasAggregator(s) || CollectiveOf(s) == Meaning::BROADCAST; },
    "{exchange.algorithm} broadcasts no weights"};
const KeyCondition g_hasBuckets{HasCompute, "a lone tensor is one bucket"};
const KeyCondition g_hasChunks{
    [](const Scenario& s) { return !HasOneBucket(s) || s.exchange.chunkBytes > 0; },
    "all gradients are one chunk"};

/** The topology's row says that it reads cluster.@p leaf. */
KeyCondition
IsReadByTopology(const std::string& leaf)
{
    return {[leaf](const Scenario& s) { return TopologyReads(s, leaf); },
            "cluster.topology is {cluster.topology}"};
}

KeyCondition
Not(bool (*holds)(const Scenario&), const std::string& otherwise)
{
    return {[holds](const Scenario& s) { return !holds(s); }, otherwise};
}

/** What is trained, how it is replayed, what gradients hold, and how compute times vary. */
std::vector<Key>
TrainingKeys()
{
    using T = TrainingSettings;
    return KeysOf<T>(
        "training",
        &Scenario::training,
        {{{"trace", "a shipped trace's name, a path, or one lone tensor"},
          {&T::trace, TextForm("such as \"alexnet\" or \"tensor:100MB\"")}},
         {{"iterations", "training iterations that are replayed"},
          {&T::iterations, WholeForm({1, 1'000'000})}},
         {{"send",
           "gradients leave per layer, in buckets as PyTorch's DDP fills them, in buckets of whole "
           "layers (fused), "
           "or all at once after backward"},
          {&T::send, ChoiceForm<SendUnit>({"layer", "bucket", "fused", "end"})},
          {g_hasLayers}},
         {{"overlap", "send while backward goes on"},
          {&T::overlap, BooleanForm()},
          {IsNot("training.send", "end"), g_hasCompute}},
         // Where each micro-batch is exchanged, it counts without anything to compute, too.
         {{"accumulation", "forward and backward passes (micro-batches) per update"},
          {&T::accumulation, WholeForm({1, 65'536})},
          {{[](const Scenario& s) { return GathersWeights(s) || HasCompute(s); },
            g_hasCompute.otherwise}}},
         {{"sharding",
           "each worker updates all weights; or a part, which it hands on (ZeRO-1 and ZeRO-2), or "
           "keeps, and gets the others when it computes (full: FSDP, ZeRO-3); hybrid: so in "
           "groups, "
           "which are replicas (HSDP)"},
          {&T::sharding, ChoiceForm<Sharding>({"none", "optimizer", "full", "hybrid"})}},
         {{"shard_group", "consecutive workers that share the weights out among them"},
          {&T::shardGroup, WholeForm({1, g_mostWorkers})},
          {Is("training.sharding", {"hybrid"})}},
         {{"replica_sums",
           "when replicas add up their shards: after each micro-batch, or once for each update"},
          {&T::addsReplicasOnce, ChoiceForm<bool>({"micro-batch", "update"})},
          {Is("training.sharding", {"hybrid"}),
           {[](const Scenario& s) { return ShardGroup(s) > 0; },
            "there is one replica, or no shard"},
           IsNot("training.accumulation", "1")}},
         {{"update",
           "end: GPUs update weights once all gradients are summed, as optimizer.step() does; "
           "bucket: each bucket's as it comes, between passes; host: the host does so, beside "
           "passes, as with an offloaded optimizer"},
          {&T::update, ChoiceForm<UpdateMode>({"end", "bucket", "host"})},
          {Not(HasAggregator, "the aggregator updates weights"),
           {[](const Scenario& s) { return HasCompute(s) || IsSharded(s); },
            g_hasCompute.otherwise}}},
         {{"barrier", "a forward pass waits for all updates"},
          {&T::barrier, BooleanForm()},
          {IsNot("training.iterations", "1"),
           Not(GathersWeights, "no weights are gathered before all are updated"),
           {[](const Scenario& s) {
                return s.training.update != UpdateMode::END || HasAggregator(s) || IsSharded(s);
            },
            "training.update is end, after which all weights are there"},
           g_hasLayers}},
         {{"values", "carry real gradient bytes, verify every sum"}, {&T::values, BooleanForm()}},
         {{"values_file",
           "safetensors file of the gradients; {worker} is its number; not given: random"},
          {&T::valuesFile, TextForm("a path")},
          {Is("training.values", {"true"})}},
         // Sketches are planned for the union's density, whatever values travel in the end.
         {{"union_exponent", "1: workers' non-zero positions are independent; 0: the same"},
          {&T::unionExponent, DecimalForm({0, 1})},
          {{[](const Scenario& s) { return HasRandomValues(s) || HasSketch(s); },
            "no values are random"}}},
         {{"density", "share of non-zero values of every layer; not given: the trace's"},
          {&T::density, SomeShareForm()},
          {{[](const Scenario& s) {
                return !s.training.values || HasRandomValues(s) || HasSketch(s);
            },
            "training.values_file says which values are 0"},
           g_showsZeros}},
         {{"gradient_type",
           "of all gradients: those of 16 bits travel and add as 2 bytes, but for codecs and "
           "switches; not given: the trace's"},
          {&T::gradientType, NameForm({"fp32", "fp16", "bf16"})}},
         {{"reduce_type",
           "to which gradients are cast before they are exchanged and added, as with FSDP's "
           "reduce_dtype; not given: the gradients'"},
          {&T::reduceType, NameForm({"fp32", "fp16", "bf16"})}},
         {{"weight_type",
           "in which weights are gathered or handed on, as with FSDP's param_dtype; not given: the "
           "gradients'"},
          {&T::weightType, NameForm({"fp32", "fp16", "bf16"})},
          {{[](const Scenario& s) { return IsSharded(s) || HasAggregator(s); },
            "no weights travel: training.sharding is none, and {exchange.algorithm} has no "
            "aggregator"}}},
         {{"jitter", "how compute times vary"},
          {&T::jitter, ChoiceForm<Jitter>({"none", "normal", "lognormal"})},
          {g_hasCompute}},
         {{"jitter_sd", "standard deviation relative to every compute time"},
          {&T::jitterSd, DecimalForm({0, 1})},
          {IsNot("training.jitter", "none"), g_hasCompute}},
         {{"jitter_scope",
           "for what each GPU draws a factor: each pass of a layer, or a whole iteration (step)"},
          {&T::jitterBySteps, ChoiceForm<bool>({"layer", "step"})},
          {{HasJitter, "compute times do not vary"}}}});
}

/** Which program workers run, where there is a choice, and what it reads. */
std::vector<Key>
ProgramKeys()
{
    const auto& trainings = TrainingCatalog().Rows();
    if (trainings.size() == 1)
    {
        return {};
    }
    auto keys = KeysOf<TrainingSettings>(
        "training",
        &Scenario::training,
        {{{"program", "what workers compute and exchange, and when"},
          {&TrainingSettings::program, NameForm(TrainingCatalog().Names())}}});
    const auto more = TrainingProgramKeys(trainings);
    keys.insert(keys.end(), more.begin(), more.end());
    return keys;
}

/** How hosts and switches are wired, and what links and workers are like. */
std::vector<Key>
ClusterKeys()
{
    using T = ClusterSettings;
    auto keys = KeysOf<T>(
        "cluster",
        &Scenario::cluster,
        {{{"preset",
           "a file of inca calibrate, whose keys hold where the scenario does not say otherwise",
           "cluster_preset"},
          {&T::preset, TextForm("a path")}},
         {{"workers", "nodes; aggregators and servers are not counted"},
          {&T::workers, WholeForm({1, g_mostWorkers})}},
         {{"servers", "of sharded-parameter-server; not given: as many as workers"},
          {&T::servers, WholeForm({1, g_mostWorkers})},
          {{[](const Scenario& s) { return HasSomeServers(s) || !HasServers(s); },
            "{exchange.algorithm} has one server"},
           {HasSomeServers, "{exchange.algorithm} has no servers"}}},
         {{"topology", "how hosts and switches are wired"},
          {&T::topology, NameForm(TopologyCatalog().Names())}},
         {{"hosts_per_leaf", "leaf-spine: on one switch"},
          {&T::hostsPerLeaf, WholeForm({1, g_mostWorkers})},
          {IsReadByTopology("hosts_per_leaf")}},
         // Sums take one of several equal paths, however many there are.
         {{"spines", "leaf-spine: switches above every leaf"},
          {&T::spines, WholeForm({1, 64})},
          {IsReadByTopology("spines"), g_hasMessages}},
         {{"fat_tree_k", "fat-tree: ports of every switch, even"},
          {&T::arity, WholeForm({2, 32})},
          {IsReadByTopology("fat_tree_k")}},
         {{"trunks", "rack-pair: cables between the two racks"},
          {&T::trunks, WholeForm({1, 1'024})},
          {IsReadByTopology("trunks"), g_hasMessages}},
         {{"trunk_bandwidth",
           "of a cable between switches; not given: as a worker's link, or by oversubscription",
           "trunk_bandwidth_gbps"},
          {&T::trunkBitsPerSecond, QuantityForm(g_bitRate, LINK_RATES)},
          {g_hasTrunks}},
         {{"oversubscription",
           "2: a switch's hosts can send twice what its trunks carry; sets trunk_bandwidth"},
          {&T::oversubscription, DecimalForm({0.01, 1'000})},
          {g_hasTrunks}},
         {{"routing",
           "which of several paths a flow takes: ecmp, by a hash of both hosts; d-mod-k, by its "
           "destination's number"},
          {&T::routing, ChoiceForm<Routing>({"ecmp", "d-mod-k"})},
          {g_hasTrunks, g_hasPaths, g_hasMessages},
          {{"inca::Switch::Routing"}, PlainAttribute}},
         {{"ecmp_seed", "of the hash that spreads flows over paths"},
          {&T::ecmpSeed, WholeForm({0, MOST_SEED})},
          {g_hasTrunks, g_hasPaths, Is("cluster.routing", {"ecmp"}), g_hasMessages},
          {{"inca::Switch::EcmpSeed"}, PlainAttribute}},
         {{"bandwidth", "of a worker's link, each way", "bandwidth_gbps"},
          {&T::bitsPerSecond, QuantityForm(g_bitRate, LINK_RATES)},
          {},
          {{"inca::Nic::DataRate", "inca::SwitchPort::DataRate"}, BitRateAttribute}},
         {{"aggregator_bandwidth",
           "of an aggregator's or server's link; not given: as a worker's",
           "aggregator_bandwidth_gbps"},
          {&T::aggregatorBitsPerSecond, QuantityForm(g_bitRate, LINK_RATES)},
          {g_hasSummingHost}},
         {{"latency", "of one link, one way", "latency_us"},
          {&T::latencyPs, QuantityForm(g_microTime, {0, LONGEST_COST_PS})},
          {},
          {{"inca::Link::Delay"}, TimeAttribute}},
         {{"mtu", "largest IP packet, in bytes", "mtu_bytes"},
          {&T::mtu, WholeForm({576, 9'216})},
          {},
          {{"inca::Nic::Mtu"}, PlainAttribute}},
         {{"buffer", "of one switch port", "buffer_bytes"},
          {&T::bufferBytes, QuantityForm(g_byteCount, {1, g_mostBytes})},
          {g_hasFrameLevel},
          {{"inca::SwitchPort::Buffer"}, ByteAttribute}},
         {{"loss_rate", "share of frames that every link loses, each way"},
          {&T::lossRate, DecimalForm({0, 0.5})}},
         {{"gpus",
           "of each worker, on links of their own to a switch inside it; they add up before and "
           "share after workers exchange"},
          {&T::gpus, WholeForm({1, 1'024})}},
         {{"gpu_bandwidth",
           "bytes per second between a worker's GPUs, of each, each way",
           "gpu_bandwidth_bytes_per_s"},
          {&T::gpuBytesPerSecond, RateForm(g_byteRate, "")},
          {IsNot("cluster.gpus", "1")}},
         {{"gpu_latency", "of a message between a worker's GPUs", "gpu_latency_us"},
          {&T::gpuLatencyPs, QuantityForm(g_microTime, {0, LONGEST_COST_PS})},
          {IsNot("cluster.gpus", "1")}},
         {{"nics",
           "of each worker, each with a link (a rail); GPU i uses NIC i modulo their number"},
          {&T::nics, WholeForm({1, 1'024})},
          {{[](const Scenario& s) { return g_hasOthers.holds(s) || HasEngines(s); },
            g_hasOthers.otherwise}}}});
    for (auto& key : keys)
    {
        const auto leaf = LeafOf(key.name);
        const bool isInside = IsAmong(leaf, {"preset", "workers", "servers", "mtu", "nics"}) ||
                              leaf.rfind("gpu", 0) == 0;
        key.conditions.insert(key.conditions.begin(), isInside ? 0 : 1, g_hasOthers);
    }
    return keys;
}

std::vector<std::string>
NamesThat(const std::function<bool(const ExchangeEntry&)>& holds)
{
    std::vector<std::string> names;
    for (const auto& entry : ExchangeCatalog().Rows())
    {
        if (holds(entry))
        {
            names.push_back(entry.name);
        }
    }
    return names;
}

using Shares = std::vector<std::vector<double>>;

Shares
ReadShares(std::string_view text)
{
    if (Trimmed(text) != text)
    {
        throw UnitError("must not begin or end with a blank");
    }
    const auto share = DecimalForm({0, 1e15});
    Shares rows(1);
    while (true)
    {
        const auto end = std::min(text.find_first_of(",;"), text.size());
        const auto number = Trimmed(text.substr(0, end));
        if (number.empty())
        {
            throw UnitError("needs a number before and after each comma and semicolon");
        }
        rows.back().push_back(share.parse(number));
        if (end == text.size())
        {
            break;
        }
        if (text[end] == ';')
        {
            rows.emplace_back();
        }
        text.remove_prefix(end + 1);
    }
    return rows;
}

std::string
SharesText(const Shares& shares)
{
    std::string text;
    for (const auto& row : shares)
    {
        text += text.empty() ? "" : "; ";
        for (std::size_t i = 0; i < row.size(); ++i)
        {
            text += (i == 0 ? "" : ", ") + DecimalText(row[i]);
        }
    }
    return text;
}

/** "2, 1, 0.5", or such rows with semicolons between them. */
ValueForm<BlockShares>
SharesForm()
{
    const auto parse = [](std::string_view text) {
        return text.empty() ? nullptr : std::make_shared<const Shares>(ReadShares(text));
    };
    const auto write = [](const BlockShares& shares) {
        return shares == nullptr ? "" : SharesText(*shares);
    };
    return {ValueType::TEXT, "such as \"4, 1, 1, 1\"", parse, write, write};
}

/** How gradients are exchanged: by whom, what at once, and in which order. */
std::vector<Key>
ExchangeKeys()
{
    using T = ExchangeSettings;
    return KeysOf<T>(
        "exchange",
        &Scenario::exchange,
        {{{"algorithm", "how all workers end up with the same sum", "exchange"},
          {&T::algorithm, NameForm(ExchangeCatalog().Names())},
          {g_picksItself, g_addsUp}},
         {{"collective", "what is done with a lone tensor; worker 0 is the root"},
          {&T::collective,
           ChoiceForm<Meaning>({"all-reduce",
                                "reduce-scatter",
                                "all-gather",
                                "all-to-all",
                                "broadcast",
                                "send",
                                "dispatch",
                                "combine"})},
          {g_isLone}},
         {{"all_to_all_shares",
           "relative sizes of the blocks that a worker sends to each one, of all workers, or a row "
           "of each with semicolons between them; the largest row is the tensor; not given: equal"},
          {&T::shares, SharesForm()},
          {Is("exchange.collective", {"all-to-all"}), g_isLone}},
         {{"experts_per_token",
           "workers to which each token of a dispatch goes, and from which a combine adds: every "
           "(workers / experts_per_token)-th one"},
          {&T::expertsPerToken, WholeForm({1, g_mostWorkers})},
          {Is("exchange.collective", {"dispatch", "combine"}), g_isLone}},
         {{"all_to_all",
           "to whom a worker sends first: pairwise, in NCCL's order; direct, to the next one; "
           "hierarchical, to other groups, then within its own"},
          {&T::allToAll, NameForm(AllToAllNames())},
          {Is("exchange.collective", {"all-to-all", "dispatch", "combine"}),
           g_isLone,
           Not(AddsUp, "exchange.algorithm is {exchange.algorithm}")}},
         {{"library",
           "a library of collectives that picks algorithm, channels and chunks by ranks and size; "
           "none: the keys do",
           "exchange_library"},
          {&T::library, NameForm(LibraryNames())}},
         {{"broadcast", "how an aggregator's weights go down"},
          {&T::broadcast, NameForm({"flat", "binomial"})},
          {g_broadcasts}},
         {{"group_size",
           "workers in a group of a hierarchy; not given: up to 4, as fits the workers, all of "
           "them with two-shot, and up to 8 of a pairwise all-to-all"},
          {&T::groupSize, WholeForm({2, g_mostWorkers})},
          {{HasGroups, "no exchange has groups"}}},
         {{"sum",
           "an aggregator or server sums after all gradients came, or on arrival of each",
           "aggregator_sum"},
          {&T::sumOnArrival, ChoiceForm<bool>({"after", "arrival"})},
          {g_hasSummingHost}},
         {{"first_bucket_bytes", "the first bucket ends with the tensor that makes it this large"},
          {&T::firstBucketBytes, SomeBytes()},
          {Is("training.send", {"bucket"}), g_hasBuckets}},
         {{"bucket_bytes", "the same of every other bucket; fused: the most that layers share"},
          {&T::bucketBytes, SomeBytes()},
          {Is("training.send", {"bucket", "fused"}), g_hasBuckets}},
         {{"cycle_time",
           "fused buckets start in cycles (HOROVOD_CYCLE_TIME): each begins so long after the last "
           "one, or once its exchanges have ended, and takes what all workers have; 0: no cycles",
           "cycle_time_us"},
          {&T::cyclePs, QuantityForm(g_microTime, {0, LONGEST_COST_PS})},
          {Is("training.send", {"fused"}),
           Is("training.overlap", {"true"}),
           Is("training.sharding", {"none"}),
           g_hasBuckets}},
         {{"chunk_bytes", "a bucket is exchanged in such parts; 0: whole"},
          {&T::chunkBytes, BytesOrZero()}},
         {{"part_bytes",
           "an exchange of workers with several GPUs goes in parts, 8 at most, one inside workers "
           "while another is between them: such that messages between workers are at least this; "
           "0: in one part; not given: 64KiB, or what a NIC carries in a message's cost",
           "exchange_part_bytes"},
          {&T::partBytes, BytesOrZero()},
          {g_addsUp,
           Not(SharesOut, "what is shared out goes in one part"),
           {[](const Scenario& s) { return NodeSize(s) > 1 && s.cluster.workers > 1; },
            "no GPUs of several workers are simulated"},
           {[](const Scenario& s) {
                return s.exchange.library != "nccl" && !MakeExchangeSpec(s).IsFlatRing();
            },
            "no stages follow each other"}}},
         // The chunks of one bucket ascend, whatever the order.
         {{"order", "chunks go as they are ready, or lower layers first"},
          {&T::priority, ChoiceForm<bool>({"ready", "priority"})},
          {g_hasChunks,
           Not(HasOneBucket,
               "all gradients are one bucket, whose chunks go from the lowest layer up anyway")}},
         {{"concurrent", "chunks in flight per worker"},
          {&T::concurrent, WholeForm({1, 1'024})},
          {g_hasChunks}},
         {{"communicators",
           "1: gathers of weights and sums of gradients follow each other, as FSDP's do; 2: "
           "gathers "
           "have a communicator of their own, and go on beside sums",
           "communicators"},
          {&T::communicators, WholeForm({1, 2})},
          {{GathersWeights, "no weights are gathered (training.sharding)"}}},
         {{"gather_algorithm",
           "how weights are gathered; not given: as exchange.algorithm says",
           "gather_exchange"},
          {&T::gatherAlgorithm, NameForm(NamesThat([](const ExchangeEntry& entry) {
               return entry.shards && (entry.name == "ring" || !entry.aggregation.empty());
           }))},
          {{[](const Scenario& s) { return GathersWeights(s) && ShardGroup(s) == 0; },
            "no weights are gathered over all workers (training.sharding)"},
           Not(HasSketch, "codec.name is homomorphic")}},
         {{"start",
           "a chunk starts on a worker when its own gradients are ready, or when everybody's are",
           "exchange_start"},
          {&T::startTogether, ChoiceForm<bool>({"own", "together"})}}});
}

/** What GPUs of one worker say for themselves. */
std::vector<Key>
NodeKeys()
{
    using T = GroupSettings;
    const KeyRow<T> row{
        {"algorithm",
         "how the GPUs of a worker add up before, and share after, workers exchange; switch-slots: "
         "the switch inside it adds",
         "node_exchange"},
        {&T::algorithm, NameForm(NamesThat(AddsInsideNodes))},
        {g_picksItself,
         g_addsUp,
         {HasNodeStages, "no GPUs of whole workers exchange by themselves"}}};
    auto keys = KeysOf<T>("group.node", &Scenario::ofNodes, {row});
    const KeyCondition areNodes{[](const Scenario& s) {
                                    return NodeSize(s) > 1 && s.cluster.workers > 1 &&
                                           ShardGroup(s) == 0;
                                },
                                "no GPUs of several workers exchange by themselves"};
    const KeyCondition haveCodec{
        [](const Scenario& s) { return s.ofNodes.codec.count("name") > 0; },
        "group.node.codec.name is not given"};
    for (auto& key : GroupCodecKeys("group.node", &Scenario::ofNodes, false, {areNodes}))
    {
        if (LeafOf(key.name) != "name")
        {
            key.conditions.push_back(haveCodec);
        }
        keys.push_back(std::move(key));
    }
    return keys;
}

/**
 * What one kind of groups says for itself.
 * @param crossesGroups their messages are between groups that share weights out @param who they are
 */
std::vector<Key>
GroupKeys(const std::string& table,
          GroupSettings Scenario::*settings,
          bool crossesGroups,
          const std::string& who)
{
    using T = GroupSettings;
    const KeyCondition isInGroups{[](const Scenario& s) { return ShardGroup(s) > 0; },
                                  "training.sharding makes no groups"};
    const KeyCondition mayCode{[=](Scenario s) {
                                   (s.*settings).isCoded = true;
                                   return HasCodec(CodedAs(s, crossesGroups));
                               },
                               "codec.name is none"};
    const KeyCondition isCut{[=](const Scenario& s) { return IsHierarchyIn(s, crossesGroups); },
                             "their exchange has no groups"};
    auto keys = KeysOf<T>(table,
                          settings,
                          {{{"algorithm",
                             "how " + who + " exchange; not given: as exchange.algorithm says",
                             LeafOf(table) + "_exchange"},
                            {&T::algorithm, NameForm(ExchangeCatalog().Names())},
                            {isInGroups}},
                           {{"group_size",
                             "workers in a group of a hierarchy of theirs; not given: as "
                             "exchange.group_size says, or as fits them",
                             LeafOf(table) + "_exchange_group_size"},
                            {&T::groupSize, WholeForm({2, g_mostWorkers})},
                            {isInGroups, isCut}},
                           {{"compress",
                             "the codec compresses what " + who + " send each other",
                             LeafOf(table) + "_compress"},
                            {&T::isCoded, BooleanForm()},
                            {isInGroups, mayCode}}});
    const auto codec = GroupCodecKeys(
        table, settings, crossesGroups, {isInGroups, IsNot(table + ".compress", "false")});
    keys.insert(keys.end(), codec.begin(), codec.end());
    return keys;
}

std::vector<Key>
RingKeys()
{
    using T = RingSettings;
    return KeysOf<T>(
        "ring",
        &Scenario::ring,
        {{{"owner_copy", "who summed a block keeps the exact sum, or the coded one as all others"},
          {&T::codedOwnerCopy, ChoiceForm<bool>({"exact", "coded"})},
          {g_hasValues,
           Not(HasAggregator, "{exchange.algorithm} sums on an aggregator"),
           Not(HasServers, "{exchange.algorithm} sums on servers"),
           Not(ReducesInNetwork, "{exchange.algorithm} sums in the network"),
           Not(IsSharded, "weights come back, as they are"),
           Not(HasSketch, "all workers decode the same sum with homomorphic"),
           Not(DecodesOwn, "who summed a block with {exchange.algorithm} decodes it as all others"),
           Not(HasCodecsApart, "groups have codecs of their own"),
           {HasLossyCodec, "codec.name is {codec.name}, which loses nothing"}}},
         {{"gpus",
           "stages: a worker's GPUs add up before, and share after, a ring of workers; flat: rings "
           "go through all GPUs, as NCCL's do, and each channel enters a worker by another NIC",
           "ring_gpus"},
          {&T::isFlat, ChoiceForm<bool>({"stages", "flat"})},
          {g_picksItself,
           Is("exchange.algorithm", {"ring"}),
           g_addsUp,
           {[](const Scenario& s) { return NodeSize(s) > 1 && ShardGroup(s) == 0; },
            "no GPUs of whole workers take part"},
           g_hasOthers}},
         {{"channels", "rings at the same time, each of its share of the values", "ring_channels"},
          {&T::channels, WholeForm({1, 64})},
          {g_picksItself, Is("exchange.algorithm", {"ring"}), g_addsUp}},
         {{"chunk_bytes",
           "a channel goes round in turns with blocks of this; 0: in one turn",
           "ring_chunk_bytes"},
          {&T::chunkBytes, BytesOrZero()},
          {g_picksItself, Is("exchange.algorithm", {"ring"}), g_addsUp}}});
}

/** What a column shows where its key is not given. */
void
ShowDefaults(std::vector<Key>& keys)
{
    const auto show = [&keys](std::string_view name, auto text) {
        for (auto& key : keys)
        {
            key.columnText = key.name == name ? text : key.columnText;
        }
    };
    const auto gigabits = QuantityForm(g_bitRate, LINK_RATES).columnText;
    show("cluster.servers", [](const Scenario& s) {
        return std::to_string(s.cluster.servers.value_or(s.cluster.workers));
    });
    show("cluster.trunk_bandwidth",
         [=](const Scenario& s) { return gigabits(TrunkBitsPerSecond(s)); });
    show("cluster.aggregator_bandwidth", [=](const Scenario& s) {
        const auto& cluster = s.cluster;
        return gigabits(cluster.aggregatorBitsPerSecond.value_or(cluster.WorkerBitsPerSecond()));
    });
    show("exchange.group_size", [](const Scenario& s) { return std::to_string(GroupSize(s)); });
}

/** As SetHostPreset, with the keys that aggregation programs bring. */
void
SetSwitchPreset(Scenario& s, std::string_view text)
{
    const auto& preset = FindPreset(SwitchPresets(), text);
    s.inSwitch = {};
    s.inSwitch.preset = preset.name;
    for (const auto& key : ScenarioKeys())
    {
        if (TableOf(key.name) == "switch")
        {
            s.rowSettings.erase(key.name);
        }
    }
    for (const auto& value : preset.values)
    {
        SetKey(s, value.key, value.text);
    }
}

} // namespace

std::vector<Key>
WorkloadKeys()
{
    const auto tree = KeysOf<TreeSettings>(
        "tree",
        &Scenario::tree,
        {{{"chunk_bytes", "parts that follow each other up and down a tree", "tree_chunk_bytes"},
          {&TreeSettings::chunkBytes, SomeBytes()},
          {Is("exchange.algorithm", {"tree"})}}});
    auto inSwitch = KeysOf<SwitchSettings>(
        "switch",
        &Scenario::inSwitch,
        {{{"preset",
           "a named set of the other [switch] keys' values; those that are given override it",
           "switch_preset"},
          {&SwitchSettings::preset, NameForm(PresetNames(SwitchPresets()))}},
         {{"latency", "of every switch: last bit in to output queue", "switch_latency_ns"},
          {&SwitchSettings::latencyPs, QuantityForm(g_nanoTime, {0, LONGEST_COST_PS})},
          {{g_hasOthers.holds, "the only switch is inside a worker, which takes no time"}},
          {{"inca::Switch::Latency"}, TimeAttribute}}});
    inSwitch.front().set = SetSwitchPreset;
    inSwitch.front().isPreset = true;
    std::vector<Key> keys;
    for (const auto& some :
         {TrainingKeys(),
          ProgramKeys(),
          ClusterKeys(),
          ExchangeKeys(),
          NodeKeys(),
          GroupKeys("group.shard",
                    &Scenario::ofShards,
                    false,
                    "workers of a group that shares the weights out"),
          GroupKeys(
              "group.replica", &Scenario::ofReplicas, true, "workers that hold the same shard"),
          RingKeys(),
          tree,
          inSwitch})
    {
        keys.insert(keys.end(), some.begin(), some.end());
    }
    ShowDefaults(keys);
    return keys;
}

} // namespace inca
