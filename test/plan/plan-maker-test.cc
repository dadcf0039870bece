/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "plan/network-speed.h"
#include "plan/plan-maker.h"
#include "scenario/specs.h"
#include "support/settings.h"
#include "topology/topology-catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

namespace
{

Scenario
Tensor()
{
    Scenario scenario;
    scenario.training.trace = "tensor:1MB";
    return scenario;
}

} // namespace

/* A ring of 4 sends 6 blocks of 250 kB over 10 Gb/s: 1.2 ms and headers. */
TEST(MakePlan, SaysAllThatNeedsNoClock)
{
    const auto plan = MakePlan(Tensor());
    EXPECT_EQ(plan.Job().job->workers, 4U);
    EXPECT_EQ(plan.Settings().topology.HostCount(), 4U);
    EXPECT_EQ(plan.Settings().network.linkBitsPerSecond.size(), 4U);
    EXPECT_GT(plan.Job().alone.iterationPs, 1'200'000'000);
    EXPECT_LT(plan.Job().alone.iterationPs, 1'500'000'000);
    EXPECT_TRUE(plan.warnings.empty());
}

TEST(MakePlan, RefusesAttributesThatKeysSet)
{
    auto scenario = Tensor();
    scenario.attributes = {{"inca::Nic::DataRate", "1Gbps"}};
    EXPECT_THROW(MakePlan(scenario), InputError);
}

/* 1 GB over 1 kbit/s is 6 blocks of 250 MB: 12 million seconds and headers, more than 2^62 ps = 4.6 million. */
TEST(MakePlan, RefusesWhatCannotBeCounted)
{
    auto scenario = Tensor();
    scenario.training.trace = "tensor:1GB";
    scenario.cluster.bitsPerSecond = 1000;
    EXPECT_THROW(MakePlan(scenario), InputError);
    scenario.cluster.bitsPerSecond = 10'000;
    EXPECT_NO_THROW(MakePlan(scenario));
    scenario.training.iterations = 4;
    EXPECT_THROW(MakePlan(scenario), InputError);
}

/* 1 MB of fp32 values is half as much in bf16, which a ring moves in half of the time. */
TEST(MakePlan, TakesGradientsOfAnotherType)
{
    auto scenario = Tensor();
    scenario.host.sumBytesPerSecond = 0;
    const auto whole = MakePlan(scenario);
    scenario.training.gradientType = "bf16";
    const auto half = MakePlan(scenario);
    EXPECT_EQ(half.Job().job->bytesPerElement, 2U);
    EXPECT_NEAR(static_cast<double>(half.Job().alone.iterationPs),
                0.5 * static_cast<double>(whole.Job().alone.iterationPs),
                0.03 * static_cast<double>(whole.Job().alone.iterationPs));
    scenario.codec.name = "truncate"; // takes them widened
    EXPECT_EQ(MakePlan(scenario).Job().job->bytesPerElement, 4U);
    EXPECT_EQ(MakePlan(scenario).Job().job->gradientType.bytes, 2U);
}

/* Only a codec on the NIC has engines: [engine] says how fast, and an attribute sets one apart. */
TEST(MakePlan, KnowsEnginesWhereThereAreSome)
{
    auto scenario = Tensor();
    scenario.engine.hertz = 1'000'000;
    scenario.attributes = {{"inca::CompressionEngine::Width", "8"}};
    EXPECT_EQ(MakePlan(scenario).Settings().network.compressionBitsPerSecond, 0U);
    scenario.codec.name = "truncate";
    const auto plan = MakePlan(scenario);
    EXPECT_EQ(plan.Settings().network.compressionBitsPerSecond, 8'000'000U);
    EXPECT_EQ(plan.Settings().network.decompressionBitsPerSecond, 256'000'000U);
}

namespace
{

using testing::ElementsAre;

NetworkSpeed
Speed(const Scenario& scenario)
{
    auto traced = scenario;
    traced.training.trace = "tensor:4kB";
    return Resolve(traced)->network;
}

} // namespace

/* Three workers, of which the second is slower, and an aggregator; trunks are as fast as workers unless given. */
TEST(NetworkSpeed, IsThatOfEveryHost)
{
    Scenario scenario;
    scenario.cluster.workers = 3;
    scenario.cluster.bitsPerSecond = 10;
    scenario.cluster.overrides = {{0, {}, 2.0}, {1, 5, 1.0}};
    scenario.exchange.algorithm = "worker-aggregator";
    EXPECT_THAT(Speed(scenario).linkBitsPerSecond, ElementsAre(10, 5, 10, 10));
    scenario.cluster.aggregatorBitsPerSecond = 40;
    EXPECT_THAT(Speed(scenario).linkBitsPerSecond, ElementsAre(10, 5, 10, 40));
    EXPECT_EQ(Speed(scenario).trunkBitsPerSecond, 0U);
    EXPECT_EQ(Speed(scenario).mostChildren, 0U);
    scenario.cluster.topology = "rack-pair";
    EXPECT_EQ(Speed(scenario).trunkBitsPerSecond, 10U);
    scenario.cluster.trunkBitsPerSecond = 7;
    EXPECT_EQ(Speed(scenario).trunkBitsPerSecond, 7U);
    scenario.cluster.nics = 4; // the second worker's have 5 each, too
    EXPECT_THAT(Speed(scenario).linkBitsPerSecond, ElementsAre(40, 20, 40, 40));
}

/* Three leaves, of 3, 3 and 2 workers, below a spine: two switches from each worker to the root. */
TEST(NetworkSpeed, SwitchesAreThoseOfTheTree)
{
    const auto speed = Speed(With({},
                                  "exchange.algorithm=switch-tree cluster.topology=leaf-spine "
                                  "cluster.workers=8 cluster.hosts_per_leaf=3"));
    EXPECT_EQ(speed.mostChildren, 3U);
    EXPECT_EQ(speed.levels, 2U);
}

/* At 400 Gb/s a frame takes 30.76 ns and an acknowledgement 1.68: 133 frames in a round trip of 2 (2 us + both), twice as many
 * over two leaves and a spine (265). A switch of 1 us adds 2 us, and makes it 198. At 10 Gb/s it is 5, and 64 at least. Of two
 * round trips, and at least the frames that an acknowledgement waits for beside one. */
TEST(NetworkSpeed, FillsTwoRoundTripsWithAWindow)
{
    const std::string fast = "training.trace=tensor:100kB cluster.bandwidth=400Gbps ";
    const std::pair<std::string, std::uint32_t> rows[] = {
        {"training.trace=tensor:100kB", 64},
        {fast, 266},
        {fast + "switch.latency=1us", 396},
        {fast + "cluster.topology=leaf-spine cluster.hosts_per_leaf=2", 530},
        {fast + "transport.ack_every=1000", 1133},
        {fast + "transport.window=7", 7},
        // segments of 1448 bytes that the smaller buffer holds, a part of one counting as one
        {fast + "transport.name=tcp", 2897},
        {fast + "transport.name=tcp transport.sockets=2 transport.receive_buffer=14480B", 20},
    };
    for (const auto& [settings, window] : rows)
    {
        EXPECT_EQ(MakePlan(With({}, settings)).Settings().window, window) << settings;
    }
}

} // namespace inca
