/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/operation-sequence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

TEST(OperationSequence, SharesOutToTheLast)
{
    EXPECT_THAT(SharedOut(10, {1, 1, 1}), testing::ElementsAre(3, 4, 3)); // 3.3, 6.7, 10 rounded
    EXPECT_THAT(SharedOut(10, {0, 0}), testing::ElementsAre(5, 5));
    EXPECT_THAT(SharedOut(7, {5}), testing::ElementsAre(7));
    EXPECT_THAT(SharedOut(7, {}), testing::IsEmpty());
}

TEST(OperationSequence, TakesTheLowerOfTwoMedians)
{
    EXPECT_EQ(MedianOf({9, 1, 5}), 5);
    EXPECT_EQ(MedianOf({9, 1}), 1);
    EXPECT_EQ(MedianOf({}), 0);
}

TEST(OperationSequence, KnowsCollectivesByAnyName)
{
    EXPECT_EQ(NormalisedCollective("ALL_REDUCE"), "allreduce");
    EXPECT_EQ(NormalisedCollective("_reduce_scatter_base"), "reducescatterbase");
    EXPECT_TRUE(IsSum("reducescatterbase"));
    EXPECT_TRUE(IsSum("allreducecoalesced"));
    EXPECT_FALSE(IsSum("allgather"));
    EXPECT_FALSE(IsSum("reduce"));
}

/* Two iterations, told apart by their forward passes: backward takes 6 and 8, of which the lower is taken. */
TEST(OperationSequence, TakesMediansOfIterations)
{
    std::vector<RecordedOperation> operations;
    for (const auto ps : {6, 8})
    {
        RecordedOperation forward;
        forward.phase = RecordedPhase::FORWARD;
        forward.ps = 3;
        RecordedOperation backward;
        backward.ps = ps;
        RecordedOperation sum;
        sum.collective = "allreduce";
        sum.bytes = 40;
        sum.elementType = "fp16";
        operations.insert(operations.end(), {forward, backward, sum});
    }
    ImportReport report;
    const auto training = TrainingOfSequence(operations, {}, report);
    ASSERT_EQ(training.layers.size(), 1U);
    EXPECT_EQ(training.layers[0].Elements(), 20U);
    EXPECT_EQ(training.layers[0].forwardPs, 3);
    EXPECT_EQ(training.layers[0].backwardPs, 6);
    EXPECT_EQ(report.BytesIn(), 40U);
}

} // namespace inca
