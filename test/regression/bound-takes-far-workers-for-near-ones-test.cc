/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/plan-maker.h"

#include <gtest/gtest.h>

namespace inca
{

/* In two racks worker 2 of 4 is in the other one than the root, and stands for itself and worker 3. As the second of two
 * that are simulated it counted as worker 1, who is spared the trunk, so that the bound fell behind that of all
 * workers: of packet level with values, where each stands for itself. */
TEST(BoundOfATreeOfTwoRacks, IsThatOfWhomWorkersStandFor)
{
    Scenario scenario;
    scenario.training.trace = "tensor:400kB";
    scenario.cluster.workers = 4;
    scenario.cluster.topology = "rack-pair";
    scenario.cluster.trunkBitsPerSecond = 1'000'000'000;
    scenario.exchange.algorithm = "switch-tree";
    const auto ofFew = MakePlan(scenario);
    ASSERT_EQ(ofFew.fold.simulated, 2U);

    scenario.training.values = true;
    scenario.simulation.mode = "packet";
    const auto ofAll = MakePlan(scenario);
    ASSERT_EQ(ofAll.fold.simulated, 4U);
    EXPECT_EQ(ofFew.lowerBound.iterationPs, ofAll.lowerBound.iterationPs);
    EXPECT_EQ(ofFew.lowerBound.partsPs, ofAll.lowerBound.partsPs);
}

} // namespace inca
