/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/checks.h"

#include "base/text.h"
#include "scenario-settings.h"
#include "scenario/keys.h"
#include "scenario/specs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <utility>

namespace inca
{

namespace
{

using testing::ElementsAreArray;
using testing::IsEmpty;
using Texts = std::vector<std::string>;

/** "key; set key=value or key=value" each. */
Texts
TextsOf(const Scenario& scenario)
{
    Texts texts;
    for (const auto& complaint : Complaints(scenario))
    {
        texts.push_back(complaint.key + RemediesText(complaint));
    }
    return texts;
}

/**
 * Settings in brackets, the key that is complained of, and what helps; a line that begins with blanks goes on with the one above.
 *
 * 1500 + 8 preamble + 14 header + 4 checksum + 12 gap = 1538; 1400 bytes hold one of 1362, and 64 none of any MTU. IPv4 20 +
 * UDP 8 + program 16 + 4 * 364 = 1500: the most in a usual MTU, which ends at 9216. 2 copies * 256 values * 4 bytes = 2 KiB a
 * slot: 16 in 32 KiB; 2^20 slots * 2 * 2^14 values * 4 bytes = 2^37 bytes fit 2^40. Four bits count to 15. A fat-tree of 4
 * ports has 4 * 2 * 2 = 16 places for hosts, of which an aggregator takes one; 1,100 leaves and 64 spines have 70,400 trunks; 6
 * workers are no groups of 4, and 7 none of any size; 33 is no power of two; 4 is
 * what divides 8 below 7.
 */
const char* const g_cases = R"([]
[training.trace=alexnett] training.trace
[training.trace=no/such.csv] training.trace
[training.trace=] training.trace
[training.iterations=3 simulation.warmup=2]
[training.iterations=3 simulation.warmup=3] simulation.warmup; set simulation.warmup=2 or training.iterations=4
[cluster.buffer=1538B]
[cluster.buffer=1400B] cluster.buffer; set cluster.buffer=1.538kB or cluster.mtu=1362
[cluster.buffer=64B] cluster.buffer; set cluster.buffer=1.538kB
[exchange.chunk_bytes=6B] exchange.chunk_bytes
[transport.window=8]
[transport.name=tcp]
[transport.name=tcp codec.name=truncate] transport.name; set transport.name=inca or codec.placement=gpu or codec.name=none
[transport.name=tcp codec.name=truncate codec.placement=gpu codec.encode_rate=1GBps codec.decode_rate=1GBps]
[transport.name=tcp exchange.algorithm=switch-tree] transport.name; set transport.name=inca or exchange.algorithm=ring
[simulation.mode=flow exchange.algorithm=two-shot]
[simulation.mode=flow transport.name=tcp] simulation.mode; set simulation.mode=auto or transport.name=inca
[simulation.mode=flow cluster.loss_rate=0.001] simulation.mode; set simulation.mode=auto or cluster.loss_rate=0
[simulation.mode=flow exchange.algorithm=switch-slots training.values=true]
[simulation.mode=flow exchange.algorithm=switch-slots codec.name=homomorphic training.density=0.1]
[simulation.mode=flow exchange.algorithm=switch-slots codec.name=homomorphic training.density=0.1 training.values=true]
  simulation.mode; set simulation.mode=auto or training.values=false
[host.duplex=half exchange.concurrent=2] exchange.concurrent; set exchange.concurrent=1 or host.duplex=full
[host.duplex=half exchange.concurrent=2 exchange.algorithm=switch-slots]
[exchange.algorithm=two-shot cluster.workers=5]
[exchange.algorithm=two-shot host.duplex=half] host.duplex; set host.duplex=full or exchange.algorithm=ring
[codec.name=inceptionn-bounded codec.bound=2^-14]
[codec.name=inceptionn-bounded codec.bound=2^-15] codec.bound; set codec.bound=2^-14 or codec.name=inceptionn
[codec.name=truncate codec.bound=2^-15]
[codec.name=truncate codec.placement=gpu codec.decode_rate=1GBps] codec.encode_rate; set codec.encode_rate=2.8TBps or
  codec.placement=nic
[codec.name=cast codec.placement=cpu codec.encode_rate=1GBps] codec.decode_rate; set codec.decode_rate=5.2GBps or
  codec.placement=nic
[codec.name=snappy codec.encode_rate=1GBps] codec.decode_rate; set codec.decode_rate=1.6GBps or codec.name=none
[codec.name=zfp codec.encode_rate=1GBps codec.decode_rate=1GBps]
[codec.name=zfp codec.placement=nic] codec.placement; set codec.placement=cpu or codec.name=inceptionn
[codec.name=none codec.placement=gpu]
[training.trace=tensor:1MB exchange.collective=combine cluster.workers=8 exchange.experts_per_token=7] exchange.experts_per_token;
  set exchange.experts_per_token=4
[training.sharding=optimizer]
[training.sharding=full exchange.concurrent=2] exchange.concurrent; set exchange.concurrent=1 or training.sharding=optimizer
[training.sharding=full exchange.order=priority] exchange.order; set exchange.order=ready or training.sharding=optimizer
[exchange.algorithm=switch-slots switch.values_per_packet=364]
[exchange.algorithm=switch-slots switch.values_per_packet=365] switch.values_per_packet; set switch.values_per_packet=364 or
  cluster.mtu=1504
[exchange.algorithm=switch-slots switch.values_per_packet=365 cluster.mtu=1504]
[exchange.algorithm=switch-slots switch.memory=32KiB switch.slots=16]
[exchange.algorithm=switch-slots switch.memory=32KiB switch.slots=17] switch.slots; set switch.slots=16 or switch.memory=34KiB
[exchange.algorithm=switch-slots switch.slots=1048576 switch.values_per_packet=16384 switch.memory=1TiB cluster.mtu=9216]
  switch.values_per_packet; set switch.values_per_packet=2293
[exchange.algorithm=switch-slots switch.adder=fp8-fp16 switch.values_per_packet=728]
[exchange.algorithm=switch-slots switch.header_bytes=8 switch.values_per_packet=373]
[exchange.algorithm=switch-slots switch.adder=int8 cluster.workers=127]
[exchange.algorithm=switch-slots switch.adder=int8 cluster.workers=128] switch.adder; set switch.adder=int32 or
  cluster.workers=127
[exchange.algorithm=switch-slots switch.adder=fp8-fp16 training.sharding=optimizer] switch.adder; set switch.adder=fp16 or
  training.sharding=none
[exchange.algorithm=switch-slots switch.adder=int16 codec.name=homomorphic] codec.name; set switch.adder=fp32 or codec.name=none
  or exchange.algorithm=ring
[exchange.algorithm=switch-tree cluster.topology=leaf-spine]
[exchange.algorithm=switch-slots cluster.topology=leaf-spine] exchange.algorithm; set exchange.algorithm=switch-tree or
  cluster.topology=star
[exchange.algorithm=switch-tree codec.name=truncate] codec.name; set codec.name=none or exchange.algorithm=ring
[exchange.algorithm=switch-slots codec.name=homomorphic]
[codec.name=truncate cluster.topology=leaf-spine switch.values_per_packet=16384 switch.memory=1B]
[codec.name=homomorphic]
[codec.name=homomorphic codec.placement=nic] codec.placement; set codec.placement=gpu or codec.name=inceptionn
[codec.name=homomorphic codec.placement=cpu codec.decode_rate=1GBps] codec.encode_rate; set codec.encode_rate=4.1GBps or
  codec.placement=gpu
[codec.name=homomorphic exchange.algorithm=worker-aggregator] exchange.algorithm; set exchange.algorithm=ring or codec.name=none
[codec.name=homomorphic exchange.algorithm=sharded-parameter-server]
[codec.name=homomorphic codec.index=bits-4 cluster.workers=15]
[codec.name=homomorphic codec.index=bits-4 cluster.workers=16] codec.index; set codec.index=bits-1 or cluster.workers=15
[codec.name=homomorphic codec.index=bloom cluster.workers=16]
[codec.name=homomorphic codec.index=bits-4 cluster.workers=16 exchange.algorithm=switch-tree] codec.index; set
  codec.index=bits-1
[codec.name=homomorphic exchange.concurrent=2]
[codec.name=homomorphic exchange.concurrent=2 exchange.algorithm=switch-slots] exchange.concurrent; set exchange.concurrent=1 or
  exchange.algorithm=ring
[codec.name=homomorphic codec.rounds=overlapped]
[codec.name=homomorphic codec.rounds=overlapped exchange.algorithm=switch-slots] codec.rounds; set codec.rounds=dependent or
  switch.adder=fp32
[codec.name=homomorphic codec.rounds=overlapped exchange.algorithm=switch-slots switch.scaling=fixed]
[codec.name=homomorphic codec.rounds=overlapped exchange.algorithm=switch-slots switch.scaling=fixed
  switch.adder=int32-saturating] codec.rounds; set codec.rounds=dependent or switch.adder=fp32
[codec.name=homomorphic codec.rounds=overlapped host.duplex=half] codec.rounds; set codec.rounds=dependent or host.duplex=full
[codec.name=homomorphic codec.rounds=overlapped host.duplex=half switch.adder=fp32 exchange.algorithm=switch-slots]
[codec.name=truncate codec.index=bits-4 codec.rounds=overlapped cluster.workers=16 host.duplex=half
  exchange.algorithm=worker-aggregator]
[cluster.topology=fat-tree cluster.workers=16]
[cluster.topology=fat-tree cluster.workers=16 exchange.algorithm=worker-aggregator] cluster.fat_tree_k; set
  cluster.topology=star
[cluster.topology=fat-tree cluster.fat_tree_k=3] cluster.fat_tree_k; set cluster.topology=star
[cluster.topology=leaf-spine cluster.workers=1100 cluster.hosts_per_leaf=1 cluster.spines=64] cluster.hosts_per_leaf; set
  cluster.topology=star
[exchange.algorithm=hierarchical-ring cluster.workers=6 exchange.group_size=4] exchange.group_size; set exchange.algorithm=ring
[exchange.algorithm=hierarchical-ring cluster.workers=7] exchange.group_size; set exchange.algorithm=ring
[exchange.algorithm=halving-doubling cluster.workers=33 training.sharding=optimizer] cluster.workers; set
  exchange.algorithm=ring
[cluster.nics=2 codec.name=truncate] cluster.nics; set codec.placement=gpu or cluster.nics=1 or codec.name=none
[exchange.library=nccl cluster.gpus=9] exchange.library; set exchange.library=none or cluster.gpus=8
[exchange.library=gloo exchange.algorithm=tree] exchange.library; set exchange.library=none or exchange.algorithm=ring
[exchange.library=gloo training.sharding=full] exchange.library; set exchange.library=nccl or training.sharding=none)";

/** The complaint of each scenario, by its settings. */
std::vector<std::pair<std::string, Texts>>
CasesOf(std::string table)
{
    for (auto at = table.find("\n  "); at != std::string::npos; at = table.find("\n  "))
    {
        table.replace(at, 3, " ");
    }
    std::vector<std::pair<std::string, Texts>> cases;
    for (const auto& line : Lines(table))
    {
        const auto end = line.find(']');
        cases.push_back({line.substr(1, end - 1), {}});
        if (end + 1 < line.size())
        {
            cases.back().second.push_back(line.substr(end + 2));
        }
    }
    return cases;
}

} // namespace

