/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/run-experiment.h"
#include "sweep/baselines.h"
#include "sweep/compressing-scenario.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace inca
{

/*
 * Of gradients of 16 bits both gains are over one baseline, which is run once. The time left counted it twice: when all
 * was done but a few frames, a half or so was said to be. What is left then is below a hundredth of the work, and each
 * part of it is taken to be at most four times slower than the last: more than nine tenths are over.
 */
TEST(GainsOverTheSame, AreCountedOnce)
{
    const auto scenario = With({"codec.name=truncate",
                                "training.trace=tensor:4MB",
                                "training.gradient_type=bf16",
                                "simulation.mode=packet"});
    auto record = RunExperiment(scenario, {});
    std::vector<double> told;
    BaselineRuns([&told](double share) { told.push_back(share); }).AddGainsTo(record, scenario);
    ASSERT_FALSE(told.empty());
    EXPECT_TRUE(std::is_sorted(told.begin(), told.end())); // a second search would begin at 0
}

} // namespace inca
