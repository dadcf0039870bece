/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/keys.h"

#include "base/units.h"
#include "scenario-settings.h"
#include "scenario/key-attributes.h"
#include "scenario/key-row.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <sstream>

namespace inca
{

using testing::IsEmpty;

/* But for those of groups' codecs, which share a column. */
TEST(Keys, HaveUniqueNamesAndColumns)
{
    std::set<std::string> names;
    std::set<std::string> columns;
    for (const auto& key : ScenarioKeys())
    {
        EXPECT_TRUE(names.insert(key.name).second) << key.name;
        EXPECT_TRUE(columns.insert(key.column).second || key.column == GROUP_CODECS_COLUMN)
            << key.column;
        EXPECT_EQ(FindKey(key.name), &key);
        EXPECT_THAT(key.values, testing::Not(IsEmpty())) << key.name;
    }
}

TEST(Keys, ReadBackWhatTheyWrite)
{
    Scenario scenario;
    for (const auto& key : ScenarioKeys())
    {
        const auto text = DefaultText(key);
        if (!text.empty())
        {
            key.set(scenario, text);
            EXPECT_EQ(key.text(scenario), text) << key.name;
        }
    }
}

/* A text may be anything, and a number below 0 where the key says so; what is taken is read back. */
TEST(Keys, RefuseNonsenseOrTakeItAsItIs)
{
    for (const auto& key : ScenarioKeys())
    {
        for (const std::string text : {"?", "-1", "1e99", "99999999999999999999", " 1", "nan", ""})
        {
            Scenario scenario;
            try
            {
                key.set(scenario, text);
                EXPECT_TRUE(key.type == ValueType::TEXT || text == "-1")
                    << key.name << " = " << text;
                EXPECT_EQ(key.text(scenario), text) << key.name;
            }
            catch (const UnitError&)
            {
                EXPECT_EQ(key.text(scenario), DefaultText(key)) << key.name << " = " << text;
            }
        }
    }
}

/** A value that a key refuses; before, it has its default. */
TEST(Keys, RefuseWhatIsOutOfTheirRange)
{
    for (const std::string setting : {"cluster.gpus=0",
                                      "cluster.gpus=1025",
                                      "cluster.gpu_bandwidth=12Gbps", // bits
                                      "training.density=0",
                                      "training.density=1.5",
                                      "codec.drop_bits=20",
                                      "codec.bound=2^-16",
                                      "codec.ratio=0.4",
                                      "codec.ratio=1000001",
                                      "codec.ratio=Safe",
                                      "codec.ratio=inf",
                                      "codec.index=bits-2",
                                      "codec.bloom_bits=0",
                                      "codec.bloom_bits=1.01",
                                      "codec.bloom_hashes=0",
                                      "codec.bloom_hashes=17",
                                      "codec.skip_density=0",
                                      "codec.rounds=own",
                                      "engine.clock=0Hz",
                                      "engine.width=7",
                                      "sparsify.method=random",
                                      "sparsify.density=0",
                                      "sparsify.density=1.1",
                                      "sparsify.rate=0GBps",
                                      "gpu.memory_bandwidth=0GBps",
                                      "gpu.memory_bandwidth=none",
                                      "switch.fixed_exponent=-127",
                                      "switch.fixed_exponent=128"})
    {
        EXPECT_THROW(With(setting), UnitError) << setting;
    }
}

/**
 * Calls @p check with the words and the rest of each "word word: rest" of @p table, in the scenario of the line "[settings]"
 * above it.
 */
void
ForEachRow(
    const char* table,
    const std::function<void(const Scenario&, const std::string&, const std::string&)>& check)
{
    std::istringstream lines(table);
    Scenario scenario;
    for (std::string line; std::getline(lines, line);)
    {
        SCOPED_TRACE(line);
        if (line.front() == '[')
        {
            scenario = With(line.substr(1, line.size() - 2));
            continue;
        }
        const auto colon = line.find(':');
        std::istringstream words(line.substr(0, colon));
        for (std::string word; words >> word;)
        {
            check(scenario, word, line.substr(std::min(colon + 2, line.size())));
        }
    }
}

/* Plain, in the column's unit; empty where the key is idle or not given. An aggregator's link and trunks are as a worker's.
 * Oversubscribed 4:1, 4 hosts of a leaf (or the 2 that there are) share 2 trunks: 10 x 4 / 2 / 4 = 5; an edge of a fat tree
 * has as many trunks as hosts: 10 / 4; 2 hosts of a rack have 3 NICs each: 3 x 10 x 2 / 2 / 4 = 7.5.
 * A rate that is not given and one that is free are two things: the first is timed by the GPU's memory. */
TEST(Keys, ColumnsCarryPlainNumbersInTheirUnit)
{
    const auto* const table = R"([]
bandwidth_gbps: 10
aggregator_bandwidth_gbps:
buffer_bytes: 16777216
sum_rate_bytes_per_s: 8400000000
byte_rate_bytes_per_s:
seed: no such column
bound_bits:
trunk_bandwidth_gbps:
servers:
gpus: 1
[cluster.bandwidth=2.5Gbps]
bandwidth_gbps: 2.5
[exchange.algorithm=worker-aggregator]
aggregator_bandwidth_gbps: 10
[cluster.latency=50ns]
latency_us: 0.05
[codec.name=inceptionn-bounded codec.bound=2^-6]
bound_bits: 6
[codec.name=inceptionn]
bound_bits: 10
owner_copy:
[codec.name=inceptionn training.values=true]
owner_copy: exact
[cluster.topology=leaf-spine]
trunk_bandwidth_gbps: 10
[cluster.topology=leaf-spine cluster.trunk_bandwidth=40Gbps]
trunk_bandwidth_gbps: 40
[cluster.topology=leaf-spine cluster.oversubscription=4]
trunk_bandwidth_gbps: 5
[cluster.topology=leaf-spine cluster.oversubscription=4 cluster.workers=2]
trunk_bandwidth_gbps: 2.5
[cluster.topology=fat-tree cluster.oversubscription=4]
trunk_bandwidth_gbps: 2.5
[cluster.topology=rack-pair cluster.oversubscription=4 cluster.trunks=2 cluster.nics=3]
trunk_bandwidth_gbps: 7.5
[exchange.algorithm=sharded-parameter-server]
servers: 4
[exchange.algorithm=sharded-parameter-server cluster.servers=3]
servers: 3
[cluster.gpus=2]
gpu_bandwidth_bytes_per_s: 12000000000
[cluster.gpus=2 cluster.gpu_bandwidth=300GBps]
gpu_bandwidth_bytes_per_s: 300000000000
[codec.name=homomorphic]
placement: gpu
density:
skip_density:
[codec.name=homomorphic training.density=0.05]
density: 0.05
[codec.name=homomorphic codec.ratio=safe]
ratio: safe
[codec.name=homomorphic codec.ratio=12.5]
ratio: 12.5
[codec.name=homomorphic codec.skip_density=0.25]
skip_density: 0.25
[codec.name=homomorphic codec.rounds=overlapped]
rounds: overlapped
[codec.name=homomorphic gpu.memory_bandwidth=2000GBps]
gpu_memory_bandwidth_bytes_per_s: 2000000000000
[codec.name=homomorphic gpu.round_check=7.5us]
gpu_round_check_us: 7.5
[codec.name=truncate engine.clock=265MHz]
engine_clock_mhz: 265
[sparsify.method=top-k codec.name=inceptionn]
sparsify_density: 0.01
[sparsify.method=threshold]
sparsify_rate_bytes_per_s:
[sparsify.method=threshold sparsify.rate=none]
sparsify_rate_bytes_per_s: none
[sparsify.method=threshold sparsify.rate=12GBps]
sparsify_rate_bytes_per_s: 12000000000
[switch.latency=1.5us]
switch_latency_ns: 1500
[exchange.algorithm=switch-tree]
adder_rate_values_per_s:
switch_memory_bytes: 16777216
switch_timeout_us: 1000
[exchange.algorithm=switch-tree switch.adder_rate=2.5Gvalues/s]
adder_rate_values_per_s: 2500000000)";
    ForEachRow(table,
               [](const Scenario& scenario, const std::string& column, const std::string& text) {
                   EXPECT_EQ(ColumnOf(scenario, column), text);
               });
}