/* Each value that a complaint names does away with it. */
TEST(Checks, SayWhatIsWrongAndWhatHelps)
{
    for (const auto& [settings, complaints] : CasesOf(g_cases))
    {
        SCOPED_TRACE(settings);
        const auto scenario = With(settings);
        EXPECT_THAT(TextsOf(scenario), ElementsAreArray(complaints));
        for (const auto& complaint : Complaints(scenario))
        {
            for (const auto& [key, value] : complaint.remedies)
            {
                auto repaired = scenario;
                SetKey(repaired, key, value);
                for (const auto& other : Complaints(repaired))
                {
                    EXPECT_NE(other.key, complaint.key) << key << "=" << value;
                }
            }
        }
    }
}

/* A worker's table is no key that could be set, but more workers are. */
TEST(Checks, OverridesNameWorkersThatAreThere)
{
    auto scenario = With("");
    scenario.cluster.overrides.push_back({4, {}, 2.0});
    EXPECT_THAT(TextsOf(scenario), ElementsAreArray({"cluster.worker.4; set cluster.workers=5"}));
}

/* 4 cuts 8 and 12; 2 cuts 4 and 10, 3 cuts 6 and 9; 5 is the least that cuts 25. */
TEST(Checks, GroupsFitTheWorkersIfNothingElseIsSaid)
{
    const std::map<std::uint32_t, std::uint32_t> sizes{
        {8, 4}, {12, 4}, {4, 2}, {10, 2}, {6, 3}, {9, 3}, {25, 5}};
    auto scenario = With("exchange.algorithm=hierarchical-ring");
    for (const auto& [workers, size] : sizes)
    {
        scenario.cluster.workers = workers;
        EXPECT_EQ(GroupSize(scenario), size) << workers;
        EXPECT_THAT(TextsOf(scenario), IsEmpty()) << workers;
    }
}

} // namespace inca
