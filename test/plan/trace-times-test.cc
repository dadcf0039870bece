/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/trace-times.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

/** Two layers: forward 1 and 2, backward 3 and 4, update 10 and 1. (ps) */
GradientTrace
TwoLayers()
{
    GradientTrace trace;
    trace.layers.resize(2);
    trace.layers[0].forwardPs = 1;
    trace.layers[0].backwardPs = 3;
    trace.layers[0].updatePs = 10;
    trace.layers[1].forwardPs = 2;
    trace.layers[1].backwardPs = 4;
    trace.layers[1].updatePs = 1;
    return trace;
}

TrainingJob
Job(std::uint32_t iterations)
{
    TrainingJob job;
    job.iterations = iterations;
    return job;
}

} // namespace

TEST(TraceTimes, AreSumsOverTheLayers)
{
    const auto times = SumTimes(TwoLayers());
    EXPECT_EQ(times.forwardPs, 3);
    EXPECT_EQ(times.backwardPs, 7);
    EXPECT_EQ(times.updatePs, 11);
}

/* Updates end at 10 and 11; forward 0 is 10..11, forward 1 11..13. With a barrier 11 + 3. Without
 * updates just 3. */
TEST(TraceTimes, ForwardWaitsForEachLayersUpdate)
{
    EXPECT_EQ(ForwardAfterUpdatesPs(TwoLayers(), true, false), 13);
    EXPECT_EQ(ForwardAfterUpdatesPs(TwoLayers(), true, true), 14);
    EXPECT_EQ(ForwardAfterUpdatesPs(TwoLayers(), false, false), 3);
    EXPECT_EQ(ForwardAfterUpdatesPs(TwoLayers(), false, true), 3);
}

/* Forward 0..3, backward of layer 1 3..7 and its update 7..8 beside backward of layer 0, 7..10, its
 * update 10..20. The next forward pass waits until 20: from then on an iteration is 20. */
TEST(TraceTimes, ASingleWorkerUpdatesBesideBackward)
{
    EXPECT_EQ(SingleWorkerPs(TwoLayers(), Job(1), 0), 20);
    EXPECT_EQ(SingleWorkerPs(TwoLayers(), Job(3), 1), 20);
}

/* Without overlap updates begin at 10, the last layer first: 10..11, 11..21. */
TEST(TraceTimes, ASingleWorkerWithoutOverlapUpdatesAfterBackward)
{
    auto job = Job(2);
    job.overlap = false;
    EXPECT_EQ(SingleWorkerPs(TwoLayers(), job, 0), 21);
}

/* Two micro-batches: forward and backward 0..10, then 10..20 with updates as above: 30. */
TEST(TraceTimes, ASingleWorkerAccumulates)
{
    auto job = Job(1);
    job.accumulation = 2;
    EXPECT_EQ(SingleWorkerPs(TwoLayers(), job, 0), 30);
}

} // namespace inca
