/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/specs.h"

#include "base/errors.h"

#include <gtest/gtest.h>

namespace inca
{

TEST(Specs, CarryWhatTheScenarioSays)
{
    Scenario scenario;
    scenario.cluster.workers = 8;
    scenario.exchange.segmentBytes = 4096;
    scenario.codec.bound = 6;
    EXPECT_EQ(MakeExchangeSpec(scenario).workers, 8U);
    EXPECT_EQ(MakeExchangeSpec(scenario).segmentElements, 1024U); // 4 bytes each
    EXPECT_EQ(MakeCodecSpec(scenario).bound, 6U);
}

TEST(Specs, TellHomomorphicCompressionItsSettings)
{
    Scenario scenario;
    EXPECT_FALSE(HasSketch(scenario));
    scenario.codec.name = "homomorphic";
    scenario.codec.ratio = 4;
    scenario.codec.index = "bloom";
    scenario.codec.bloomBits = 0.25;
    scenario.codec.bloomHashes = 3;
    EXPECT_TRUE(HasSketch(scenario));
    EXPECT_TRUE(HasCodec(scenario));
    EXPECT_FALSE(HasLossyCodec(scenario)); // no codec of frames at all
    EXPECT_FALSE(Sparsifies(scenario));
    scenario.sparsify.method = "top-k";
    EXPECT_TRUE(Sparsifies(scenario));
    const auto settings = MakeCodecSpec(scenario).homomorphic;
    EXPECT_EQ(settings.ratio, 4);
    EXPECT_EQ(settings.index, HomomorphicIndex::BLOOM);
    EXPECT_EQ(settings.bloom.bitsPerValue, 0.25);
    EXPECT_EQ(settings.bloom.hashes, 3U);
    scenario.codec.ratio.reset();
    EXPECT_EQ(MakeHomomorphicSettings(scenario).ratio, 10); // safe: chosen by bucket
}

TEST(Specs, RefuseUnknownNames)
{
    Scenario scenario;
    scenario.exchange.algorithm = "?";
    scenario.cluster.topology = "?";
    EXPECT_THROW(HasAggregator(scenario), InputError);
    EXPECT_THROW(HasTrunks(scenario), InputError);
}

TEST(Specs, KnowAggregatorsAndLoss)
{
    Scenario scenario;
    EXPECT_FALSE(HasAggregator(scenario));
    EXPECT_FALSE(HasLossyCodec(scenario));
    scenario.exchange.algorithm = "worker-aggregator";
    scenario.codec.name = "inceptionn";
    EXPECT_TRUE(HasAggregator(scenario));
    EXPECT_TRUE(HasLossyCodec(scenario));
    EXPECT_FALSE(HasHostCodec(scenario));
    scenario.codec.placement = "cpu";
    EXPECT_TRUE(HasHostCodec(scenario));
}

TEST(Specs, TellServersFromAggregators)
{
    Scenario scenario;
    EXPECT_FALSE(HasServers(scenario));
    for (const auto* name : {"parameter-server", "sharded-parameter-server"})
    {
        scenario.exchange.algorithm = name;
        EXPECT_TRUE(HasServers(scenario)) << name;
        EXPECT_FALSE(HasAggregator(scenario)) << name;
    }
    for (const auto* name : {"worker-aggregator", "switch-slots"})
    {
        scenario.exchange.algorithm = name;
        EXPECT_FALSE(HasServers(scenario)) << name;
    }
}

/* A tensor by itself is exchanged and nothing else; a model's gradients are copied as the key says. */
TEST(Specs, ALoneTensorIsNotCopied)
{
    Scenario scenario;
    scenario.host.copyBytesPerSecond = 7;
    scenario.training.trace = "alexnet";
    EXPECT_EQ(CopyBytesPerSecond(scenario), 7U);
    scenario.cluster.gpus = 3; // side by side
    EXPECT_EQ(CopyBytesPerSecond(scenario), 21U);
    scenario.host.copyBytesPerSecond = 1ULL << 63U;
    EXPECT_GE(CopyBytesPerSecond(scenario), 1ULL << 63U); // no overflow
    scenario.training.trace = "tensor:100MB";
    EXPECT_EQ(CopyBytesPerSecond(scenario), 0U);
}

/* 8 workers and an aggregator. */
TEST(Specs, TellTheTopologyOfEveryHost)
{
    Scenario scenario;
    scenario.cluster.workers = 8;
    scenario.cluster.topology = "leaf-spine";
    scenario.cluster.hostsPerLeaf = 3;
    scenario.cluster.spines = 5;
    scenario.cluster.arity = 6;
    scenario.cluster.trunks = 7;
    scenario.exchange.algorithm = "worker-aggregator";
    const auto spec = MakeTopologySpec(scenario);
    EXPECT_EQ(spec.name, "leaf-spine");
    EXPECT_EQ(spec.hosts, 9U);
    EXPECT_EQ(spec.hostsPerLeaf, 3U);
    EXPECT_EQ(spec.spines, 5U);
    EXPECT_EQ(spec.arity, 6U);
    EXPECT_EQ(spec.trunks, 7U);
    scenario.exchange.algorithm = "sharded-parameter-server";
    EXPECT_EQ(MakeTopologySpec(scenario).hosts, 16U); // as many servers
    scenario.cluster.servers = 3;
    EXPECT_EQ(MakeTopologySpec(scenario).hosts, 11U);
    scenario.exchange.algorithm = "switch-tree";
    EXPECT_EQ(MakeTopologySpec(scenario).hosts, 8U); // switches are no hosts
}

TEST(Specs, KnowSumsInTheNetworkAndTrunks)
{
    Scenario scenario;
    EXPECT_FALSE(ReducesInNetwork(scenario) || HasTrunks(scenario));
    scenario.exchange.algorithm = "switch-slots";
    EXPECT_TRUE(ReducesInNetwork(scenario));
    for (const auto* name : {"leaf-spine", "fat-tree", "rack-pair"})
    {
        scenario.cluster.topology = name;
        EXPECT_TRUE(HasTrunks(scenario)) << name;
    }
}

} // namespace inca