/* Empty: it can. bf16 and fp16 are as large, and copies differ in their values only. Sketches are planned by densities,
 * whatever travels. Sums go up one tree, over the first of several equal trunks; hosts then send to switches only, past the
 * transport, and add nothing, but their packets cost them as much as any other frames. */
TEST(Keys, SayWhyTheyCannotMatter)
{
    const auto* const table = R"([]
exchange.broadcast: ring broadcasts no weights
training.jitter_sd: training.jitter is none
simulation.seed: nothing is random
exchange.bucket_bytes exchange.first_bucket_bytes switch.latency host.duplex host.sum_rate:
transport.name transport.window transport.ack_every transport.credits transport.min_timeout:
transport.sockets transport.congestion transport.send_buffer: transport.name is inca
transport.receive_buffer transport.restart_after_idle: transport.name is inca
training.barrier: training.iterations is 1
exchange.group_size: no exchange has groups
tree.chunk_bytes: exchange.algorithm is ring
cluster.servers: ring has no servers
exchange.sum cluster.aggregator_bandwidth: ring has neither aggregator nor servers
ring.owner_copy: only sizes travel (training.values is false)
training.union_exponent: no values are random
training.density: only sizes travel, and none depends on which values are 0
training.values_file: training.values is false
cluster.spines cluster.trunk_bandwidth cluster.oversubscription cluster.ecmp_seed: cluster.topology is star
cluster.routing: cluster.topology is star
cluster.buffer:
cluster.gpu_bandwidth: cluster.gpus is 1
switch.slots switch.values_per_packet switch.adder_rate: ring adds nothing in the network
switch.memory switch.adder switch.scaling switch.fixed_exponent: ring adds nothing in the network
switch.timeout switch.double_after: ring adds nothing in the network
codec.cast_to codec.encode_rate codec.bits_per_value engine.clock: codec.name is none
gpu.round_check: codec.name is none
sparsify.density sparsify.rate: sparsify.method is none
gpu.memory_bandwidth: no work on a GPU is timed by it
exchange.cycle_time: training.send is bucket
[training.jitter=normal]
[training.send=fused]
exchange.first_bucket_bytes: training.send is fused
exchange.cycle_time:
[training.send=fused training.overlap=false]
exchange.cycle_time: training.overlap is false
[training.send=fused training.sharding=optimizer]
exchange.cycle_time: training.sharding is optimizer
[training.send=end]
exchange.bucket_bytes training.overlap: training.send is end
exchange.concurrent exchange.order: all gradients are one chunk
[training.send=end exchange.chunk_bytes=4096B]
exchange.concurrent:
exchange.order: all gradients are one bucket, whose chunks go from the lowest layer up anyway
[training.trace=tensor:1MB]
training.accumulation: a lone tensor has no compute
[training.trace=tensor:1MB training.sharding=full]
training.accumulation:
[training.iterations=2 training.sharding=full]
training.barrier: no weights are gathered before all are updated
[exchange.algorithm=worker-aggregator]
exchange.broadcast:
[exchange.algorithm=parameter-server]
cluster.servers: parameter-server has one server
exchange.sum cluster.aggregator_bandwidth:
exchange.broadcast: parameter-server broadcasts no weights
[exchange.algorithm=sharded-parameter-server]
cluster.servers:
[codec.name=cast]
codec.sum ring.owner_copy: only sizes travel (training.values is false)
[codec.name=cast training.values=true]
codec.sum ring.owner_copy:
[training.values=true]
ring.owner_copy: codec.name is none, which loses nothing
training.union_exponent training.density:
[training.values=true codec.name=homomorphic]
ring.owner_copy: all workers decode the same sum with homomorphic
[training.values=true exchange.algorithm=two-shot codec.name=cast codec.placement=gpu]
ring.owner_copy: who summed a block with two-shot decodes it as all others
[exchange.algorithm=two-shot]
exchange.group_size:
[training.values=true exchange.algorithm=parameter-server]
ring.owner_copy: parameter-server sums on servers
[training.values=true exchange.algorithm=worker-aggregator]
ring.owner_copy: worker-aggregator sums on an aggregator
[codec.name=inceptionn]
training.union_exponent: no values are random
training.density codec.bits_per_value:
[codec.name=inceptionn-bounded]
training.density codec.bound codec.bits_per_value:
[codec.name=inceptionn codec.bits_per_value=3]
training.density: only sizes travel, and none depends on which values are 0
[codec.name=inceptionn codec.bits_per_value=3 training.values=true]
training.density:
codec.bits_per_value: values travel, and what they take is counted
[codec.name=homomorphic]
codec.bits_per_value: what a sketch takes is planned
training.union_exponent training.density gpu.memory_bandwidth gpu.round_check:
codec.safe_left: codec.ratio is a number
[codec.name=homomorphic training.values=true training.values_file=a.safetensors]
training.union_exponent training.density:
[codec.name=inceptionn training.values=true training.values_file=a.safetensors]
training.union_exponent: no values are random
training.density: training.values_file says which values are 0
[cluster.topology=leaf-spine]
cluster.hosts_per_leaf cluster.spines cluster.trunk_bandwidth cluster.ecmp_seed:
cluster.fat_tree_k cluster.trunks: cluster.topology is leaf-spine
[cluster.topology=fat-tree]
cluster.fat_tree_k:
cluster.hosts_per_leaf cluster.trunks: cluster.topology is fat-tree
[cluster.topology=rack-pair cluster.trunks=2]
cluster.trunks cluster.routing cluster.ecmp_seed:
[cluster.topology=rack-pair cluster.trunks=2 cluster.routing=d-mod-k]
cluster.ecmp_seed: cluster.routing is d-mod-k
[simulation.mode=flow]
cluster.buffer transport.credits transport.min_timeout: simulation.mode is flow
[simulation.mode=flow exchange.algorithm=switch-slots]
switch.timeout switch.double_after: simulation.mode is flow
switch.slots switch.adder_rate:
[cluster.topology=rack-pair]
cluster.routing cluster.ecmp_seed: there is one path between any two hosts
[cluster.topology=leaf-spine exchange.algorithm=switch-tree]
cluster.spines cluster.ecmp_seed: with switch-tree nothing travels but what switches add
cluster.trunk_bandwidth:
[cluster.gpus=2]
cluster.gpu_bandwidth cluster.nics:
[cluster.workers=1 cluster.gpus=4 cluster.topology=leaf-spine]
cluster.topology cluster.spines cluster.bandwidth cluster.latency cluster.buffer: the GPUs of one worker exchange on links of their own
cluster.loss_rate cluster.nics ring.gpus: the GPUs of one worker exchange on links of their own
switch.latency: the only switch is inside a worker, which takes no time
cluster.mtu cluster.gpu_latency:
[cluster.workers=1 cluster.gpus=4 cluster.nics=4 codec.name=truncate]
cluster.nics:
[exchange.algorithm=switch-slots]
switch.slots host.byte_rate host.frame_cost host.message_cost:
switch.fixed_exponent: switch.scaling is block
[exchange.algorithm=switch-slots switch.scaling=fixed]
switch.fixed_exponent:
[exchange.algorithm=switch-slots training.values=true]
ring.owner_copy: switch-slots sums in the network
[exchange.algorithm=switch-slots switch.adder=int32-saturating]
switch.scaling:
[exchange.algorithm=switch-slots switch.adder=fp32]
switch.scaling switch.fixed_exponent: switch.adder is fp32
[transport.name=tcp]
transport.window transport.ack_every transport.credits transport.min_timeout: transport.name is tcp
transport.sockets transport.congestion transport.send_buffer transport.receive_buffer:
transport.restart_after_idle:
[exchange.algorithm=switch-tree]
host.duplex host.sum_rate transport.window: with switch-tree nothing travels but what switches add
transport.ack_every transport.min_timeout: with switch-tree nothing travels but what switches add
transport.name transport.sockets: with switch-tree nothing travels but what switches add
[codec.name=truncate]
engine.clock:
codec.encode_rate: a codec on the nic is as fast as its engine
[codec.name=truncate codec.placement=cpu]
engine.clock: no codec runs on the nic
[codec.name=truncate codec.index=bloom]
codec.ratio codec.safe_left codec.index codec.bloom_bits: codec.name is truncate
codec.bloom_hashes codec.rounds codec.skip_density: codec.name is truncate
[codec.name=homomorphic codec.index=bloom]
codec.ratio codec.index codec.bloom_bits codec.bloom_hashes codec.rounds codec.skip_density:
[codec.name=homomorphic codec.index=bits-4]
codec.bloom_bits codec.bloom_hashes: codec.index is bits-4
[codec.name=inceptionn sparsify.method=top-k]
sparsify.method sparsify.density sparsify.rate:
[sparsify.method=top-k]
sparsify.density: only sizes travel, and none depends on which values are 0
gpu.memory_bandwidth:
[sparsify.method=threshold]
sparsify.rate:
[sparsify.method=top-k training.values=true]
sparsify.density:
[codec.name=homomorphic sparsify.method=top-k]
sparsify.density:
[sparsify.method=top-k sparsify.rate=none]
gpu.memory_bandwidth: no work on a GPU is timed by it
[codec.name=homomorphic codec.decode_rate=1Bps]
gpu.memory_bandwidth:
gpu.round_check: codec.decode_rate is given
[codec.name=homomorphic codec.decode_rate=1Bps codec.encode_rate=1Bps]
gpu.memory_bandwidth: no work on a GPU is timed by it
[codec.name=homomorphic codec.placement=cpu]
gpu.memory_bandwidth: no work on a GPU is timed by it
gpu.round_check: codec.placement is cpu)";
    ForEachRow(table, [](const Scenario& scenario, const std::string& key, const std::string& why) {
        EXPECT_EQ(IdleReason(*FindKey(key), scenario), why);
    });
}

