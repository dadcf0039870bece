/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A link was busy for 1.30 of a run, and scaling efficiency 3.06: shares of more than there is.
#include "experiment/run-experiment.h"
#include "experiment/scenario-fixture.h"
#include "scenario/keys.h"

namespace inca
{

class MeasuresExceedOne : public ScenarioFixture
{
};

/* 4 packets of 88.5 us, sent again every 50 us: when the last sum is there, most of them still wait in queues. */
TEST_F(MeasuresExceedOne, LinksThatDrainAfterTheEnd)
{
    auto scenario = Bare("tensor:4kB");
    scenario.exchange.algorithm = "switch-slots";
    scenario.cluster.bitsPerSecond = 100'000'000;
    SetKey(scenario, "switch.timeout", "50us");
    const auto record = RunExperiment(scenario, {});
    EXPECT_GT(record.results.retransmitted, 0U);
    for (const auto& link : record.links)
    {
        EXPECT_LE(link.utilisation, 1) << link.link;
    }
}

/* Forward 1 us, backward 2 us; a worker would update for 100 us, the aggregator does in 1 us. One worker with
 * such an update takes 4 us, and that is what the run is compared with. */
TEST_F(MeasuresExceedOne, AnAggregatorUpdatesFaster)
{
    auto scenario = Bare(WriteTrace("fast-aggregator",
                                    "layer,elements,forward_ns,backward_ns,update_ns,"
                                    "aggregator_update_ns",
                                    "a,1000,1000,2000,100000,1000\n"));
    scenario.exchange.algorithm = "worker-aggregator";
    const auto results = RunExperiment(scenario, {}).results;
    EXPECT_DOUBLE_EQ(*results.scalingEfficiency,
                     4e6 / static_cast<double>(results.iterationTimePs));
}

} // namespace inca
