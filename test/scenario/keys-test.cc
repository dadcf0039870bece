/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/keys.h"

#include "base/units.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>

namespace inca
{

using testing::IsEmpty;

namespace
{

std::string
ColumnOf(const Scenario& scenario, const std::string& name)
{
    for (const auto& column : SettingColumns(scenario))
    {
        if (column.name == name)
        {
            return column.text;
        }
    }
    return "no such column";
}

void
Set(Scenario& scenario, const char* key, const char* text)
{
    FindKey(key)->set(scenario, text);
}

} // namespace

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

TEST(Keys, RefuseNonsenseWhereTheyKnowTheirValues)
{
    Scenario scenario;
    for (const auto* name :
         {"cluster.bandwidth", "exchange.algorithm", "codec.bound", "host.duplex"})
    {
        for (const auto* text : {"?", "-1", "1e99", "99999999999999999999", " 1", "nan", ""})
        {
            EXPECT_THROW(FindKey(name)->set(scenario, text), UnitError) << name << " = " << text;
        }
    }
}

TEST(Keys, ColumnsCarryPlainNumbersInTheirUnit)
{
    Scenario scenario;
    scenario.exchange.algorithm = "worker-aggregator";
    EXPECT_EQ(ColumnOf(scenario, "bandwidth_gbps"), "10");
    EXPECT_EQ(ColumnOf(scenario, "aggregator_bandwidth_gbps"), "10"); // not given: as the workers'
    Set(scenario, "cluster.bandwidth", "2.5Gbps");
    EXPECT_EQ(ColumnOf(scenario, "bandwidth_gbps"), "2.5");
    Set(scenario, "cluster.latency", "50ns");
    EXPECT_EQ(ColumnOf(scenario, "latency_us"), "0.05");
    EXPECT_EQ(ColumnOf(scenario, "buffer_bytes"), "16777216"); // 16 * 2^20
    EXPECT_EQ(ColumnOf(scenario, "sum_rate_bytes_per_s"), "8400000000");
    EXPECT_EQ(ColumnOf(scenario, "byte_rate_bytes_per_s"), "");
    EXPECT_EQ(ColumnOf(scenario, "seed"), "no such column"); // it belongs to the origin
}

TEST(Keys, ColumnsOfWhatCannotMatterAreEmpty)
{
    Scenario scenario;
    EXPECT_EQ(ColumnOf(scenario, "bound_bits"), "");
    scenario.codec.name = "inceptionn";
    EXPECT_EQ(ColumnOf(scenario, "bound_bits"), "10");
    EXPECT_EQ(ColumnOf(scenario, "owner_copy"), ""); // only sizes travel
    scenario.training.values = true;
    EXPECT_EQ(ColumnOf(scenario, "owner_copy"), "exact");
    scenario.exchange.algorithm = "worker-aggregator";
    EXPECT_EQ(ColumnOf(scenario, "owner_copy"), "");
}

TEST(Keys, SayWhyTheyCannotMatter)
{
    Scenario scenario;
    const auto why = [&scenario](const char* name) { return IdleReason(*FindKey(name), scenario); };
    EXPECT_EQ(why("exchange.segment_bytes"), "ring broadcasts no weights");
    EXPECT_EQ(why("ring.owner_copy"), "only sizes travel (training.values is false)");
    EXPECT_EQ(why("codec.cast_to"), "codec.name is none");
    EXPECT_EQ(why("codec.encode_rate"), "codec.name is none");
    EXPECT_EQ(why("training.jitter_sd"), "training.jitter is none");
    EXPECT_EQ(why("simulation.seed"), "nothing is drawn at random");
    EXPECT_EQ(why("exchange.bucket_bytes"), "");
    scenario.training.send = "end";
    EXPECT_EQ(why("exchange.bucket_bytes"), "training.send is end");
    EXPECT_EQ(why("training.overlap"), "training.send is end");
    EXPECT_EQ(why("exchange.concurrent"), "all gradients are one chunk");
    EXPECT_EQ(why("exchange.order"), "all gradients are one chunk");
    scenario.exchange.chunkBytes = 4096;
    EXPECT_EQ(why("exchange.concurrent"), "");
    EXPECT_EQ(why("exchange.order"),
              "all gradients are one bucket, whose chunks go from the lowest layer up anyway");
    scenario.training.trace = "tensor:1MB";
    EXPECT_EQ(why("training.accumulation"), "a lone tensor has no compute");
    scenario.exchange.algorithm = "worker-aggregator";
    EXPECT_EQ(why("exchange.segment_bytes"), "exchange.broadcast is binomial");
    scenario.exchange.broadcast = "chain";
    EXPECT_EQ(why("exchange.segment_bytes"), "");
}

TEST(Keys, OfServersMatterWhereThereAreSome)
{
    Scenario scenario;
    scenario.training.values = true;
    scenario.codec.name = "inceptionn";
    const auto why = [&scenario](const char* name) { return IdleReason(*FindKey(name), scenario); };
    EXPECT_EQ(why("cluster.servers"), "ring has no servers");
    EXPECT_EQ(why("exchange.sum"), "ring has neither aggregator nor servers");
    EXPECT_EQ(why("cluster.aggregator_bandwidth"), "ring has neither aggregator nor servers");
    for (const auto* server : {"parameter-server", "sharded-parameter-server"})
    {
        scenario.exchange.algorithm = server;
        EXPECT_EQ(why("exchange.sum"), "");
        EXPECT_EQ(why("cluster.aggregator_bandwidth"), "");
        EXPECT_EQ(why("exchange.broadcast"), server + std::string(" broadcasts no weights"));
        EXPECT_EQ(why("ring.owner_copy"), server + std::string(" sums on servers"));
    }
    EXPECT_EQ(why("cluster.servers"), "");
    scenario.exchange.algorithm = "parameter-server";
    EXPECT_EQ(why("cluster.servers"), "parameter-server has one server");
}

/* Not given, they are as many as workers. */
TEST(Keys, TheColumnOfServersSaysHowManyThereAre)
{
    Scenario scenario;
    EXPECT_EQ(ColumnOf(scenario, "servers"), "");
    scenario.exchange.algorithm = "sharded-parameter-server";
    EXPECT_EQ(ColumnOf(scenario, "servers"), "4");
    Set(scenario, "cluster.servers", "3");
    EXPECT_EQ(ColumnOf(scenario, "servers"), "3");
}

/* Zeros are drawn, or show in the sizes of what a codec makes of them; a file brings its own. */
TEST(Keys, OfZerosMatterWhereTheyShow)
{
    Scenario scenario;
    const auto why = [&scenario](const char* name) { return IdleReason(*FindKey(name), scenario); };
    EXPECT_EQ(why("training.union_exponent"), "no values are drawn");
    EXPECT_EQ(why("training.density"),
              "only sizes travel, and codec.name = \"none\" makes nothing of zeros");
    scenario.codec.name = "inceptionn";
    EXPECT_EQ(why("training.union_exponent"), "no values are drawn");
    EXPECT_EQ(why("training.density"), "");
    scenario.codec.name = "homomorphic";
    EXPECT_EQ(why("training.union_exponent"), "");
    EXPECT_EQ(why("training.density"), "");
    scenario.training.values = true;
    scenario.training.valuesFile = "a.safetensors";
    EXPECT_EQ(why("training.union_exponent"), ""); // sketches are planned by it all the same
    EXPECT_EQ(why("training.density"), "");
    scenario.codec.name = "inceptionn";
    EXPECT_EQ(why("training.union_exponent"), "no values are drawn");
    EXPECT_EQ(why("training.density"), "training.values_file says which values are 0");
    scenario.training.valuesFile = "";
    EXPECT_EQ(why("training.union_exponent"), "");
    EXPECT_EQ(why("training.density"), "");
}

TEST(Keys, ADensityIsAShareOfSome)
{
    Scenario scenario;
    scenario.codec.name = "homomorphic";
    EXPECT_EQ(ColumnOf(scenario, "density"), ""); // the trace's
    Set(scenario, "training.density", "0.05");
    EXPECT_EQ(ColumnOf(scenario, "density"), "0.05");
    Set(scenario, "training.density", "1");
    EXPECT_THROW(Set(scenario, "training.density", "0"), UnitError);
    EXPECT_THROW(Set(scenario, "training.density", "1.5"), UnitError);
    EXPECT_EQ(scenario.training.density, 1.0);
}

TEST(Keys, TellWhatStandsInQuotes)
{
    EXPECT_TRUE(IsQuoted(ValueType::TEXT, "10Gbps"));
    EXPECT_TRUE(IsQuoted(ValueType::NUMBER_OR_NAME, "safe"));
    EXPECT_FALSE(IsQuoted(ValueType::NUMBER_OR_NAME, "10"));
    EXPECT_FALSE(IsQuoted(ValueType::NUMBER_OR_NAME, "0.5"));
    EXPECT_FALSE(IsQuoted(ValueType::BOOLEAN, "true"));
}

/* bf16 and fp16 are as large, and copies differ in their values only. */
TEST(Keys, ThatOnlyValuesFeelCannotMatterWithoutThem)
{
    Scenario scenario;
    scenario.codec.name = "cast";
    const auto why = [&scenario](const char* name) { return IdleReason(*FindKey(name), scenario); };
    for (const auto* name : {"codec.cast_to", "codec.sum", "ring.owner_copy"})
    {
        scenario.training.values = false;
        EXPECT_EQ(why(name), "only sizes travel (training.values is false)") << name;
        scenario.training.values = true;
        EXPECT_EQ(why(name), "") << name;
    }
    scenario.codec.name = "none";
    EXPECT_EQ(why("ring.owner_copy"), "codec.name is none, which loses nothing");
    scenario.codec.name = "homomorphic";
    EXPECT_EQ(why("ring.owner_copy"), "all workers decode the same sum with homomorphic");
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

TEST(IdleAttribute, SaysWhyThereAreNoEngines)
{
    Scenario scenario;
    const std::string clock = "inca::CompressionEngine::Clock";
    EXPECT_EQ(IdleAttribute(clock, scenario), "codec.name is none");
    scenario.codec.name = "homomorphic";
    scenario.codec.placement = "gpu";
    EXPECT_EQ(IdleAttribute(clock, scenario), "codec.placement is gpu");
    scenario.codec.name = "truncate";
    scenario.codec.placement = "nic";
    EXPECT_EQ(IdleAttribute(clock, scenario), "");
}

/* A class all of whose keys are idle is not used; of others nothing is known. */
TEST(IdleAttribute, AsksTheKeysOfItsClass)
{
    Scenario scenario;
    EXPECT_EQ(IdleAttribute("inca::SlotProgram::Other", scenario),
              "ring adds nothing in the network");
    EXPECT_EQ(IdleAttribute("inca::Nic::Buffer", scenario), "");
    EXPECT_EQ(IdleAttribute("ns3::TcpSocket::SegmentSize", scenario), "");
    EXPECT_EQ(IdleAttribute("Other", scenario), "");
    scenario.exchange.algorithm = "switch-tree";
    EXPECT_EQ(IdleAttribute("inca::SlotProgram::Other", scenario), "");
}

} // namespace inca
