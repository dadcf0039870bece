/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/checks.h"
#include "scenario/keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace inca
{

namespace
{

/** Settings between which a user has to choose: what the complaint is about, and what would help. */
struct Contradiction
{
    std::vector<Remedy> settings;
    std::string key; ///< of the complaint
    std::vector<Remedy> remedies;
};

/* Numbers where they are derived: a frame of 1500 is 1538 on the wire, so 1400 bytes hold one of
 * 1362; 7 workers are no groups, 8 are 2 of 4; an aggregator is the 17th host of a fat-tree, and
 * k = 6 holds 6^3 / 4 = 54; 1,100 leaves of 1 host and 64 spines have 70,400 trunks of at most 65,536,
 * 2 hosts per leaf half as many; 365 values of 4 bytes are 1504 with headers of 44, 364 are 1500; 17 slots
 * of 2 * 256 * 4 = 2 KiB are 34 KiB; four bits count to 15; of 33 the next power of two is 32. */
const std::vector<Contradiction> g_contradictions{
    {{{"training.iterations", "3"}, {"simulation.warmup", "3"}},
     "simulation.warmup",
     {{"simulation.warmup", "2"}, {"training.iterations", "4"}}},
    {{{"cluster.buffer", "1400B"}},
     "cluster.buffer",
     {{"cluster.buffer", "1.538kB"}, {"cluster.mtu", "1362"}}},
    {{{"host.duplex", "half"}, {"exchange.chunk_bytes", "8kB"}, {"exchange.concurrent", "2"}},
     "exchange.concurrent",
     {{"exchange.concurrent", "1"}, {"host.duplex", "full"}}},
    {{{"codec.name", "truncate"}, {"codec.placement", "gpu"}, {"codec.decode_rate", "1GBps"}},
     "codec.encode_rate",
     {{"codec.encode_rate", "8.4GBps"}, {"codec.placement", "nic"}}},
    {{{"codec.name", "cast"}, {"codec.placement", "cpu"}, {"codec.encode_rate", "1GBps"}},
     "codec.decode_rate",
     {{"codec.decode_rate", "8.4GBps"}, {"codec.placement", "nic"}}},
    {{{"codec.name", "homomorphic"}, {"codec.placement", "cpu"}, {"codec.decode_rate", "1GBps"}},
     "codec.encode_rate",
     {{"codec.encode_rate", "8.4GBps"}, {"codec.placement", "gpu"}}},
    {{{"exchange.algorithm", "hierarchical-ring"},
      {"cluster.workers", "6"},
      {"exchange.group_size", "4"}},
     "exchange.group_size",
     {{"exchange.group_size", "2"}, {"exchange.algorithm", "ring"}}},
    {{{"exchange.algorithm", "hierarchical-aggregator"}, {"cluster.workers", "7"}},
     "exchange.group_size",
     {{"cluster.workers", "8"}, {"exchange.algorithm", "ring"}}},
    {{{"cluster.topology", "fat-tree"},
      {"cluster.workers", "16"},
      {"exchange.algorithm", "worker-aggregator"}},
     "cluster.fat_tree_k",
     {{"cluster.fat_tree_k", "6"}, {"cluster.topology", "star"}}},
    {{{"exchange.algorithm", "halving-doubling"},
      {"cluster.workers", "33"},
      {"training.sharding", "optimizer"}},
     "cluster.workers",
     {{"cluster.workers", "32"}, {"exchange.algorithm", "ring"}}},
    {{{"cluster.topology", "leaf-spine"},
      {"cluster.workers", "1100"},
      {"cluster.hosts_per_leaf", "1"},
      {"cluster.spines", "64"}},
     "cluster.hosts_per_leaf",
     {{"cluster.hosts_per_leaf", "2"}, {"cluster.topology", "star"}}},
    {{{"exchange.algorithm", "switch-slots"}, {"cluster.topology", "leaf-spine"}},
     "exchange.algorithm",
     {{"exchange.algorithm", "switch-tree"}, {"cluster.topology", "star"}}},
    {{{"exchange.algorithm", "switch-tree"}, {"codec.name", "truncate"}},
     "codec.name",
     {{"codec.name", "none"}, {"exchange.algorithm", "ring"}}},
    {{{"exchange.algorithm", "switch-slots"}, {"switch.values_per_packet", "365"}},
     "switch.values_per_packet",
     {{"switch.values_per_packet", "364"}, {"cluster.mtu", "1504"}}},
    {{{"exchange.algorithm", "switch-slots"}, {"switch.memory", "32KiB"}, {"switch.slots", "17"}},
     "switch.slots",
     {{"switch.slots", "16"}, {"switch.memory", "34KiB"}}},
    {{{"codec.name", "homomorphic"}, {"codec.placement", "nic"}},
     "codec.placement",
     {{"codec.placement", "gpu"}, {"codec.name", "inceptionn"}}},
    {{{"codec.name", "homomorphic"}, {"exchange.algorithm", "worker-aggregator"}},
     "exchange.algorithm",
     {{"exchange.algorithm", "ring"}, {"codec.name", "none"}}},
    {{{"codec.name", "homomorphic"}, {"codec.index", "bits-4"}, {"cluster.workers", "16"}},
     "codec.index",
     {{"codec.index", "bits-1"}, {"cluster.workers", "15"}}},
    {{{"codec.name", "homomorphic"},
      {"codec.index", "bits-4"},
      {"exchange.algorithm", "switch-tree"}},
     "codec.index",
     {{"codec.index", "bits-1"}, {"exchange.algorithm", "ring"}}},
    {{{"codec.name", "homomorphic"},
      {"exchange.algorithm", "switch-slots"},
      {"exchange.concurrent", "2"}},
     "exchange.concurrent",
     {{"exchange.concurrent", "1"}, {"exchange.algorithm", "ring"}}},
    {{{"codec.name", "homomorphic"},
      {"exchange.algorithm", "switch-slots"},
      {"codec.rounds", "overlapped"}},
     "codec.rounds",
     {{"codec.rounds", "dependent"}, {"switch.adder", "fp32"}}},
    {{{"codec.name", "homomorphic"},
      {"exchange.algorithm", "switch-slots"},
      {"switch.adder", "int32-saturating"},
      {"codec.rounds", "overlapped"}},
     "codec.rounds",
     {{"codec.rounds", "dependent"}, {"switch.adder", "fp32"}}},
    {{{"codec.name", "homomorphic"}, {"host.duplex", "half"}, {"codec.rounds", "overlapped"}},
     "codec.rounds",
     {{"codec.rounds", "dependent"}, {"host.duplex", "full"}}}};

Scenario
With(const std::vector<Remedy>& settings)
{
    Scenario scenario;
    scenario.training.trace = "tensor:4kB";
    for (const auto& [key, value] : settings)
    {
        SetKey(scenario, key, value);
    }
    return scenario;
}

std::optional<KeyComplaint>
ComplaintOf(const std::string& key, const Scenario& scenario)
{
    const auto complaints = Complaints(scenario);
    const auto found = std::find_if(
        complaints.begin(), complaints.end(), [&key](const auto& one) { return one.key == key; });
    return found == complaints.end() ? std::nullopt : std::optional(*found);
}

std::string
Text(const std::vector<Remedy>& settings)
{
    std::string text;
    for (const auto& [key, value] : settings)
    {
        text += key + "=" + value + " ";
    }
    return text;
}

} // namespace

TEST(Remedies, NameAValueOfEachKeyThatWorks)
{
    for (const auto& [settings, key, remedies] : g_contradictions)
    {
        SCOPED_TRACE(Text(settings));
        const auto complaint = ComplaintOf(key, With(settings));
        ASSERT_TRUE(complaint);
        EXPECT_EQ(Text(complaint->remedies), Text(remedies));
        const auto message = key + ": " + complaint->text + RemediesText(*complaint);
        for (const auto& remedy : complaint->remedies)
        {
            EXPECT_THAT(message, testing::HasSubstr(remedy.key + "=" + remedy.value));
            auto repaired = With(settings);
            SetKey(repaired, remedy.key, remedy.value);
            EXPECT_FALSE(ComplaintOf(key, repaired)) << remedy.key;
        }
    }
}

/* A worker's table is no key that could be set, but more workers are. */
TEST(Remedies, AWorkerThatIsNotThereNeedsMoreOfThem)
{
    auto scenario = With({});
    scenario.cluster.overrides.push_back({4, {}, 2.0});
    const auto complaint = ComplaintOf("cluster.worker.4", scenario);
    ASSERT_TRUE(complaint);
    EXPECT_EQ(Text(complaint->remedies), "cluster.workers=5 ");
}

/* 16,384 values make packets of 44 + 65,536 bytes, and cluster.mtu ends at 9,216; 64 bytes hold no
 * frame of any MTU. */
TEST(Remedies, AreLeftOutWhereNoValueIsOne)
{
    const auto packets = ComplaintOf(
        "switch.values_per_packet",
        With({{"exchange.algorithm", "switch-slots"}, {"switch.values_per_packet", "16384"}}));
    ASSERT_TRUE(packets);
    EXPECT_EQ(Text(packets->remedies), "switch.values_per_packet=364 ");
    const auto buffer = ComplaintOf("cluster.buffer", With({{"cluster.buffer", "64B"}}));
    ASSERT_TRUE(buffer);
    EXPECT_EQ(Text(buffer->remedies), "cluster.buffer=1.538kB ");
}

} // namespace inca
