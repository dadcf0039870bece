/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/specs.h"

#include "base/errors.h"
#include "scenario-settings.h"

#include <gtest/gtest.h>

namespace inca
{

TEST(Specs, CarryWhatTheScenarioSays)
{
    const auto scenario = With("cluster.workers=8 codec.bound=2^-6");
    EXPECT_EQ(MakeExchangeSpec(scenario).workers, 8U);
    EXPECT_EQ(MakeCodecSpec(scenario).bound, 6U);
    EXPECT_EQ(ExtensionsOf(scenario), "");
    EXPECT_EQ(FramePayloadBytes(scenario), 1460U);
    const auto homomorphic =
        MakeCodecSpec(With("codec.name=homomorphic codec.ratio=4 codec.index=bloom "
                           "codec.bloom_bits=0.25 codec.bloom_hashes=3"))
            .homomorphic;
    EXPECT_EQ(homomorphic.ratio, 4);
    EXPECT_EQ(homomorphic.index, HomomorphicIndex::BLOOM);
    EXPECT_EQ(homomorphic.bloom.bitsPerValue, 0.25);
    EXPECT_EQ(homomorphic.bloom.hashes, 3U);
    EXPECT_EQ(MakeHomomorphicSettings(With("codec.name=homomorphic codec.ratio=safe")).ratio,
              10); // chosen by bucket
}

TEST(Specs, RefuseUnknownNames)
{
    Scenario scenario;
    scenario.exchange.algorithm = "?";
    scenario.cluster.topology = "?";
    EXPECT_THROW(HasAggregator(scenario), InputError);
    EXPECT_THROW(HasTrunks(scenario), InputError);
}

/* An aggregator updates weights, and servers only add; of homomorphic no frame is coded. */
TEST(Specs, AnswerQuestions)
{
    struct Row
    {
        const char* settings;
        bool (*question)(const Scenario&);
        bool answer;
    };

    const Row rows[] = {
        {"", HasAggregator, false},
        {"exchange.algorithm=worker-aggregator", HasAggregator, true},
        {"exchange.algorithm=parameter-server", HasAggregator, false},
        {"", HasServers, false},
        {"exchange.algorithm=parameter-server", HasServers, true},
        {"exchange.algorithm=sharded-parameter-server", HasServers, true},
        {"exchange.algorithm=worker-aggregator", HasServers, false},
        {"exchange.algorithm=switch-slots", HasServers, false},
        {"exchange.algorithm=switch-slots", ReducesInNetwork, true},
        {"", ReducesInNetwork, false},
        {"", HasTrunks, false},
        {"cluster.topology=leaf-spine", HasTrunks, true},
        {"cluster.topology=rack-pair", HasTrunks, true},
        {"codec.name=inceptionn", HasLossyCodec, true},
        {"codec.name=homomorphic", HasLossyCodec, false},
        {"codec.name=homomorphic", HasSketch, true},
        {"codec.name=inceptionn", HasHostCodec, false},
        {"codec.name=inceptionn codec.placement=cpu", HasHostCodec, true},
        {"sparsify.method=top-k", Sparsifies, true},
    };
    for (const auto& row : rows)
    {
        EXPECT_EQ(row.question(With(row.settings)), row.answer) << row.settings;
    }
}

/* A tensor by itself is exchanged and nothing else; a model's gradients are copied as the key says, GPUs side by side. */
TEST(Specs, ALoneTensorIsNotCopied)
{
    auto scenario = With("host.copy_rate=7Bps");
    EXPECT_EQ(CopyBytesPerSecond(scenario), 7U);
    scenario.cluster.gpus = 3;
    EXPECT_EQ(CopyBytesPerSecond(scenario), 21U);
    scenario.host.copyBytesPerSecond = 1ULL << 63U;
    EXPECT_GE(CopyBytesPerSecond(scenario), 1ULL << 63U); // no overflow
    scenario.training.trace = "tensor:100MB";
    EXPECT_EQ(CopyBytesPerSecond(scenario), 0U);
}

/* 8 workers, and an aggregator; as many servers, or 3; switches are no hosts. */
TEST(Specs, TellTheTopologyOfEveryHost)
{
    const auto spec = MakeTopologySpec(
        With("cluster.workers=8 cluster.topology=leaf-spine cluster.hosts_per_leaf=3 "
             "cluster.spines=5 cluster.fat_tree_k=6 cluster.trunks=7"));
    EXPECT_EQ(spec.name, "leaf-spine");
    EXPECT_EQ(spec.hostsPerLeaf, 3U);
    EXPECT_EQ(spec.spines, 5U);
    EXPECT_EQ(spec.arity, 6U);
    EXPECT_EQ(spec.trunks, 7U);
    for (const auto& [settings, hosts] : std::vector<std::pair<const char*, std::uint32_t>>{
             {"worker-aggregator", 9},
             {"sharded-parameter-server", 16},
             {"sharded-parameter-server cluster.servers=3", 11},
             {"switch-tree", 8}})
    {
        const auto scenario = With(std::string("cluster.workers=8 exchange.algorithm=") + settings);
        EXPECT_EQ(MakeTopologySpec(scenario).hosts, hosts) << settings;
    }
}

} // namespace inca
