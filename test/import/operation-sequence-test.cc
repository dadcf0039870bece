/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/operation-sequence.h"

#include "base/errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

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
        operations.insert(operations.end(), {forward, backward, sum});
    }
    ImportReport report;
    const auto training = TrainingOfSequence(operations, {}, report);
    ASSERT_EQ(training.layers.size(), 1U);
    EXPECT_EQ(training.layers[0].Elements(), 10U); // of fp32
    EXPECT_EQ(training.layers[0].forwardPs, 3);
    EXPECT_EQ(training.layers[0].backwardPs, 6);
    EXPECT_EQ(report.bytesIn, 40U);
}

/* Two iterations that nothing marks: 4 values each time, before which 3 and 5 are computed. A third of each,
 * rounded down, is forward: 1, so backward takes 2 and 4, of which the lower is taken. What goes on
 * for 7 and 9 is an all-reduce of 7.                                                                    */
TEST(OperationSequence, CutsIterationsThatNothingMarks)
{
    std::vector<RecordedOperation> operations;
    for (const auto ps : {3, 5})
    {
        RecordedOperation computed;
        computed.ps = ps;
        RecordedOperation sum;
        sum.collective = "allreduce";
        sum.bytes = 16;
        sum.ps = ps + 4;
        operations.insert(operations.end(), {computed, sum});
    }
    ImportReport whole;
    EXPECT_EQ(TrainingOfSequence(operations, {}, whole).layers.size(), 2U);
    EXPECT_THAT(whole.Warnings(),
                testing::Contains(testing::HasSubstr("they repeat 2 times: --iterations N")));
    ImportOptions options;
    options.iterations = 2;
    ImportReport report;
    const auto training = TrainingOfSequence(operations, options, report);
    ASSERT_EQ(training.layers.size(), 1U);
    EXPECT_EQ(training.layers[0].Elements(), 4U);
    EXPECT_EQ(training.layers[0].backwardPs, 2);
    EXPECT_EQ(training.sums.each[0].ps, 7);
    EXPECT_EQ(report.bytesIn, 16U);
    options.iterations = 3;
    EXPECT_THROW(TrainingOfSequence(operations, options, report), InputError);
}

} // namespace inca
