/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/cluster-builder.h"

#include "base/errors.h"
#include "experiment/switch-fixture.h"
#include "scenario/keys.h"

#include <algorithm>

namespace inca
{

class ClusterBuilder : public SwitchFixture
{
  protected:
    std::uint64_t TrunkRate()
    {
        return cluster.switches.front()->GetPort(cluster.trunks.front().lowerPort)->BitsPerSecond();
    }
};

TEST_F(ClusterBuilder, TrunksAreAsFastAsWorkersUnlessTold)
{
    auto scenario = Tree(1);
    scenario.cluster.bitsPerSecond = 25'000'000'000;
    Install(scenario);
    EXPECT_EQ(TrunkRate(), 25'000'000'000U);
    scenario.cluster.trunkBitsPerSecond = 40'000'000'000;
    Install(scenario);
    EXPECT_EQ(TrunkRate(), 40'000'000'000U);
}

TEST_F(ClusterBuilder, HostsHaveTheirOwnRates)
{
    auto scenario = Bare("tensor:4kB", 3);
    scenario.exchange.algorithm = "worker-aggregator";
    scenario.cluster.aggregatorBitsPerSecond = 40'000'000'000;
    scenario.cluster.overrides = {{1, 1'000'000'000, 1.0}};
    Install(scenario);
    EXPECT_EQ(cluster.nics[0]->BitsPerSecond(), 10'000'000'000U);
    EXPECT_EQ(cluster.nics[1]->BitsPerSecond(), 1'000'000'000U);
    EXPECT_EQ(cluster.PortTo(1)->BitsPerSecond(), 1'000'000'000U);
    EXPECT_EQ(cluster.nics[3]->BitsPerSecond(), 40'000'000'000U);
}

/* 4 workers, 2 on a leaf: each has a client, and of 2 leaves and 2 spines all but the second spine add. */
TEST_F(ClusterBuilder, SwitchesAddOnlyForExchangesThatAskForIt)
{
    Install(Tree(1));
    EXPECT_EQ(cluster.AggregationOf().clients.size(), 4U);
    EXPECT_EQ(std::count(cluster.AggregationOf().programs.begin(),
                         cluster.AggregationOf().programs.end(),
                         nullptr),
              1);
    auto ring = Tree(1);
    ring.exchange.algorithm = "ring";
    Install(ring);
    EXPECT_TRUE(cluster.AggregationOf().clients.empty());
    EXPECT_TRUE(cluster.AggregationOf().programs.empty());
}

/* 128 slots, twice, of 256 values are 256 KiB. */
TEST_F(ClusterBuilder, RefusesAMemoryThatIsTooSmall)
{
    auto scenario = Slots(1);
    SetKey(scenario, "switch.memory", std::to_string(256 * 1024) + "B");
    EXPECT_NO_THROW(Install(scenario));
    SetKey(scenario, "switch.memory", std::to_string(256 * 1024 - 1) + "B");
    EXPECT_THROW(Install(scenario), InputError);
}

} // namespace inca
