/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/drawn-scenario.h"

#include "experiment/trip-saving.h"
#include "scenario/checks.h"
#include "scenario/keys.h"
#include "scenario/specs.h"
#include "support/draw.h"
#include "support/settings.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <fstream>
#include <initializer_list>
#include <optional>

namespace inca
{

namespace
{

using Texts = std::initializer_list<const char*>;

/** Sets keys to what is drawn. */
class Drawing
{
  public:
    explicit Drawing(std::uint32_t number)
        : m_draw(number)
    {
    }

    std::string Set(const char* key, Texts texts)
    {
        const std::string text = m_draw.Of(texts);
        SetKey(m_scenario, key, text);
        return text;
    }

    bool Chance(std::uint32_t oneOf)
    {
        std::uint32_t drawn = 0;
        for (std::uint32_t i = 1; i < oneOf; i *= 2)
        {
            drawn = 2 * drawn + m_draw.Of({0U, 1U});
        }
        return drawn == 0;
    }

    Scenario Make(const DrawnTraces& traces)
    {
        const auto trace = m_draw.Of({0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U});
        m_scenario.training.trace = traces.Number(trace);
        DrawExchange();
        DrawTraining();
        DrawCluster();
        DrawCodec();
        DrawHosts();
        DrawTransport();
        Set("training.update", {"end", "end", "bucket", "host"});
        return m_scenario;
    }

  private:
    void DrawTraining()
    {
        Set("training.send", {"bucket", "layer", "end"});
        Set("training.overlap", {"true", "false"});
        Set("training.barrier", {"false", "false", "true"});
        Set("training.accumulation", {"1", "1", "2"});
        const auto iterations = Set("training.iterations", {"1", "1", "3", "6"});
        if (iterations == "6")
        {
            Set("simulation.warmup", {"0", "2"});
        }
    }

    void DrawExchange()
    {
        m_algorithm = Set("exchange.algorithm",
                          {"ring",
                           "ring",
                           "worker-aggregator",
                           "hierarchical-aggregator",
                           "hierarchical-ring",
                           "parameter-server",
                           "sharded-parameter-server",
                           "switch-slots",
                           "switch-tree"});
        if (HasGroups(m_scenario))
        {
            Set("cluster.workers", {"4", "6"});
            SetKey(m_scenario, "exchange.group_size", "2");
        }
        else
        {
            Set("cluster.workers", {"2", "3", "5", "8"});
        }
        if (m_algorithm == "sharded-parameter-server")
        {
            Set("cluster.servers", {"1", "2", "3"});
        }
        Set("exchange.broadcast", {"flat", "binomial"});
        Set("exchange.sum", {"after", "arrival"});
        Set("exchange.start", {"own", "own", "together"});
        if (Set("exchange.chunk_bytes", {"0", "8000B", "20000B"}) != "0")
        {
            Set("exchange.concurrent", {"1", "3", "16"});
            Set("exchange.order", {"ready", "ready", "priority"});
        }
    }

