/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/scenario-fixture.h"

namespace inca
{

using PipelinedIterations = ScenarioFixture;

/* The bound of an aggregator was all that it receives plus all that it sends, in every iteration. But
 * workers that have their weights send the next gradients while it still sends to others.
 *
 * 4 workers, messages of M, flat: the first iteration takes 4 M in and 4 M out. In each other one the
 * last worker's M comes after all was sent, so 1 M + 4 M, or the first worker's goes before all
 * come, 1 M + 4 M: over 10 iterations 5.3 M on average, where 8 M was said. */
TEST_F(PipelinedIterations, AreNotFasterThanTheLowerBound)
{
    auto scenario = Bare("tensor:1MB", 4);
    scenario.exchange.algorithm = "worker-aggregator";
    scenario.exchange.broadcast = "flat";
    scenario.training.iterations = 10;
    const auto outcome = Run(scenario);
    const auto meanPs = outcome.seen->iterationEndPs.back() / 10;
    EXPECT_LE(outcome.plan.lowerBound.iterationPs, meanPs);
    EXPECT_GE(static_cast<double>(outcome.plan.lowerBound.iterationPs),
              0.97 * static_cast<double>(meanPs));
}

} // namespace inca
