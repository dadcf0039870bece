/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/network-speed.h"

#include "scenario/specs.h"
#include "topology/topology-catalog.h"

#include <gmock/gmock.h>

namespace inca
{

namespace
{

using testing::ElementsAre;

NetworkSpeed
Speed(const Scenario& scenario)
{
    return SpeedOf(scenario, MakeTopology(MakeTopologySpec(scenario)), {});
}

} // namespace

/* Three workers, of which the second is slower, and an aggregator. */
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
    EXPECT_TRUE(Speed(scenario).switches.empty());
}

TEST(NetworkSpeed, TrunksAreAsFastAsWorkersUnlessGiven)
{
    Scenario scenario;
    scenario.cluster.topology = "rack-pair";
    EXPECT_EQ(Speed(scenario).trunkBitsPerSecond, 10'000'000'000U);
    EXPECT_THAT(Speed(scenario).trunksOfSwitch, ElementsAre(1, 1));
    scenario.cluster.trunkBitsPerSecond = 7;
    EXPECT_EQ(Speed(scenario).trunkBitsPerSecond, 7U);
}

/* The tree's own ways: the spine has two children and nothing above, each leaf two and a trunk. */
TEST(NetworkSpeed, SwitchesAreThoseOfTheTree)
{
    Scenario scenario;
    scenario.exchange.algorithm = "switch-tree";
    scenario.cluster.topology = "leaf-spine";
    scenario.cluster.hostsPerLeaf = 2;
    const auto switches = Speed(scenario).switches;
    ASSERT_EQ(switches.size(), 3U);
    for (std::size_t i = 0; i < switches.size(); ++i)
    {
        EXPECT_EQ(switches[i].children, 2U);
        EXPECT_EQ(switches[i].trunkBitsPerSecond, i == 0 ? 0U : 10'000'000'000U);
    }
}

} // namespace inca
