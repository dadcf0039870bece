/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/checks.h"

#include "base/units.h"
#include "base/value-form.h"
#include "base/wire-format.h"
#include "codec/bitmap-index.h"
#include "exchange/collectives.h"
#include "exchange/library.h"
#include "scenario/keys.h"
#include "scenario/specs.h"
#include "topology/topology-catalog.h"
#include "trace/trace-catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace inca
{

namespace
{

/** The names of exchanges whose rows @p isMeant says so of. */
template <class IsMeant>
std::vector<std::string>
ExchangesThat(IsMeant isMeant)
{
    std::vector<std::string> names;
    for (const auto& entry : ExchangeCatalog().Rows())
    {
        if (isMeant(entry))
        {
            names.push_back(entry.name);
        }
    }
    return names;
}

/** Takes down what is wrong with a scenario. "{codec.name}" in a text is that key's value. */
class Checker
{
  public:
    explicit Checker(const Scenario& scenario)
        : m_s(scenario),
          m_exchange(ExchangeCatalog().Find(scenario.exchange.algorithm))
    {
    }

    std::vector<KeyComplaint> All()
    {
        CheckSizes();
        CheckWorkers();
        if (m_s.cluster.workers == 1 && NodeSize(m_s) == 1)
        {
            return std::move(m_found);
        }
        CheckAttributes();
        AddTexts(TopologyComplaints(MakeTopologySpec(m_s)),
                 {"cluster.topology", "cluster.workers", "exchange.algorithm"},
                 {"cluster.topology", "star"});
        const bool isInGroups = ShardGroup(m_s) > 0;
        AddTexts(ComplaintsOf(MakeExchangeSpec(m_s)),
                 {"exchange.algorithm", "cluster.workers"},
                 isInGroups    ? Remedy{"training.sharding", "full"}
                 : AddsUp(m_s) ? Remedy{"exchange.algorithm", "ring"}
                               : Remedy{"exchange.all_to_all", "direct"});
        CheckWholeValues();
        CheckRates();
        CheckLibrary();
        CheckSharding();
        CheckGroups();
        CheckCollective();
        CheckHosts();
        CheckCodecs();
        CheckTransport();
        CheckFlows();
        if (ReducesInNetwork(m_s))
        {
            CheckSwitches();
        }
        if (SchemeOf(m_s) != nullptr)
        {
            CheckScheme();
        }
        if (HasSketch(m_s))
        {
            CheckSketches();
            ReducesInNetwork(m_s) ? CheckSketchesInSwitches() : CheckSketchesOnHosts();
        }
        return std::move(m_found);
    }

  private:
    void CheckSizes()
    {
        const auto& trace = m_s.training.trace;
        const auto why = trace.empty() ? "must be given, such as \"alexnet\" or \"tensor:100MB\""
                                       : WhyNoTrace(trace);
        if (!why.empty())
        {
            m_found.push_back({"training.trace", why, {}});
        }
        Require(m_s.simulation.warmup < m_s.training.iterations,
                {"simulation.warmup",
                 "must be below training.iterations ({training.iterations}), got "
                 "{simulation.warmup}",
                 {"training.iterations"},
                 {{"simulation.warmup", std::to_string(m_s.training.iterations - 1)},
                  {"training.iterations", std::to_string(m_s.simulation.warmup + 1)}}});
        const auto frame = FrameWireBytes(m_s.cluster.mtu);
        const auto most = std::int64_t{m_s.cluster.mtu} -
                          static_cast<std::int64_t>(frame - m_s.cluster.bufferBytes);
        Require(m_s.cluster.bufferBytes >= frame,
                {"cluster.buffer",
                 fmt::format("must hold a frame of {} ({} bytes), got {{cluster.buffer}}",
                             g_byteCount.Format(frame),
                             frame),
                 {"cluster.mtu"},
                 {{"cluster.buffer", g_byteCount.Format(frame)},
                  {"cluster.mtu", std::to_string(most)}}});
        const auto least = INCA_HEADER_BYTES + FrameGroup(m_s) * VALUE_BYTES;
        Require(FramePayloadBytes(m_s) > 0,
                {"cluster.mtu",
                 fmt::format("must be at least {}: {{codec.name}} codes {} values together, which "
                             "a frame must hold; got {{cluster.mtu}}",
                             least,
                             FrameGroup(m_s)),
                 {"codec.name", "codec.placement"},
                 {{"cluster.mtu", std::to_string(least)}, {"codec.name", "none"}}});
    }

    void CheckWorkers()
    {
        Require(m_s.cluster.workers > 1 || NodeSize(m_s) > 1,
                {"cluster.workers",
                 "must be at least 2, as one worker has nobody to exchange with, unless it has "
                 "several cluster.gpus that are simulated; got 1",
                 {"cluster.gpus"},
                 {{"cluster.workers", "2"}}});
        for (const auto& worker : m_s.cluster.overrides)
        {
            Require(worker.index < m_s.cluster.workers,
                    {fmt::format("cluster.worker.{}", worker.index),
                     fmt::format("worker {} is not there; with cluster.workers = {} they are 0..{}",
                                 worker.index,
                                 m_s.cluster.workers,
                                 m_s.cluster.workers - 1),
                     {"cluster.workers"},
                     {{"cluster.workers", std::to_string(worker.index + 1)}}});
        }
    }

    void CheckAttributes()
    {
        for (const auto& [path, text] : m_s.attributes)
        {
            if (auto why = AttributeComplaint(path, text); !why.empty())
            {
                m_found.push_back({"attributes." + path, std::move(why), {}});
            }
        }
    }

    void CheckWholeValues()
    {
        for (const auto& [key, bytes] : {std::pair{"exchange.chunk_bytes", m_s.exchange.chunkBytes},
                                         std::pair{"ring.chunk_bytes", m_s.ring.chunkBytes},
                                         std::pair{"tree.chunk_bytes", m_s.tree.chunkBytes}})
        {
            Require(bytes % VALUE_BYTES == 0,
                    {key,
                     fmt::format("must be whole fp32 values, a multiple of 4 bytes, got {}", bytes),
                     {}});
        }
    }

    void CheckRates()
    {
        Require(!m_s.cluster.oversubscription || !m_s.cluster.trunkBitsPerSecond,
                {"cluster.oversubscription",
                 "sets cluster.trunk_bandwidth, which is given, too; leave one of them out",
                 {}});
        const bool sharesEngines = HasEngines(m_s) && NodeSize(m_s) == 1;
        Require(m_s.cluster.nics == 1 || !sharesEngines,
                {"cluster.nics",
                 "must be 1 with a codec on the nic, whose engine sees all frames, or as many as "
                 "cluster.gpus; got {cluster.nics}",
                 {"codec.name", "codec.placement"},
                 {{"codec.placement", "gpu"}, {"cluster.nics", "1"}, {"codec.name", "none"}}});
    }

    void CheckLibrary()
    {
        const bool picks = PicksBySize(m_s);
        Require(!picks || m_s.exchange.algorithm == "ring",
                {"exchange.library",
                 "picks among exchanges of workers alone, and exchange.algorithm is "
                 "{exchange.algorithm}",
                 {"exchange.algorithm"},
                 {{"exchange.library", "none"}, {"exchange.algorithm", "ring"}}});
        const bool picksShards = !picks || PicksShards(m_s.exchange.library);
        Require(picksShards || !IsSharded(m_s),
                {"exchange.library",
                 "must be none or nccl with training.sharding = \"{training.sharding}\": of "
                 "{exchange.library} only all-reduces are known",
                 {"training.sharding"},
                 {{"exchange.library", "nccl"}, {"training.sharding", "none"}}});
        const std::pair<const char*, std::optional<std::string>> own[] = {
            {"exchange.gather_algorithm",
             GathersWeights(m_s) ? m_s.exchange.gatherAlgorithm : std::nullopt},
            {"group.shard.algorithm", m_s.ofShards.algorithm},
            {"group.replica.algorithm", m_s.ofReplicas.algorithm}};
        for (const auto& [key, algorithm] : own)
        {
            Require(!picks || algorithm.value_or("ring") == "ring",
                    {key,
                     fmt::format("must be left out with exchange.library = "
                                 "\"{{exchange.library}}\", which picks, got {{{}}}",
                                 key),
                     {"exchange.library"},
                     {{"exchange.library", "none"}, {key, "ring"}}});
        }
        const auto size = ShardGroup(m_s);
        const auto ofNode = NodeSize(m_s);
        Require(!picks || size == 0 || ofNode == 1 || ofNode % size == 0,
                {"exchange.library",
                 "must be none where groups that share the weights out leave a worker of several "
                 "GPUs: NCCL's rings through them have channels, and shards of groups are of one "
                 "part each",
                 {"training.shard_group"},
                 {{"exchange.library", "none"}, {"training.shard_group", std::to_string(ofNode)}}});
        Require(m_s.exchange.library != "nccl" || m_s.cluster.gpus <= MOST_NCCL_GPUS,
                {"exchange.library",
                 fmt::format(
                     "nccl picks by NCCL's constants of machines with up to {} Hopper GPUs, and "
                     "cluster.gpus is {{cluster.gpus}}: what it does there is not known here",
                     MOST_NCCL_GPUS),
                 {"cluster.gpus"},
                 {{"exchange.library", "none"}, {"cluster.gpus", std::to_string(MOST_NCCL_GPUS)}}});
    }

    void CheckSharding()
    {
        const auto shards = ExchangesThat([](const auto& entry) { return entry.shards; });
        Require(!IsSharded(m_s) || m_exchange.shards ||
                    (ShardGroup(m_s) > 0 && m_s.ofShards.algorithm),
                {"training.sharding",
                 "must be none with exchange.algorithm = \"{exchange.algorithm}\", in which no "
                 "worker gets the sums of a part of its own; workers of " +
                     JoinNames(shards) + " do",
                 {"exchange.algorithm"},
                 {{"training.sharding", "none"}, {"exchange.algorithm", "ring"}}});
        const bool isHybrid = m_s.training.sharding == Sharding::HYBRID;
        const auto workers = std::to_string(WorkerCount(m_s));
        Require(!isHybrid || m_s.training.shardGroup.value_or(0) <= WorkerCount(m_s),
                {"training.shard_group",
                 "must be at most the " + workers + " workers, got {training.shard_group}",
                 {"cluster.workers"},
                 {{"training.shard_group", workers}, {"training.sharding", "full"}}});
        Require(!isHybrid || m_s.training.shardGroup,
                {"training.shard_group",
                 "must be given with training.sharding = \"hybrid\": so many consecutive workers "
                 "share the weights out, such as the GPUs of a node",
                 {"training.sharding"},
                 {{"training.shard_group", "2"}, {"training.sharding", "full"}}});
        const bool isInGroups = ShardGroup(m_s) > 0;
        Require(!isInGroups || m_exchange.aggregation.empty(),
                {"training.sharding",
                 "must not be hybrid with exchange.algorithm = \"{exchange.algorithm}\": switches "
                 "add for all workers, or as group.shard.algorithm and group.replica.algorithm say",
                 {"exchange.algorithm"},
                 {{"exchange.algorithm", "ring"}, {"training.sharding", "full"}}});
        Require(!isInGroups || !HasSketch(m_s),
                {"training.sharding",
                 "must not be hybrid with codec.name = \"homomorphic\": groups add values, and no "
                 "sketches of them",
                 {"codec.name"},
                 {{"codec.name", "none"}, {"training.sharding", "full"}}});
        RequireToGather(
            m_s.exchange.concurrent == 1,
            {"exchange.concurrent", "1"},
            "its sums follow each other, and so do its gathers, as FSDP's do; a gather "
            "beside the gradients before it would hand on weights that are not updated");
        RequireToGather(!m_s.exchange.priority,
                        {"exchange.order", "ready"},
                        "the program itself says which exchange comes next, a gather before its "
                        "pass and gradients after it, and all workers need them in that one order");
    }

    /** Gathers, passes and exchanges of gradients wait for each other in one order. */
    void RequireToGather(bool isRight, const Remedy& remedy, const char* why)
    {
        Require(isRight || !GathersWeights(m_s),
                {remedy.key,
                 fmt::format("must be {} with training.sharding = \"{{training.sharding}}\": {}",
                             remedy.value,
                             why),
                 {"training.sharding"},
                 {remedy, {"training.sharding", "optimizer"}}});
    }

    /** In groups, workers alone exchange, but for nodes, inside and between which switches may add. */
    void CheckGroups()
    {
        const auto spec = MakeExchangeSpec(m_s);
        const auto isOfWorkers = [&spec](const ExchangeEntry& entry) {
            return entry.otherRanks(spec) == 0 && entry.aggregation.empty();
        };
        const bool areNodes = ShardGroup(m_s) == NodeSize(m_s); // whose switches, and rails, add
        const auto require = [&](const char* own,
                                 const std::optional<std::string>& ofGroup,
                                 const std::optional<std::string>& name,
                                 const auto& isRight) {
            const auto* const key = ofGroup ? own : "exchange.algorithm"; // which says it
            Require(
                ShardGroup(m_s) == 0 || !name || isRight(ExchangeCatalog().Find(*name)),
                {key,
                 fmt::format("must be {}{}, got {{{}}}{}",
                             JoinNames(ExchangesThat(isRight)),
                             ofGroup ? "" : " between groups",
                             key,
                             areNodes || !name || ExchangeCatalog().Find(*name).aggregation.empty()
                                 ? ""
                                 : ": switches add where groups are the GPUs of a worker each"),
                 {},
                 {{key, "ring"}}});
        };
        const auto& ofShards = m_s.ofShards.algorithm; // or as sharding requires it
        require("group.shard.algorithm", ofShards, ofShards, [&](const auto& entry) {
            return entry.shards && (isOfWorkers(entry) || (areNodes && AddsInsideNodes(entry)));
        });
        const auto& ofReplicas = m_s.ofReplicas.algorithm;
        const auto between = ofReplicas.value_or(m_s.exchange.algorithm);
        require("group.replica.algorithm", ofReplicas, between, [&](const auto& entry) {
            return entry.otherRanks(spec) == 0 && (areNodes || entry.aggregation.empty());
        });
        const auto* const adding = AddingExchange(m_s, true);
        const auto inside = AddingKey(m_s, true);
        Require(adding == nullptr || adding->aggregation == SchemeOf(m_s)->name,
                {inside,
                 fmt::format("must add by {}, as the switches between workers do",
                             adding != nullptr ? SchemeOf(m_s)->name : ""),
                 {},
                 {{inside, "ring"}}});
    }

    /** Other collectives than sums are of a lone tensor, and of no algorithm that sums. */
    void CheckCollective()
    {
        const auto collective = CollectiveOf(m_s);
        const auto require = [this](bool isRight,
                                    const std::string& key,
                                    const char* why,
                                    Remedy remedy) {
            Require(isRight,
                    {key,
                     fmt::format("{} with exchange.collective = \"{{exchange.collective}}\"", why),
                     {"exchange.collective"},
                     {std::move(remedy), {"exchange.collective", "all-reduce"}}});
        };
        const bool isSum = collective == Meaning::SUM;
        require(isSum || m_s.training.sharding == Sharding::NONE,
                "training.sharding",
                "must be none",
                {"training.sharding", "none"});
        const bool isRouted = IsRouted(m_s);
        require(isSum || !PicksBySize(m_s) ||
                    (SharesOut(m_s) && !isRouted && PicksShards(m_s.exchange.library)),
                "exchange.library",
                "picks no such exchange, and must be none",
                {"exchange.library", "none"});
        require(isSum || !HasSketch(m_s),
                "codec.name",
                "must not be homomorphic, which codes sums that all get,",
                {"codec.name", "none"});
        const bool handsOn = collective == Meaning::ALL_GATHER ||
                             collective == Meaning::BROADCAST ||
                             (collective == Meaning::DISPATCH && SharesOut(m_s));
        require(!handsOn || !HasCodec(m_s),
                CodecTable(m_s) + "name",
                isRouted ? "must be none, as switches hand on what workers have,"
                         : "must be none, as codecs compress gradients, and none travel",
                {CodecTable(m_s) + "name", "none"});
        require(isSum || IsSharded(m_s) || !SharesOut(m_s) || m_exchange.shards,
                "exchange.algorithm",
                "must be one in which workers get the sums of a part each",
                {"exchange.algorithm", "ring"});
        require(AddsUp(m_s) || m_s.exchange.algorithm == ExchangeSettings().algorithm,
                "exchange.algorithm",
                isRouted ? "must be one in which switches add, or left out,"
                         : "has nothing to add, and must be left out",
                {"exchange.algorithm", "ring"});
        const auto experts = m_s.exchange.expertsPerToken;
        auto nearest = std::min(WorkerCount(m_s), experts); // below
        while (WorkerCount(m_s) % nearest != 0)
        {
            --nearest;
        }
        Require(!isRouted || WorkerCount(m_s) % experts == 0,
                {"exchange.experts_per_token",
                 fmt::format("must divide the {} workers, got {{exchange.experts_per_token}}",
                             WorkerCount(m_s)),
                 {"exchange.collective"},
                 {{"exchange.experts_per_token", std::to_string(nearest)}}});
        CheckShares();
        require(!isRouted || SharesOut(m_s) || m_s.exchange.allToAll != "hierarchical",
                "exchange.all_to_all",
                "must be pairwise or direct",
                {"exchange.all_to_all", "pairwise"});
        require(!isRouted || !SharesOut(m_s) || NodeSize(m_s) == 1 || m_s.cluster.workers == 1,
                "cluster.gpus",
                "must be 1 with switches that add between workers,",
                {"cluster.gpus", "1"});
        require(AddsUp(m_s) || !m_s.host.isHalfDuplex || !IsAllToAll(collective),
                "host.duplex",
                "must be full",
                {"host.duplex", "full"});
    }

    /** Of blocks of an all-to-all. */
    void CheckShares()
    {
        constexpr std::uint32_t mostWorkers = 1'024; // each has a table of all others
        const auto shares = MakeExchangeSpec(m_s).shares;
        if (shares == nullptr)
        {
            return;
        }
        const auto workers = WorkerCount(m_s);
        const auto require = [this](bool isRight, const std::string& text) {
            Require(isRight,
                    {"exchange.all_to_all_shares",
                     text,
                     {"exchange.collective"},
                     {{"exchange.all_to_all_shares", ""}}});
        };
        const bool isSquare = shares->size() == 1 || shares->size() == workers;
        require(isSquare && std::all_of(shares->begin(),
                                        shares->end(),
                                        [&](const auto& row) { return row.size() == workers; }),
                fmt::format("must be 1 or {0} rows of {0} numbers, one for each worker", workers));
        require(std::any_of(shares->begin(),
                            shares->end(),
                            [](const auto& row) {
                                return std::any_of(
                                    row.begin(), row.end(), [](double share) { return share > 0; });
                            }),
                "must have a number above 0");
        require(workers <= mostWorkers,
                fmt::format("is of at most {} workers, which are {}", mostWorkers, workers));
        require(m_s.exchange.allToAll != "hierarchical",
                "must not be given with exchange.all_to_all = \"hierarchical\"");
    }

    void CheckHosts()
    {
        Require(!m_s.host.isHalfDuplex || m_s.exchange.concurrent == 1 ||
                    SumScopeOf(m_s) == SumScope::WORKERS,
                {"exchange.concurrent",
                 "must be 1 where host.duplex is half, got {exchange.concurrent}",
                 {"host.duplex", "exchange.algorithm"},
                 {{"exchange.concurrent", "1"}, {"host.duplex", "full"}}});
        Require(!m_s.host.isHalfDuplex || !GathersApart(m_s) ||
                    SumScopeOf(m_s) == SumScope::WORKERS,
                {"exchange.communicators",
                 "must be 1 where host.duplex is half: a host that sends or receives has one "
                 "exchange at a time",
                 {"host.duplex", "exchange.algorithm"},
                 {{"exchange.communicators", "1"}, {"host.duplex", "full"}}});
        const auto spec = MakeExchangeSpec(m_s);
        std::map<std::string, std::string> keys{
            {GatherAlgorithm(m_s), "exchange.gather_algorithm"}};
        if (spec.shardGroup > 0)
        {
            keys = {{spec.replicaAlgorithm, "group.replica.algorithm"}};
        }
        keys[spec.algorithm] = "exchange.algorithm";
        for (const auto& [algorithm, key] : keys)
        {
            Require(!m_s.host.isHalfDuplex || !ExchangeCatalog().Find(algorithm).allToAll,
                    {"host.duplex",
                     fmt::format("must be full with {} = \"{}\", in which all workers send to all "
                                 "at once: hosts that send or receive would wait for each other in "
                                 "a circle",
                                 key,
                                 algorithm),
                     {key},
                     {{"host.duplex", "full"}, {key, "ring"}}});
        }
    }

    /** What groups say of a codec is checked as if it were that of all. */
    void CheckCodecs()
    {
        if (!SaysCodecs(m_s))
        {
            CheckCodec();
            return;
        }
        for (const bool crossesGroups : {false, true})
        {
            const auto one = CodedAs(m_s, crossesGroups);
            const auto table = CodecTable(m_s, crossesGroups);
            const auto nodeSize = NodeSize(m_s);
            const bool isInWorkers = !crossesGroups && nodeSize > 1 && table != "codec." &&
                                     (ShardGroup(m_s) == 0 || nodeSize % ShardGroup(m_s) == 0);
            Checker checker(one);
            checker.CheckCodec();
            checker.CheckCodecOfGroup(CodedAs(m_s, !crossesGroups).codec, isInWorkers);
            for (const auto& complaint : checker.m_found)
            {
                m_found.push_back(OfGroup(complaint, table));
            }
        }
    }

    /** @param other codec of messages that are within groups where these are between, or the other way round */
    void CheckCodecOfGroup(const CodecSettings& other, bool isInWorkers)
    {
        const auto& codec = m_s.codec;
        Require(!HasSketch(m_s),
                {"codec.name",
                 "must not be homomorphic in a group: groups add values, and no sketches of them",
                 {},
                 {{"codec.name", "none"}}});
        Require(!isInWorkers || !HasEngines(m_s),
                {"codec.placement",
                 "must be cpu or gpu inside a worker: there is no NIC between its GPUs",
                 {"codec.name"},
                 {{"codec.placement", "gpu"}, {"codec.name", "none"}}});
        Require(codec.name != "cast" || codec.sum == "fp32" ||
                    (other.name == codec.name && other.sum == codec.sum &&
                     other.castTo == codec.castTo),
                {"codec.sum",
                 "must be fp32 where other messages have another codec: sums of all are rounded "
                 "alike",
                 {},
                 {{"codec.sum", "fp32"}}});
    }

    /** @return the table whose keys say how messages within groups, or between them, are coded */
    static std::string CodecTable(const Scenario& s, bool crossesGroups)
    {
        if (ShardGroup(s) > 0)
        {
            return GroupIn(s, crossesGroups).codec.empty() ? "codec."
                   : crossesGroups                         ? "group.replica.codec."
                                                           : "group.shard.codec.";
        }
        return SaysCodecs(s) && !crossesGroups ? "group.node.codec." : "codec.";
    }

    /** @return the table of what codes some messages, those within groups if these are coded */
    static std::string CodecTable(const Scenario& s)
    {
        return CodecTable(s, !HasCodec(CodedAs(s, false)));
    }

    /** @return @p complaint about [codec], of what @p table says in its place */
    static KeyComplaint OfGroup(KeyComplaint complaint, const std::string& table)
    {
        const auto rename = [&table](std::string& text) {
            for (auto at = text.find("codec."); at != std::string::npos;
                 at = text.find("codec.", at + table.size()))
            {
                text.replace(at, std::string("codec.").size(), table);
            }
        };
        rename(complaint.key);
        rename(complaint.text);
        std::for_each(complaint.others.begin(), complaint.others.end(), rename);
        for (auto& remedy : complaint.remedies)
        {
            rename(remedy.key);
        }
        return complaint;
    }

    void CheckCodec()
    {
        const auto& codec = FindCodec(m_s.codec.name);
        const bool isOfBuckets = codec.unit == CodedUnit::BUCKET;
        Require(
            codec.RunsInNics() || Placement(m_s) != CodecPlacement::NIC,
            {"codec.placement",
             fmt::format("{{codec.name}} runs on gpu or cpu: a NIC's engine sees frames, not {}",
                         isOfBuckets ? "buckets" : "messages"),
             {"codec.name"},
             {{"codec.placement", isOfBuckets ? "gpu" : "cpu"}, {"codec.name", "inceptionn"}}});
        const auto most = codec.largestBound;
        Require(!CodecReads(m_s, "bound") || m_s.codec.bound <= most,
                {"codec.bound",
                 fmt::format("must be 2^-1 to {} with codec.name = \"{{codec.name}}\", got "
                             "{{codec.bound}}",
                             FormatBound(most)),
                 {"codec.name"},
                 {{"codec.bound", FormatBound(most)}, {"codec.name", "inceptionn"}}});
        const bool timedByMemory = HasSketch(m_s) && Placement(m_s) == CodecPlacement::GPU;
        const auto rates = Placement(m_s) == CodecPlacement::GPU ? GPU_CODEC_RATES : codec.cpuRates;
        const Remedy whereNoneIsNeeded =
            codec.RunsInNics() || isOfBuckets
                ? Remedy{"codec.placement", isOfBuckets ? "gpu" : "nic"}
                : Remedy{"codec.name", "none"};
        for (const auto& [key, rate, usual] :
             {std::tuple{"codec.encode_rate", m_s.codec.encodeBytesPerSecond, rates.first},
              std::tuple{"codec.decode_rate", m_s.codec.decodeBytesPerSecond, rates.second}})
        {
            Require(!HasHostCodec(m_s) || timedByMemory || rate > 0,
                    {key,
                     "must be given with codec.placement = \"{codec.placement}\"",
                     {"codec.name", "codec.placement"},
                     {{key, usual}, whereNoneIsNeeded}});
        }
    }

    void CheckTransport()
    {
        Require(HasFrames(m_s) || !ReducesInNetwork(m_s),
                {"transport.name",
                 "must be inca with exchange.algorithm = \"{exchange.algorithm}\": switches add "
                 "packets, "
                 "not the streams of {transport.name}; exchanges between hosts, such as ring, run "
                 "over it",
                 {"exchange.algorithm"},
                 {{"transport.name", "inca"}, {"exchange.algorithm", "ring"}}});
        const auto table = CodecTable(m_s, !HasEngines(CodedAs(m_s, false)));
        Require(
            HasFrames(m_s) || !HasEngines(m_s),
            {"transport.name",
             "must be inca with " + table +
                 "placement = \"nic\": engines of NICs code the frames of inca, not the streams "
                 "of {transport.name}; a codec on cpu or gpu codes whole messages, which run "
                 "over it",
             {table + "name", table + "placement"},
             {{"transport.name", "inca"}, {table + "placement", "gpu"}, {table + "name", "none"}}});
    }

    /** What flows have no model of. */
    void CheckFlows()
    {
        const bool isFlow = m_s.simulation.mode == SimulationMode::FLOW;
        Require(!isFlow || HasFrames(m_s),
                {"simulation.mode",
                 "must be auto or packet with transport.name = \"{transport.name}\": flows are "
                 "those of inca's own transport",
                 {"transport.name"},
                 {{"simulation.mode", "auto"}, {"transport.name", "inca"}}});
        Require(!isFlow || m_s.cluster.lossRate == 0,
                {"simulation.mode",
                 "must be auto or packet with cluster.loss_rate = {cluster.loss_rate}: a flow has "
                 "no frames that could be lost",
                 {"cluster.loss_rate"},
                 {{"simulation.mode", "auto"}, {"cluster.loss_rate", "0"}}});
        const bool carriesValues = m_s.training.values && HasSketch(m_s);
        Require(!isFlow || !ReducesInNetwork(m_s) || !carriesValues,
                {"simulation.mode",
                 "must be auto or packet with training.values = true: a switch adds what hosts "
                 "encode in packets, and flows have none",
                 {"training.values"},
                 {{"simulation.mode", "auto"}, {"training.values", "false"}}});
    }

    void CheckSwitches()
    {
        const auto& adding = *AddingExchange(m_s, false);
        const auto key = AddingKey(m_s, false);
        const auto forSeveral = ExchangesThat([&](const auto& other) {
            return other.aggregation == adding.aggregation && !other.inOneSwitch;
        });
        // A tree is more than one switch, and only its exchange knows how to make one.
        Require(
            !adding.inOneSwitch || !HasTrunks(m_s) || m_s.cluster.workers == 1,
            {key,
             fmt::format("{{{}}} adds in one switch, and a {{cluster.topology}} has several; {} "
                         "adds in all that are needed",
                         key,
                         JoinNames(forSeveral)),
             {"cluster.topology"},
             {{key, forSeveral.empty() ? "" : forSeveral.front()}, {"cluster.topology", "star"}}});
        // On rails, switches add what crosses groups; what is within them is messages.
        const bool areRails = SumScopeOf(m_s) == SumScope::RAILS;
        const bool addsCoded = areRails ? HasCodec(CodedAs(m_s, true)) : HasCodec(m_s);
        const auto codec = (areRails ? CodecTable(m_s, true) : CodecTable(m_s)) + "name";
        Require(!SwitchesAdd(m_s) || !addsCoded || HasSketch(m_s),
                {codec,
                 fmt::format("must be none or homomorphic with {} = \"{{{}}}\": switches add "
                             "numbers, not the stream of {{{}}}",
                             key,
                             key,
                             codec),
                 {key},
                 {{codec, "none"}, {key, "ring"}}});
    }

    void CheckScheme()
    {
        const auto* const inside = AddingExchange(m_s, true);
        for (const bool inNodes : {false, true})
        {
            const auto scheme = MakeScheme(m_s, inNodes, AtOnce(m_s));
            for (const auto& complaint :
                 scheme ? scheme->Complaints() : std::vector<KeyComplaint>())
            {
                const auto isSame = [&](const KeyComplaint& one) {
                    return one.key == complaint.key && one.text == complaint.text;
                };
                if (std::none_of(m_found.begin(), m_found.end(), isSame))
                {
                    m_found.push_back(complaint);
                }
            }
        }
        const auto table = CodecTable(m_s, false);
        const bool codesInside = table != "codec." && HasCodec(CodedAs(m_s, false));
        Require(inside == nullptr || !codesInside,
                {table + "name",
                 "must be none where the switch inside a worker adds: it adds numbers, and no "
                 "stream of a codec",
                 {"group.node.algorithm", "group.shard.algorithm"},
                 {{table + "name", "none"}}});
        const auto adder = MakeScheme(m_s, inside != nullptr, AtOnce(m_s))->Numbers().adder;
        const bool isKnown = adder.isExact || !SwitchesAdd(m_s) || !HasLossyCodec(m_s);
        Require(SumScopeOf(m_s) == SumScope::WORKERS || !m_s.training.values || isKnown,
                {"switch.adder",
                 "must be of integers with training.values = true, where {codec.name} codes what "
                 "switches add: sums of " +
                     std::string(adder.name) +
                     " depend on the order of arrival, and what the codec makes of them could not "
                     "be checked",
                 {"training.values", "codec.name", "group.node.algorithm", "group.shard.algorithm"},
                 {{"switch.adder", "int32"}, {"training.values", "false"}}});
    }

    void CheckSketches()
    {
        const auto thatAdd = ExchangesThat([](const auto& entry) { return !entry.returnsWeights; });
        Require(!HasAggregator(m_s),
                {"exchange.algorithm",
                 "must be " + JoinNames(thatAdd) +
                     " with codec.name = \"homomorphic\": the aggregator of {exchange.algorithm} "
                     "returns weights, and only sums can be decoded",
                 {"codec.name"},
                 {{"exchange.algorithm", "ring"}, {"codec.name", "none"}}});
    }

    void CheckSketchesInSwitches()
    {
        Require(m_s.codec.index != "bits-4",
                {"codec.index",
                 "must be bits-1 or bloom with exchange.algorithm = \"{exchange.algorithm}\": "
                 "switches combine an index by or",
                 {"codec.name", "exchange.algorithm"},
                 {{"codec.index", "bits-1"}, {"exchange.algorithm", "ring"}}});
        // The network knows sums by their order only, and each chunk has two that follow their own pace.
        Require(m_s.exchange.concurrent == 1,
                {"exchange.concurrent",
                 "must be 1 with codec.name = \"homomorphic\" and exchange.algorithm = "
                 "\"{exchange.algorithm}\", where all workers ask for sums in one order, got "
                 "{exchange.concurrent}",
                 {"codec.name", "exchange.algorithm"},
                 {{"exchange.concurrent", "1"}, {"exchange.algorithm", "ring"}}});
        const auto [adder, fixedExponent] =
            MakeScheme(m_s, false, m_s.exchange.concurrent)->Numbers();
        const bool saturates = adder == WordSum::INT32_SATURATING;
        const bool isScaled = adder == WordSum::INT32 && !fixedExponent;
        Require(
            saturates || adder == WordSum::INT32 || adder == WordSum::FP32,
            {"codec.name",
             fmt::format("homomorphic has no counters for {}, which the switches of "
                         "{{exchange.algorithm}} add",
                         adder.name),
             {"exchange.algorithm", "switch.adder"},
             {{"switch.adder", "fp32"}, {"codec.name", "none"}, {"exchange.algorithm", "ring"}}});
        Require(!m_s.codec.overlapsRounds || !(saturates || isScaled),
                {"codec.rounds",
                 saturates
                     ? "must be dependent with switch.adder = \"int32-saturating\", which needs as "
                       "much headroom as the index says"
                     : "must be dependent with switch.adder = \"int32\" and switch.scaling = "
                       "\"block\", where counters are scaled by an exponent that travels with the "
                       "index",
                 {"codec.name", "exchange.algorithm", "switch.adder", "switch.scaling"},
                 {{"codec.rounds", "dependent"}, {"switch.adder", "fp32"}}});
    }

    void CheckSketchesOnHosts()
    {
        const auto most = std::to_string(g_mostNibbleWorkers);
        Require(m_s.codec.index != "bits-4" || m_s.cluster.workers <= g_mostNibbleWorkers,
                {"codec.index",
                 "bits-4 counts up to " + most + " workers, cluster.workers is {cluster.workers}",
                 {"codec.name", "cluster.workers"},
                 {{"codec.index", "bits-1"}, {"cluster.workers", most}}});
        // Two exchanges in flight at once are more than a half-duplex host can do.
        Require(!m_s.codec.overlapsRounds || !m_s.host.isHalfDuplex,
                {"codec.rounds",
                 "must be dependent where host.duplex is half, got {codec.rounds}",
                 {"codec.name", "exchange.algorithm", "host.duplex"},
                 {{"codec.rounds", "dependent"}, {"host.duplex", "full"}}});
    }

    void Require(bool isRight, KeyComplaint complaint)
    {
        if (!isRight)
        {
            complaint.text = Filled(complaint.text, m_s);
            m_found.push_back(std::move(complaint));
        }
    }

    /** @param texts "key: text" each, as catalogues complain */
    void AddTexts(const std::vector<std::string>& texts,
                  const std::vector<std::string>& others,
                  const Remedy& remedy)
    {
        for (const auto& text : texts)
        {
            const auto colon = text.find(": ");
            m_found.push_back({text.substr(0, colon), text.substr(colon + 2), others, {remedy}});
        }
    }

    const Scenario& m_s;
    const ExchangeEntry& m_exchange;
    std::vector<KeyComplaint> m_found;
};

/** @return whether @p remedy is a value, with which nothing is said of @p key any more */
bool
Helps(const Remedy& remedy, const std::string& key, Scenario scenario)
{
    try
    {
        SetKey(scenario, remedy.key, remedy.value);
        const auto found = Checker(scenario).All();
        return std::none_of(
            found.begin(), found.end(), [&key](const auto& other) { return other.key == key; });
    }
    catch (const std::exception&) // no value of the key
    {
        return false;
    }
}

} // namespace

std::vector<KeyComplaint>
Complaints(const Scenario& scenario)
{
    auto found = Checker(scenario).All();
    for (auto& complaint : found)
    {
        auto& remedies = complaint.remedies;
        const auto isNone = [&](const Remedy& remedy) {
            return !Helps(remedy, complaint.key, scenario);
        };
        remedies.erase(std::remove_if(remedies.begin(), remedies.end(), isNone), remedies.end());
    }
    return found;
}

} // namespace inca