    void DrawCluster()
    {
        Set("cluster.bandwidth", {"1Gbps", "10Gbps", "10Gbps", "100Gbps", "400Gbps"});
        Set("cluster.latency", {"0", "1us", "1us", "20us"});
        Set("switch.latency", {"0", "0", "500ns"});
        Set("cluster.mtu", {"1500", "1500", "9000"});
        if (m_algorithm == "switch-tree")
        {
            SetKey(m_scenario, "cluster.topology", "leaf-spine");
            Set("cluster.hosts_per_leaf", {"2", "4"});
        }
        else if (!ReducesInNetwork(m_scenario))
        {
            Set("cluster.aggregator_bandwidth", {"10Gbps", "100Gbps"});
        }
        if (ReducesInNetwork(m_scenario))
        {
            Set("switch.slots", {"1", "4", "16", "128"});
            Set("switch.values_per_packet", {"64", "256"});
            Set("switch.adder_rate", {"none", "none", "300Mvalues/s"});
            Set("switch.scaling", {"block", "fixed"});
            SetKey(m_scenario, "switch.timeout", "1s");
        }
        if (Chance(8))
        {
            m_scenario.cluster.overrides = {
                {1,
                 m_draw.Of<std::optional<std::uint64_t>>({std::nullopt, 2'000'000'000}),
                 m_draw.Of({0.5, 1.0, 3.0})}};
        }
    }

    void DrawCodec()
    {
        if (ReducesInNetwork(m_scenario))
        {
            return;
        }
        const auto codec = Set("codec.name", {"none", "none", "truncate", "cast", "inceptionn"});
        if (codec == "none")
        {
            return;
        }
        if (Set("codec.placement", {"nic", "nic", "cpu", "gpu"}) == "nic")
        {
            m_scenario.attributes = {
                {"inca::CompressionEngine::Width", m_draw.Of({"256", "1024"})},
                {"inca::CompressionEngine::Clock", m_draw.Of({"100MHz", "265MHz", "1GHz"})},
                {"inca::DecompressionEngine::Clock", m_draw.Of({"50MHz", "100MHz", "1GHz"})}};
            return;
        }
        Set("codec.encode_rate", {"1GBps", "4GBps", "40GBps"});
        Set("codec.decode_rate", {"1GBps", "4GBps", "40GBps"});
    }

    void DrawHosts()
    {
        Set("host.duplex", {"full", "full", "full", "half", "half"});
        Set("host.sum_rate", {"none", "1GBps", "8.4GBps"});
        Set("host.copy_rate", {"100MBps", "4.5GBps", "none"});
        Set("host.byte_rate", {"none", "none", "2.4GBps"});
        Set("host.frame_cost", {"0", "0", "100ns"});
        Set("host.message_cost", {"0", "0", "2us"});
    }

    void DrawTransport()
    {
        if (ReducesInNetwork(m_scenario))
        {
            return;
        }
        const auto window = Set("transport.window", {"1", "4", "16", "64", "auto"});
        if (window == "1" || window == "4")
        {
            SetKey(m_scenario, "transport.ack_every", window);
        }
        SetKey(m_scenario, "transport.min_timeout", "1s"); // no probe, whatever a round trip takes
    }

    Draw m_draw;
    Scenario m_scenario;
    std::string m_algorithm;
};

constexpr const char* g_faster = "-faster.csv";

/** Elements, then times in ns: forward, backward, a worker's update, an aggregator's. */
using Layer = std::array<double, 5>;

void
WriteLayers(const std::string& path, const std::vector<Layer>& layers, double speed)
{
    std::ofstream file(path);
    file << "#inca-trace v1\n# model: test\n# source: test\n# class: assumed\n# device: none\n"
         << "# batch: 8\n# gradient_type: fp32\n"
         << "layer,elements,forward_ns,backward_ns,update_ns,aggregator_update_ns,density,"
         << "exponents\n";
    for (std::size_t i = 0; i < layers.size(); ++i)
    {
        file << "layer" << i << "," << static_cast<std::uint64_t>(layers[i][0]);
        for (std::size_t time = 1; time < layers[i].size(); ++time)
        {
            file << "," << static_cast<std::uint64_t>(layers[i][time] / speed);
        }
        file << ",0.5,0:0.5;121:0.5\n"; // every other value is 0
    }
}

/** @return the path of a trace of @p layers, @p larger times; beside it stands a faster one */
std::string
WriteBoth(const std::string& name, std::vector<Layer> layers, std::uint32_t larger)
{
    for (auto& layer : layers)
    {
        for (auto& number : layer)
        {
            number *= larger;
        }
    }
    const auto path = name + std::to_string(larger) + "-" + std::to_string(getpid()) + ".csv";
    WriteLayers(path, layers, 1);
    WriteLayers(path + g_faster, layers, RAISE);
    return path;
}

} // namespace

DrawnTraces::DrawnTraces(const std::string& folder, std::uint32_t larger)
    : m_names{"tensor:" + std::to_string(40'000 * larger) + "B",
              "tensor:" + std::to_string(300 * larger) + "kB"}
{
    m_names.push_back(WriteBoth(
        folder + "drawn-little",
        {{3000, 1000, 2000, 500, 100}, {5000, 4000, 6000, 900, 2000}, {2000, 10, 20, 3000, 10}},
        larger));
    m_names.push_back(WriteBoth(folder + "drawn-much",
                                {{30'000, 10'000, 20'000, 50'000, 100},
                                 {5000, 400'000, 600'000, 900, 900},
                                 {20'000, 10, 20, 30, 30}},
                                larger));
}

std::string
DrawnTraces::Faster(const std::string& name)
{
    return name.rfind("tensor:", 0) == 0 ? name : name + g_faster;
}

Scenario
DrawnScenario(std::uint32_t number, const DrawnTraces& traces)
{
    constexpr std::uint32_t next = 1'000'003;
    auto scenario = Drawing(number).Make(traces);
    while (!Complaints(scenario).empty())
    {
        number += next;
        scenario = Drawing(number).Make(traces);
    }
    return scenario;
}

Scenario
DrawnNetwork(std::uint32_t number, const DrawnTraces& traces)
{
    const auto scenario = DrawnScenario(number, traces);
    auto wired = scenario;
    wired.cluster.topology = std::array{"star", "leaf-spine", "fat-tree", "rack-pair"}[number % 4];
    return Complaints(wired).empty() ? wired : scenario;
}

namespace
{

/** How a kind of scenarios is made of those of another: of each list one takes the settings that its number says. */
struct Variation
{
    const char* kind;
    std::uint32_t next; ///< as many further is the number that is drawn where one cannot run
    std::vector<std::vector<const char*>> lists;
    /** What no list can change of a drawn one. @return whether that can be varied at all */
    bool (*change)(std::uint32_t number, Scenario& drawn){nullptr};
    const char* base{"networks"};       ///< the kind of which it is made
    const char* everyThird{"networks"}; ///< and of which every third one is made
};

const std::vector<Variation>&
Variations()
{
    static const std::vector<Variation> variations{
        {"gradients",
         1'000'037,
         {{"training.gradient_type=bf16",
           "training.gradient_type=fp16",
           "training.gradient_type=fp32"},
          {"training.send=bucket exchange.first_bucket_bytes=10000B",
           "training.send=bucket exchange.bucket_bytes=40000B",
           "training.send=fused exchange.bucket_bytes=40000B",
           ""}}},
        {"collectives",
         1'000'033,
         {{"exchange.algorithm=tree tree.chunk_bytes=8000B",
           "exchange.algorithm=halving-doubling",
           "exchange.algorithm=recursive-doubling",
           "exchange.algorithm=ring ring.channels=2",
           "exchange.algorithm=ring ring.channels=3 ring.chunk_bytes=4000B",
           "exchange.algorithm=tree tree.chunk_bytes=1MB"}}},
        {"steps",
         1'000'081,
         {{"exchange.algorithm=tree tree.chunk_bytes=4000B",
           "exchange.algorithm=ring",
           "exchange.algorithm=tree tree.chunk_bytes=16000B",
           "exchange.algorithm=ring ring.channels=2",
           "exchange.algorithm=tree tree.chunk_bytes=1000B"},
          {"cluster.workers=4", "cluster.workers=7", "cluster.workers=12"},
          {"codec.name=none", "codec.name=inceptionn codec.placement=nic"}}},
        {"codecs",
         1'000'151,
         {{"codec.name=inceptionn-bounded",
           "codec.name=snappy",
           "codec.name=netzip",
           "codec.name=netzip codec.placement=gpu codec.grouping=byte codec.backend=zstd",
           "codec.name=zfp codec.bound=2^-6",
           "codec.name=inceptionn-bounded codec.placement=cpu codec.bound=2^-12",
           "codec.name=zfp codec.placement=gpu",
           "codec.name=block codec.format=nvfp4",
           "codec.name=block codec.format=quickreduce-q6",
           "codec.name=block codec.format=torchft-fp8 codec.row_values=100",
           "codec.name=block codec.format=int4/48/bf16/hadamard-16 codec.rounding=stochastic",
           "codec.name=exponents codec.start_cost=7us"},
          {"codec.encode_rate=1GBps codec.decode_rate=4GBps",
           "codec.encode_rate=40GBps codec.decode_rate=2GBps"},
          {"codec.bits_per_value=2.9",
           "codec.bits_per_value=0.01",
           "codec.bits_per_value=33.3",
           "codec.bits_per_value=64"},
          {"ring.owner_copy=coded", "ring.owner_copy=exact", "ring.owner_copy=exact"}},
         [](std::uint32_t, Scenario& drawn) {
             drawn.codec = {};
             drawn.attributes.clear();
             return !ReducesInNetwork(drawn);
         }},
        {"host shards",
         1'000'033,
         {{"exchange.algorithm=ring",
           "exchange.algorithm=ring ring.channels=2",
           "exchange.algorithm=ring ring.channels=3 ring.chunk_bytes=4000B",
           "exchange.algorithm=halving-doubling"},
          {"training.sharding=full",
           "training.sharding=full training.overlap=false",
           "training.sharding=full training.accumulation=3",
           "training.sharding=optimizer",
           "training.sharding=full training.accumulation=2 training.overlap=false"},
          {"training.weight_type=bf16",
           "training.gradient_type=bf16 training.reduce_type=fp32",
           "training.reduce_type=bf16 training.weight_type=fp16",
           ""}}},
        {"hybrids",
         1'000'033,
         {{"cluster.workers=8 training.shard_group=2 exchange.algorithm=ring",
           "cluster.workers=8 training.shard_group=4 exchange.algorithm=halving-doubling",
           "cluster.workers=6 training.shard_group=3 exchange.algorithm=ring",
           "cluster.workers=12 training.shard_group=4 exchange.algorithm=two-shot "
           "host.duplex=full"},
          {"training.sharding=hybrid exchange.concurrent=1 exchange.order=ready ring.channels=1 "
           "ring.chunk_bytes=0"},
          {"training.accumulation=1",
           "training.accumulation=3",
           "training.accumulation=2 training.replica_sums=update"},
          {"group.shard.compress=true",
           "group.shard.compress=false group.replica.algorithm=recursive-doubling",
           "group.replica.compress=false",
           "group.replica.algorithm=tree",
           "group.shard.codec.name=none group.replica.codec.drop_bits=24",
           "group.shard.codec.name=cast group.replica.codec.name=truncate group.shard.group_size=2",
           ""}},
         [](std::uint32_t, Scenario& drawn) {
             drawn.exchange.groupSize = {};
             drawn.cluster.overrides.clear();
             return true;
         },
         "host shards"},
        {"nodes",
         1'000'231,
         {{"cluster.workers=1 cluster.gpus=4 exchange.algorithm=ring",
           "cluster.workers=1 cluster.gpus=5 exchange.algorithm=switch-slots codec.name=none",
           "cluster.workers=2 cluster.gpus=3 exchange.algorithm=tree cluster.nics=3",
           "cluster.workers=3 cluster.gpus=2 exchange.algorithm=ring ring.channels=2",
           "cluster.workers=4 cluster.gpus=2 exchange.algorithm=halving-doubling cluster.nics=2 "
           "group.node.codec.name=truncate group.node.codec.placement=gpu "
           "group.node.codec.encode_rate=4GBps group.node.codec.decode_rate=3GBps",
           "cluster.workers=2 cluster.gpus=4 exchange.algorithm=two-shot cluster.nics=2 "
           "host.duplex=full",
           "cluster.workers=4 cluster.gpus=2 exchange.algorithm=ring cluster.nics=2 "
           "ring.channels=1 training.sharding=hybrid training.shard_group=4",
           "cluster.workers=3 cluster.gpus=2 cluster.nics=2 exchange.algorithm=switch-slots "
           "codec.name=none",
           "cluster.workers=3 cluster.gpus=4 cluster.nics=2 exchange.algorithm=ring "
           "group.node.algorithm=switch-slots codec.name=none",
           "cluster.workers=3 cluster.gpus=3 cluster.nics=3 exchange.algorithm=switch-tree "
           "group.node.algorithm=switch-slots codec.name=none",
           "cluster.workers=4 cluster.gpus=2 cluster.nics=1 codec.name=none "
           "training.sharding=hybrid training.shard_group=2 training.accumulation=1 "
           "group.replica.algorithm=switch-slots group.shard.algorithm=switch-slots"},
          {"exchange.part_bytes=0B", "exchange.part_bytes=40B", "exchange.part_bytes=1kB"},
          {"cluster.gpu_bandwidth=50GBps cluster.gpu_latency=2us",
           "cluster.gpu_bandwidth=1GBps cluster.gpu_latency=0us",
           "cluster.gpu_bandwidth=12GBps cluster.gpu_latency=0.5us"},
          {"codec.placement=gpu exchange.concurrent=1 exchange.order=ready"}},
         [](std::uint32_t, Scenario& drawn) {
             drawn.exchange.groupSize = {};
             drawn.cluster.overrides.clear();
             return true;
         }},
        {"sharding",
         1'000'039,
         {{"exchange.algorithm=switch-slots",
           "exchange.algorithm=switch-tree",
           "exchange.algorithm=switch-tree",
           "exchange.algorithm=ring",
           "exchange.algorithm=halving-doubling"},
          {"training.sharding=full exchange.concurrent=1 exchange.order=ready "
           "training.overlap=true training.accumulation=1",
           "training.sharding=optimizer exchange.concurrent=1"},
          {"training.gradient_type=bf16",
           "training.gradient_type=fp32",
           "training.gradient_type=fp32"}}},
        {"sketches",
         1'000'121,
         {{"codec.name=homomorphic codec.placement=gpu"},
          {"codec.index=bits-1", "codec.index=bits-4", "codec.index=bloom"},
          {"codec.rounds=dependent switch.adder=int32",
           "codec.rounds=overlapped switch.adder=fp32 host.duplex=full",
           "codec.rounds=dependent switch.adder=int32-saturating",
           "codec.rounds=overlapped switch.adder=fp32 host.duplex=full"},
          {"codec.ratio=1 training.density=0.05",
           "codec.ratio=4 training.density=0.05",
           "codec.ratio=safe training.density=0.5",
           "codec.ratio=4 training.density=0.5 codec.skip_density=0.5",
           "codec.ratio=1 training.density=0.5"},
          {"cluster.gpus=1 gpu.memory_bandwidth=1GBps",
           "cluster.gpus=4 gpu.memory_bandwidth=900GBps gpu.round_check=0",
           "cluster.gpus=4 gpu.memory_bandwidth=1GBps sparsify.method=top-k",
           "cluster.gpus=1 gpu.memory_bandwidth=900GBps sparsify.method=threshold",
           "codec.encode_rate=2GBps",
           "codec.encode_rate=2GBps cluster.gpus=4",
           "gpu.round_check=0 gpu.memory_bandwidth=1GBps"}}},
        {"sketch shards",
         1'000'099,
         {{"codec.name=homomorphic codec.placement=gpu"},
          {"codec.ratio=4 training.density=0.1",
           "codec.ratio=1 codec.rounds=overlapped",
           "codec.ratio=safe training.density=0.02",
           "codec.ratio=2 codec.index=bloom training.density=0.1",
           "codec.ratio=3 codec.index=bits-4 switch.adder=fp32",
           "codec.ratio=0.5 switch.adder=int32-saturating",
           "codec.ratio=1 codec.skip_density=0.4"}},
         nullptr,
         "host shards",
         "sharding"},
        {"switch shards",
         1'000'099,
         {{"exchange.algorithm=switch-tree cluster.topology=star",
           "exchange.algorithm=switch-slots cluster.topology=star",
           "exchange.algorithm=switch-slots cluster.topology=star"},
          {"switch.slots=48", "switch.slots=100", "switch.slots=128", "switch.slots=512"}},
         [](std::uint32_t drawn, Scenario& scenario) {
             scenario.cluster.workers = std::array{4U, 5U, 6U, 8U, 11U, 16U}[drawn % 6];
             scenario.cluster.overrides.clear();
             const bool isFull = drawn % 5 < 2;
             scenario.training.sharding = isFull ? Sharding::FULL : Sharding::OPTIMIZER;
             scenario.training.gradientType = drawn % 7 < 3 ? "bf16" : "fp32";
             scenario.exchange.concurrent = drawn % 5 == 4 ? 1 + drawn % 4 : 1;
             scenario.exchange.priority = !isFull && scenario.exchange.priority;
             return true;
         }},
        {"two shots",
         1'000'151,
         {{"exchange.algorithm=two-shot host.duplex=full"},
          {"cluster.workers=8 exchange.group_size=4",
           "cluster.workers=6 exchange.group_size=2",
           "cluster.workers=5",
           "cluster.workers=8"},
          {"codec.encode_rate=1GBps codec.decode_rate=4GBps",
           "codec.encode_rate=40GBps codec.decode_rate=2GBps",
           "cluster.loss_rate=0.01"},
          {"codec.name=block codec.placement=gpu codec.format=sdp4bit",
           "codec.name=block codec.placement=gpu codec.format=mxfp6 codec.between=nvfp4",
           "codec.name=block codec.placement=gpu codec.format=quickreduce-q6",
           "",
           ""},
          {"ring.owner_copy=coded", "ring.owner_copy=exact"}},
         [](std::uint32_t, Scenario& drawn) {
             drawn.exchange.groupSize = {};
             return true;
         }},
        {"leaves",
         1'000'081,
         {{"exchange.algorithm=ring",
           "exchange.algorithm=halving-doubling",
           "exchange.algorithm=ring ring.channels=2",
           "exchange.algorithm=two-shot host.duplex=full",
           "exchange.algorithm=recursive-doubling"},
          {"cluster.workers=8 cluster.hosts_per_leaf=2 cluster.spines=2",
           "cluster.workers=16 cluster.hosts_per_leaf=4 cluster.spines=4",
           "cluster.workers=8 cluster.hosts_per_leaf=4 cluster.spines=1"},
          {"cluster.topology=leaf-spine cluster.routing=d-mod-k training.jitter=none "
           "cluster.loss_rate=0"}},
         [](std::uint32_t, Scenario& drawn) {
             drawn.cluster.overrides.clear();
             drawn.cluster.trunkBitsPerSecond.reset();
             return true;
         }},
        {"overflow",
         1'000'081,
         {{"cluster.buffer=20kB", "cluster.buffer=60kB", "cluster.buffer=200kB"},
          {"transport.window=64"},
          {"transport.credits=true",
           "transport.credits=true",
           "transport.credits=true",
           "transport.credits=false"}},
         [](std::uint32_t, Scenario& drawn) {
             return !ReducesInNetwork(drawn) && drawn.cluster.workers >= 5;
         }},
    };
    return variations;
}

} // namespace

Scenario
DrawnOf(const std::string& kind, std::uint32_t number, const DrawnTraces& traces)
{
    if (kind == "scenarios" || kind == "networks")
    {
        return kind == "networks" ? DrawnNetwork(number, traces) : DrawnScenario(number, traces);
    }
    const auto& variation = *std::find_if(Variations().begin(),
                                          Variations().end(),
                                          [&kind](const auto& one) { return one.kind == kind; });
    for (auto attempt = number;; attempt += variation.next)
    {
        auto scenario =
            DrawnOf(number % 3 == 0 ? variation.everyThird : variation.base, attempt, traces);
        const bool fits = variation.change == nullptr || variation.change(number, scenario);
        for (const auto& list : variation.lists)
        {
            SetKeys(scenario, list[number % list.size()]);
        }
        if (fits && Complaints(scenario).empty())
        {
            return scenario;
        }
    }
}

std::string
SettingsOf(const Scenario& scenario)
{
    std::string text;
    const Scenario defaults;
    for (const auto& key : ScenarioKeys())
    {
        const auto value = key.text(scenario);
        if (value != key.text(defaults))
        {
            text += key.name + "=" + value + " ";
        }
    }
    for (const auto& worker : scenario.cluster.overrides)
    {
        text += "worker " + std::to_string(worker.index) + ": " +
                std::to_string(worker.bitsPerSecond.value_or(0)) + " b/s, times " +
                std::to_string(worker.computeScale) + " ";
    }
    for (const auto& [path, value] : scenario.attributes)
    {
        text += path + "=" + value + " ";
    }
    return text;
}

} // namespace inca
