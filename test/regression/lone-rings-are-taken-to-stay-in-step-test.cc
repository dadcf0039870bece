/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/run-experiment.h"
#include "record/precision.h"

#include <gtest/gtest.h>

namespace inca
{

/*
 * 48 blocks of 24,355 values, or of one more, which are 67 frames: 82 us. Workers come out of step by a value with each of 94
 * steps, and then an acknowledgement of 67.2 ns comes between the frames of a step: 0.08 %, which one worker for all
 * does not see. The bound of a ring's simulated time is 0.05 %.
 */
TEST(LoneRingsAreTakenToStayInStep, ThoughAcknowledgementsComeBetweenFrames)
{
    Scenario scenario;
    scenario.training.trace = "tensor:4676180B";
    scenario.cluster.workers = 48;
    const auto ours = RunExperiment(scenario, {});
    EXPECT_LT(ours.results.simulatedRanks, 48U);
    scenario.simulation.mode = "packet";
    const auto precision = PrecisionOf(ours, RunExperiment(scenario, {}));
    constexpr double most = 5e-4;
    EXPECT_LE(precision.iterationError, most);
    EXPECT_LE(precision.communicationError, most);
    EXPECT_LE(precision.exchangeError, most);
    EXPECT_TRUE(precision.sameCounts);
}

} // namespace inca
