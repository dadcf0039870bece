/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Every exchange on every topology, with values: each run proves its own sums.
#include "experiment/simulation.h"

#include "exchange/exchange-catalog.h"
#include "experiment/switch-fixture.h"
#include "scenario/checks.h"
#include "topology/topology-catalog.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <tuple>

namespace inca
{

namespace
{

using ExchangeAndTopology = std::tuple<std::string, std::string>;

/** "switch_tree_on_fat_tree" */
std::string
CaseName(const testing::TestParamInfo<ExchangeAndTopology>& test)
{
    auto name = std::get<0>(test.param) + "_on_" + std::get<1>(test.param);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

} // namespace

/** 4 workers exchange 3000 values: 12 packets of a switch, the last one of 184. */
class AllTopologies : public SwitchFixture, public testing::WithParamInterface<ExchangeAndTopology>
{
  protected:
    static constexpr std::uint64_t ELEMENTS{3000};
    static constexpr std::uint32_t WORKERS{4};

    static Scenario Case(const std::string& exchange, const std::string& topology)
    {
        auto scenario = Bare("tensor:12kB", WORKERS);
        scenario.training.values = true;
        scenario.simulation.mode = "packet"; // frames carry them
        scenario.exchange.algorithm = exchange;
        scenario.exchange.groupSize = 2;
        scenario.cluster.topology = topology;
        scenario.cluster.hostsPerLeaf = 2;
        scenario.cluster.trunks = 2;
        return scenario;
    }
};

/* 3000 values on each of 4 workers are compared to the bit. What cannot go together says so:
 * switch-slots wants a single switch. */
TEST_P(AllTopologies, EndWithTheRightSums)
{
    const auto& [exchange, topology] = GetParam();
    const auto scenario = Case(exchange, topology);
    if (!Complaints(scenario).empty())
    {
        EXPECT_THAT(exchange,
                    testing::Not(testing::AnyOf("ring", "switch-tree", "parameter-server")));
        return;
    }
    const auto outcome = Run(scenario);
    EXPECT_EQ(outcome.comparedValues, WORKERS * ELEMENTS);
    EXPECT_EQ(outcome.errors->replicaDifference, 0);
    EXPECT_EQ(DroppedFrames(outcome.links), 0U);
    EXPECT_LE(outcome.plan.lowerBound.iterationPs, outcome.seen->iterationEndPs.back());
}

INSTANTIATE_TEST_SUITE_P(Matrix,
                         AllTopologies,
                         testing::Combine(testing::ValuesIn(ExchangeNames()),
                                          testing::ValuesIn(TopologyNames())),
                         CaseName);

} // namespace inca
