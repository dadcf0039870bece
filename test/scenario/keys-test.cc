/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/keys.h"

#include "base/units.h"
#include "scenario-settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <set>

namespace inca
{

using testing::IsEmpty;

/* Who changes a default changes results, and must change this list as well. */
TEST(Keys, HaveTheseDefaults)
{
    std::istringstream expected(R"(training.trace=
training.iterations=1
training.send=bucket
training.overlap=true
training.accumulation=1
training.barrier=false
training.values=false
training.values_file=
training.union_exponent=
training.density=
training.jitter=none
training.jitter_sd=0
cluster.workers=4
cluster.servers=
cluster.topology=star
cluster.hosts_per_leaf=4
cluster.spines=2
cluster.fat_tree_k=4
cluster.trunks=1
cluster.trunk_bandwidth=
cluster.ecmp_seed=1
cluster.bandwidth=10Gbps
cluster.aggregator_bandwidth=
cluster.latency=1us
cluster.mtu=1500
cluster.buffer=16MiB
cluster.loss_rate=0
cluster.gpus=1
cluster.gpu_bandwidth=12GBps
exchange.algorithm=ring
exchange.broadcast=binomial
exchange.segment_bytes=128KiB
exchange.group_size=
exchange.sum=after
exchange.first_bucket_bytes=1MiB
exchange.bucket_bytes=25MiB
exchange.chunk_bytes=0B
exchange.order=ready
exchange.concurrent=1
exchange.start=own
ring.owner_copy=exact
switch.latency=0ps
switch.slots=128
switch.values_per_packet=256
switch.adder_rate=none
switch.memory=16MiB
switch.adder=int32
switch.scaling=block
switch.fixed_exponent=0
switch.timeout=1ms
switch.double_after=100
codec.name=none
codec.bound=2^-10
codec.drop_bits=16
codec.cast_to=bf16
codec.sum=fp32
codec.placement=
codec.encode_rate=
codec.decode_rate=
codec.ratio=10
codec.index=bits-1
codec.bloom_bits=0.5
codec.bloom_hashes=7
codec.rounds=dependent
codec.skip_density=
sparsify.method=none
sparsify.density=0.01
sparsify.rate=
gpu.memory_bandwidth=900GBps
gpu.round_check=20us
host.duplex=full
host.sum_rate=8.4GBps
host.copy_rate=4.5GBps
host.byte_rate=none
host.frame_cost=0ps
host.message_cost=0ps
transport.window=64
transport.ack_every=16
transport.credits=true
transport.min_timeout=1ms
simulation.mode=auto
simulation.warmup=0
simulation.seed=1
simulation.watchdog=10s
simulation.max_cpu_time=3600s
simulation.max_memory=16GiB
)");
    for (std::string line; std::getline(expected, line);)
    {
        const auto name = line.substr(0, line.find('='));
        const auto* key = FindKey(name);
        ASSERT_NE(key, nullptr) << name;
        EXPECT_EQ(name + "=" + DefaultText(*key), line);
    }
}

TEST(Keys, HaveUniqueNamesAndColumns)
{
    std::set<std::string> names;
    std::set<std::string> columns;
    for (const auto& key : ScenarioKeys())
    {
        EXPECT_TRUE(names.insert(key.name).second) << key.name;
        EXPECT_TRUE(columns.insert(key.column).second) << key.column;
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

/** A scenario, and a column of its row. */
struct ColumnCase
{
    const char* settings;
    const char* column;
    const char* text; ///< plain, in the column's unit; empty: the key is idle or not given
};

TEST(Keys, ColumnsCarryPlainNumbersInTheirUnit)
{
    const ColumnCase cases[] = {
        {"", "bandwidth_gbps", "10"},
        {"cluster.bandwidth=2.5Gbps", "bandwidth_gbps", "2.5"},
        {"", "aggregator_bandwidth_gbps", ""},
        {"exchange.algorithm=worker-aggregator", "aggregator_bandwidth_gbps", "10"}, // a worker's
        {"cluster.latency=50ns", "latency_us", "0.05"},
        {"", "buffer_bytes", "16777216"}, // 16 * 2^20
        {"", "sum_rate_bytes_per_s", "8400000000"},
        {"", "byte_rate_bytes_per_s", ""},
        {"", "seed", "no such column"}, // it belongs to the origin
        {"", "bound_bits", ""},
        {"codec.name=inceptionn", "bound_bits", "10"},
        {"codec.name=inceptionn training.values=true", "owner_copy", "exact"},
        {"codec.name=inceptionn", "owner_copy", ""},                   // only sizes travel
        {"", "trunk_bandwidth_gbps", ""},                              // a star has none
        {"cluster.topology=leaf-spine", "trunk_bandwidth_gbps", "10"}, // as a worker's
        {"cluster.topology=leaf-spine cluster.trunk_bandwidth=40Gbps",
         "trunk_bandwidth_gbps",
         "40"},
        {"", "servers", ""},
        {"exchange.algorithm=sharded-parameter-server", "servers", "4"}, // as workers
        {"exchange.algorithm=sharded-parameter-server cluster.servers=3", "servers", "3"},
        {"", "gpus", "1"},
        {"cluster.gpus=2", "gpu_bandwidth_bytes_per_s", "12000000000"},
        {"cluster.gpus=2 cluster.gpu_bandwidth=300GBps",
         "gpu_bandwidth_bytes_per_s",
         "300000000000"},
        {"codec.name=homomorphic", "placement", "gpu"}, // not given
        {"codec.name=homomorphic", "density", ""},      // the trace's
        {"codec.name=homomorphic training.density=0.05", "density", "0.05"},
        {"codec.name=homomorphic codec.ratio=safe", "ratio", "safe"},
        {"codec.name=homomorphic codec.ratio=12.5", "ratio", "12.5"},
        {"codec.name=homomorphic", "skip_density", ""},
        {"codec.name=homomorphic codec.skip_density=0.25", "skip_density", "0.25"},
        {"codec.name=homomorphic codec.rounds=overlapped", "rounds", "overlapped"},
        {"codec.name=homomorphic gpu.memory_bandwidth=2000GBps",
         "gpu_memory_bandwidth_bytes_per_s",
         "2000000000000"},
        {"codec.name=homomorphic gpu.round_check=7.5us", "gpu_round_check_us", "7.5"},
        {"codec.name=truncate engine.clock=265MHz", "engine_clock_mhz", "265"},
        {"sparsify.method=top-k codec.name=inceptionn", "sparsify_density", "0.01"},
        // Not given and free are two things: the first is timed by the GPU's memory.
        {"sparsify.method=threshold", "sparsify_rate_bytes_per_s", ""},
        {"sparsify.method=threshold sparsify.rate=none", "sparsify_rate_bytes_per_s", "none"},
        {"sparsify.method=threshold sparsify.rate=12GBps",
         "sparsify_rate_bytes_per_s",
         "12000000000"},
        {"switch.latency=1.5us", "switch_latency_ns", "1500"},
        {"exchange.algorithm=switch-tree", "adder_rate_values_per_s", ""},
        {"exchange.algorithm=switch-tree switch.adder_rate=2.5Gvalues/s",
         "adder_rate_values_per_s",
         "2500000000"},
        {"exchange.algorithm=switch-tree", "switch_memory_bytes", "16777216"},
        {"exchange.algorithm=switch-tree", "switch_timeout_us", "1000"}};
    for (const auto& [settings, column, text] : cases)
    {
        EXPECT_EQ(ColumnOf(With(settings), column), text) << settings << " " << column;
    }
}

/** A scenario, and why a key cannot matter in it; empty: it can. */
struct IdleCase
{
    std::string settings;
    std::vector<const char*> keys;
    std::string why;
};

void
ExpectIdle(const std::vector<IdleCase>& cases)
{
    for (const auto& [settings, keys, why] : cases)
    {
        for (const auto* key : keys)
        {
            EXPECT_EQ(IdleReason(*FindKey(key), With(settings)), why) << settings << " " << key;
        }
    }
}

TEST(Keys, OfWorkloadsSayWhyTheyCannotMatter)
{
    const std::string sizes = "only sizes travel (training.values is false)";
    const std::string oneBucket =
        "all gradients are one bucket, whose chunks go from the lowest layer up anyway";
    ExpectIdle({
        {"", {"exchange.segment_bytes", "exchange.broadcast"}, "ring broadcasts no weights"},
        {"", {"training.jitter_sd"}, "training.jitter is none"},
        {"training.jitter=normal", {"training.jitter"}, "training.jitter_sd is 0"},
        {"", {"simulation.seed"}, "nothing is random"},
        {"", {"exchange.bucket_bytes", "exchange.first_bucket_bytes"}, ""},
        {"training.send=fused", {"exchange.first_bucket_bytes"}, "training.send is fused"},
        {"training.send=end",
         {"exchange.bucket_bytes", "training.overlap"},
         "training.send is end"},
        {"training.send=end",
         {"exchange.concurrent", "exchange.order"},
         "all gradients are one chunk"},
        {"training.send=end exchange.chunk_bytes=4096", {"exchange.concurrent"}, ""},
        {"training.send=end exchange.chunk_bytes=4096", {"exchange.order"}, oneBucket},
        {"training.trace=tensor:1MB", {"training.accumulation"}, "a lone tensor has no compute"},
        {"training.trace=tensor:1MB training.sharding=full", {"training.accumulation"}, ""},
        {"", {"training.barrier"}, "training.iterations is 1"},
        {"training.iterations=2 training.sharding=full",
         {"training.barrier"},
         "no weights are gathered before all are updated"},
        {"exchange.algorithm=worker-aggregator",
         {"exchange.segment_bytes"},
         "exchange.broadcast is binomial"},
        {"exchange.algorithm=worker-aggregator exchange.broadcast=chain",
         {"exchange.segment_bytes"},
         ""},
        {"", {"exchange.group_size"}, "ring has no groups"},
        {"", {"tree.chunk_bytes"}, "exchange.algorithm is ring"},
        // Of servers.
        {"", {"cluster.servers"}, "ring has no servers"},
        {"exchange.algorithm=parameter-server",
         {"cluster.servers"},
         "parameter-server has one server"},
        {"exchange.algorithm=sharded-parameter-server", {"cluster.servers"}, ""},
        {"",
         {"exchange.sum", "cluster.aggregator_bandwidth"},
         "ring has neither aggregator nor servers"},
        {"exchange.algorithm=parameter-server",
         {"exchange.sum", "cluster.aggregator_bandwidth"},
         ""},
        {"exchange.algorithm=parameter-server",
         {"exchange.broadcast"},
         "parameter-server broadcasts no weights"},
        // bf16 and fp16 are as large, and copies differ in their values only.
        {"", {"ring.owner_copy"}, sizes},
        {"codec.name=cast", {"codec.cast_to", "codec.sum", "ring.owner_copy"}, sizes},
        {"codec.name=cast training.values=true",
         {"codec.cast_to", "codec.sum", "ring.owner_copy"},
         ""},
        {"training.values=true", {"ring.owner_copy"}, "codec.name is none, which loses nothing"},
        {"training.values=true codec.name=homomorphic",
         {"ring.owner_copy"},
         "all workers decode the same sum with homomorphic"},
        {"training.values=true exchange.algorithm=parameter-server",
         {"ring.owner_copy"},
         "parameter-server sums on servers"},
        {"training.values=true exchange.algorithm=worker-aggregator",
         {"ring.owner_copy"},
         "worker-aggregator sums on an aggregator"},
        // Zeros are drawn, or show in the sizes of what a codec makes of them; a file brings its own.
        {"", {"training.union_exponent"}, "no values are random"},
        {"codec.name=inceptionn", {"training.union_exponent"}, "no values are random"},
        {"",
         {"training.density"},
         "only sizes travel, and codec.name = \"none\" makes nothing of zeros"},
        {"codec.name=inceptionn", {"training.density"}, ""},
        {"codec.name=homomorphic", {"training.union_exponent", "training.density"}, ""},
        // Sketches are planned by them all the same.
        {"codec.name=homomorphic training.values=true training.values_file=a.safetensors",
         {"training.union_exponent", "training.density"},
         ""},
        {"codec.name=inceptionn training.values=true training.values_file=a.safetensors",
         {"training.union_exponent"},
         "no values are random"},
        {"codec.name=inceptionn training.values=true training.values_file=a.safetensors",
         {"training.density"},
         "training.values_file says which values are 0"},
        {"training.values=true", {"training.union_exponent", "training.density"}, ""},
        {"", {"training.values_file"}, "training.values is false"},
    });
}

TEST(Keys, OfClustersSayWhyTheyCannotMatter)
{
    ExpectIdle({
        {"",
         {"cluster.spines", "cluster.trunk_bandwidth", "cluster.ecmp_seed"},
         "cluster.topology is star"},
        {"cluster.topology=leaf-spine",
         {"cluster.hosts_per_leaf",
          "cluster.spines",
          "cluster.trunk_bandwidth",
          "cluster.ecmp_seed"},
         ""},
        {"cluster.topology=leaf-spine",
         {"cluster.fat_tree_k", "cluster.trunks"},
         "cluster.topology is leaf-spine"},
        {"cluster.topology=fat-tree", {"cluster.fat_tree_k"}, ""},
        {"cluster.topology=fat-tree",
         {"cluster.hosts_per_leaf", "cluster.trunks"},
         "cluster.topology is fat-tree"},
        {"cluster.topology=rack-pair cluster.trunks=2",
         {"cluster.trunks", "cluster.ecmp_seed"},
         ""},
        {"cluster.topology=rack-pair",
         {"cluster.ecmp_seed"},
         "there is one path between any two hosts"},
        // Sums go up one tree, over the first of several equal trunks.
        {"cluster.topology=leaf-spine exchange.algorithm=switch-tree",
         {"cluster.spines", "cluster.ecmp_seed"},
         "with switch-tree nothing travels but what switches add"},
        {"cluster.topology=leaf-spine exchange.algorithm=switch-tree",
         {"cluster.trunk_bandwidth"},
         ""},
        {"", {"cluster.gpu_bandwidth"}, "cluster.gpus is 1"},
        {"cluster.gpus=2", {"cluster.gpu_bandwidth"}, ""},
    });
}

TEST(Keys, OfSwitchesSayWhyTheyCannotMatter)
{
    const std::string slots = "exchange.algorithm=switch-slots ";
    ExpectIdle({
        {"",
         {"switch.slots",
          "switch.values_per_packet",
          "switch.adder_rate",
          "switch.memory",
          "switch.adder",
          "switch.scaling",
          "switch.fixed_exponent",
          "switch.timeout",
          "switch.double_after"},
         "ring adds nothing in the network"},
        {"", {"switch.latency"}, ""}, // a switch that only forwards has one, too
        {slots, {"switch.slots"}, ""},
        {slots, {"switch.fixed_exponent"}, "switch.scaling is block"},
        {slots + "switch.scaling=fixed",
         {"switch.fixed_exponent"},
         "only sizes travel (training.values is false)"},
        {slots + "switch.scaling=fixed training.values=true", {"switch.fixed_exponent"}, ""},
        {slots + "training.values=true", {"ring.owner_copy"}, "switch-slots sums in the network"},
        {slots + "switch.adder=int32-saturating", {"switch.scaling"}, ""},
        {slots + "switch.adder=fp32",
         {"switch.scaling", "switch.fixed_exponent"},
         "switch.adder is fp32"},
        // Hosts then send to switches only, past the transport, and add nothing themselves.
        {"exchange.algorithm=switch-tree",
         {"host.duplex",
          "host.sum_rate",
          "transport.window",
          "transport.ack_every",
          "transport.min_timeout"},
         "with switch-tree nothing travels but what switches add"},
        {"", {"host.duplex", "host.sum_rate", "transport.window", "transport.ack_every"}, ""},
        // A client's packets cost its host as much as any other frames.
        {slots, {"host.byte_rate", "host.frame_cost", "host.message_cost"}, ""},
    });
}

TEST(Keys, OfCodecsSayWhyTheyCannotMatter)
{
    const std::string sketch = "codec.name=homomorphic ";
    const std::string rates = "codec.decode_rate=1Bps codec.encode_rate=1Bps ";
    const std::string notTimed = "no work on a GPU is timed by it";
    ExpectIdle({
        {"", {"codec.cast_to", "codec.encode_rate", "engine.clock"}, "codec.name is none"},
        {"codec.name=truncate", {"engine.clock"}, ""},
        {"codec.name=truncate",
         {"codec.encode_rate"},
         "a codec on the nic is as fast as its engine"},
        {"codec.name=truncate codec.placement=cpu", {"engine.clock"}, "codec.placement is cpu"},
        {"codec.name=truncate codec.index=bloom",
         {"codec.ratio",
          "codec.safe_left",
          "codec.index",
          "codec.bloom_bits",
          "codec.bloom_hashes",
          "codec.rounds",
          "codec.skip_density"},
         "codec.name is truncate"},
        {sketch + "codec.index=bloom",
         {"codec.ratio",
          "codec.index",
          "codec.bloom_bits",
          "codec.bloom_hashes",
          "codec.rounds",
          "codec.skip_density"},
         ""},
        {sketch, {"codec.safe_left"}, "codec.ratio is a number"},
        {sketch + "codec.index=bits-4",
         {"codec.bloom_bits", "codec.bloom_hashes"},
         "codec.index is bits-4"},
        {"", {"sparsify.density", "sparsify.rate"}, "sparsify.method is none"},
        {"codec.name=inceptionn sparsify.method=top-k",
         {"sparsify.method", "sparsify.density", "sparsify.rate"},
         ""},
        // Time passes all the same, but how much is kept shows where zeros do.
        {"sparsify.method=top-k",
         {"sparsify.density"},
         "only sizes travel, and codec.name = \"none\" makes nothing of zeros"},
        {"sparsify.method=threshold", {"sparsify.rate"}, ""},
        {"sparsify.method=top-k training.values=true", {"sparsify.density"}, ""},
        {sketch + "sparsify.method=top-k", {"sparsify.density"}, ""},
        {"", {"gpu.memory_bandwidth"}, notTimed},
        {"sparsify.method=top-k", {"gpu.memory_bandwidth"}, ""},
        {"sparsify.method=top-k sparsify.rate=none", {"gpu.memory_bandwidth"}, notTimed},
        {"", {"gpu.round_check"}, "codec.name is none"},
        {sketch, {"gpu.memory_bandwidth", "gpu.round_check"}, ""},
        // Encoding is timed by it still.
        {sketch + "codec.decode_rate=1Bps", {"gpu.memory_bandwidth"}, ""},
        {sketch + "codec.decode_rate=1Bps", {"gpu.round_check"}, "codec.decode_rate is given"},
        {sketch + rates, {"gpu.memory_bandwidth"}, notTimed},
        {sketch + "codec.placement=cpu", {"gpu.memory_bandwidth"}, notTimed},
        {sketch + "codec.placement=cpu", {"gpu.round_check"}, "codec.placement is cpu"},
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

/* A class all of whose keys are idle is not used; of others nothing is known. */
TEST(IdleAttribute, AsksTheKeysOfItsClass)
{
    const std::array<const char*, 3> cases[] = {
        {"", "inca::CompressionEngine::Clock", "codec.name is none"},
        {"codec.name=homomorphic", "inca::CompressionEngine::Other", "codec.placement is gpu"},
        {"codec.name=truncate", "inca::CompressionEngine::Clock", ""},
        {"", "inca::SlotProgram::Other", "ring adds nothing in the network"},
        {"exchange.algorithm=switch-tree", "inca::SlotProgram::Other", ""},
        {"", "inca::Nic::Buffer", ""},
        {"", "ns3::TcpSocket::SegmentSize", ""},
        {"", "Other", ""}};
    for (const auto& [settings, path, why] : cases)
    {
        EXPECT_EQ(IdleAttribute(path, With(settings)), why) << path;
    }
}

} // namespace inca
