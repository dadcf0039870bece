/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/scenario-fixture.h"

namespace inca
{

using PriorityWithoutOverlap = ScenarioFixture;

/* Without overlap all layers become ready when backward ends. The last layer's exchange began before
 * the first one's was looked at, so that priority did nothing. */
TEST_F(PriorityWithoutOverlap, LowerLayersGoFirst)
{
    auto scenario = Bare(TwoLayers());
    scenario.training.send = "layer";
    scenario.training.overlap = false;
    scenario.exchange.order = "priority";
    const auto outcome = Run(scenario);
    const auto& chunks = outcome.seen->chunks[0]; // "out", then "in"
    EXPECT_EQ(chunks[1].startPs, 6'000'000);
    EXPECT_EQ(chunks[0].startPs, 6'000'000 + RingOfTwoPs(100));
}

} // namespace inca