TEST(Keys, TellWhatStandsInQuotes)
{
    EXPECT_TRUE(IsQuoted(ValueType::TEXT, "10Gbps"));
    EXPECT_TRUE(IsQuoted(ValueType::NUMBER_OR_NAME, "safe"));
    EXPECT_FALSE(IsQuoted(ValueType::NUMBER_OR_NAME, "10"));
    EXPECT_FALSE(IsQuoted(ValueType::NUMBER_OR_NAME, "0.5"));
    EXPECT_FALSE(IsQuoted(ValueType::BOOLEAN, "true"));
}

TEST(Keys, ResolvedSettingsHoldOverridesAndAttributes)
{
    Scenario scenario;
    scenario.cluster.overrides.push_back({2, 1'000'000'000, 1.5});
    scenario.attributes.emplace_back("inca::Nic::A", "1");
    const auto settings = ResolvedSettings(scenario);
    ASSERT_GE(settings.size(), 3U);
    const auto& last = settings.back();
    EXPECT_EQ(last.table + "|" + last.key + "|" + last.text, "attributes|inca::Nic::A|1");
    EXPECT_EQ(ColumnOf(scenario, "worker_overrides"), "2.bandwidth=1Gbps;2.compute_scale=1.5");
    EXPECT_EQ(ColumnOf(scenario, "attributes"), "inca::Nic::A=1");
}

TEST(Keys, SayWhatTheirColumnsMean)
{
    const auto columns = SettingColumns(Scenario{});
    const auto meanings = SettingColumnMeanings();
    ASSERT_EQ(columns.size(), meanings.size());
    for (std::size_t i = 0; i < columns.size(); ++i)
    {
        EXPECT_EQ(columns[i].name, meanings[i].name);
        EXPECT_FALSE(meanings[i].meaning.empty()) << columns[i].name;
    }
}

/* [engine] is of both directions, and an attribute of one. */
TEST(EngineOf, TakesAttributesOfItsClass)
{
    auto scenario = With("engine.width=512 engine.latency=40");
    scenario.attributes = {{"inca::CompressionEngine::Width", "64"},
                           {"inca::CompressionEngine::Clock", "50MHz"}};
    const auto compression = EngineOf(scenario, "inca::CompressionEngine");
    const auto decompression = EngineOf(scenario, "inca::DecompressionEngine");
    EXPECT_EQ(compression.widthBits, 64U);
    EXPECT_EQ(compression.hertz, 50'000'000U);
    EXPECT_EQ(compression.latencyCycles, 40U);
    EXPECT_EQ(decompression.widthBits, 512U);
    EXPECT_EQ(decompression.hertz, 100'000'000U);
    EXPECT_NO_THROW(CheckAttributes(scenario));
    scenario.attributes.emplace_back("inca::Link::Delay", "1us");
    scenario.attributes.emplace_back("inca::CompressionEngine::Clock", "fast");
    EXPECT_THAT(
        ComplaintsIn([&] { CheckAttributes(scenario); }),
        testing::ElementsAre(testing::HasSubstr("inca::Link::Delay\": write cluster.latency"),
                             testing::HasSubstr("sets engine.clock: 'fast'")));
}

/* A class all of whose keys are idle is not used; of others nothing is known. */
TEST(IdleAttribute, AsksTheKeysOfItsClass)
{
    const std::array<const char*, 3> cases[] = {
        {"", "inca::CompressionEngine::Clock", "codec.name is none"},
        {"codec.name=homomorphic", "inca::CompressionEngine::Other", "no codec runs on the nic"},
        {"codec.name=truncate", "inca::CompressionEngine::Clock", ""},
        {"", "inca::SlotProgram::Other", "ring adds nothing in the network"},
        {"exchange.algorithm=switch-tree", "inca::SlotProgram::Other", ""},
        {"", "inca::Nic::Buffer", ""},
        {"", "ns3::TcpSocket::DelAckCount", "transport.name is inca"},
        {"transport.name=tcp", "ns3::TcpSocket::DelAckCount", ""},
        {"", "ns3::UdpSocket::RcvBufSize", ""},
        {"", "Other", ""}};
    for (const auto& [settings, path, why] : cases)
    {
        EXPECT_EQ(IdleAttribute(path, With(settings)), why) << path;
    }
}

} // namespace inca
