/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/job-fixture.h"

namespace inca
{

using SendOnlyStep = JobFixture;

/* Half-duplex hosts began the next step before the whole message had left in a step that receives nothing,
 * so that an aggregator sent all its copies at once and the first one came as
 * late as the last.
 *
 * 3 workers and the aggregator, messages of 100 full frames (M): the gradients take 3 M, the tree 2 M,
 * and grants and latencies far less than the M that the root's two copies side by side would add. */
TEST_F(SendOnlyStep, EndsWhenItsWholeMessageHasLeft)
{
    constexpr std::int64_t FRAMES = 100;
    constexpr std::int64_t MESSAGE_PS = FRAMES * FULL_FRAME_PS;
    const auto job = MakeTensorJob(Exchange("worker-aggregator", 3), FRAMES * FULL_FRAME_ELEMENTS);
    SetHalfDuplex(true);
    const auto endPs = Run(job);
    EXPECT_GE(endPs, 5 * MESSAGE_PS);
    EXPECT_LE(endPs, 5 * MESSAGE_PS + MESSAGE_PS / 2);
}

} // namespace inca
