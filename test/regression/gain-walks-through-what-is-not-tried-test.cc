/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/plan-maker.h"
#include "sweep/baselines.h"
#include "sweep/compressing-scenario.h"

#include <gmock/gmock.h>

namespace inca
{

/* Of 1 TB in a ring of 4 with a codec the run took 0.1 s, and before it the lower bound of a tree without the codec
 * minutes: a tree is cut into millions of messages, and was refused for them only after it had been walked through. */
TEST(GainWalksThroughWhatIsNotTried, BoundsThatTakeTooLongAreLeftOut)
{
    const auto scenario = With({"exchange.algorithm=tree"});
    const auto seconds = MakePlan(scenario).estimate.boundSeconds;
    EXPECT_GT(seconds, 0);
    EXPECT_GT(MakePlan(scenario, seconds).lowerBound.iterationPs, 0);
    EXPECT_EQ(MakePlan(scenario, seconds / 2).lowerBound.iterationPs, 0);
}

TEST(GainWalksThroughWhatIsNotTried, ATerabyteHasAGain)
{
    const auto scenario =
        With({"training.trace=tensor:1TB", "exchange.algorithm=ring", "codec.name=truncate"});
    const auto record = RunOf(scenario, RunKind::BASELINE, {});
    EXPECT_THAT(record.warnings, testing::Contains(testing::HasSubstr("not compared with tree")));
}

} // namespace inca
