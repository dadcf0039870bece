/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/scaled-trace.h"

#include "base/errors.h"
#include "trace/native-trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

namespace
{

GradientTrace
Small()
{
    return ParseTrace("#inca-trace v1\n# class: measured\n# batch: 32\n# gradient_type: fp32\n"
                      "layer,elements,forward_ns,backward_ns,update_ns\nfc,1000,100,200,50\n",
                      "small.csv");
}

} // namespace

/* Twice the batch on a GPU that is twice as fast: passes as long as before, the update half as long. */
TEST(ScaledTrace, ScalesTimes)
{
    const auto scaled = Scaled(Small(), {64, 0.5, "bf16"});
    EXPECT_EQ(scaled.layers[0].forwardPs, 100'000);
    EXPECT_EQ(scaled.layers[0].backwardPs, 200'000);
    EXPECT_EQ(scaled.layers[0].updatePs, 25'000);
    EXPECT_EQ(scaled.batch, 64U);
    EXPECT_EQ(scaled.Bytes(), 2000U);
    EXPECT_EQ(scaled.valueClass, "derived");
    EXPECT_THAT(scaled.notes,
                testing::ElementsAre(testing::Pair(
                    "scaled",
                    "batch 32 to 64 (forward and backward times in proportion), all times by 0.5, "
                    "gradient_type fp32 to bf16, of small")));
    EXPECT_EQ(FormatTrace(ParseTrace(FormatTrace(scaled), "small.csv")), FormatTrace(scaled));
}

TEST(ScaledTrace, LeavesAloneWhatIsNotAskedFor)
{
    EXPECT_EQ(FormatTrace(Scaled(Small(), {})), FormatTrace(Small()));
    EXPECT_EQ(FormatTrace(Scaled(Small(), {32, 1, "fp32"})), FormatTrace(Small()));
}

TEST(ScaledTrace, RefusesWhatIsNoScale)
{
    EXPECT_THROW(Scaled(Small(), {0, 1, ""}), InputError);
    EXPECT_THROW(Scaled(Small(), {{}, 0, ""}), InputError);
    EXPECT_THROW(Scaled(Small(), {{}, 1, "fp8"}), InputError);
    auto unknown = Small();
    unknown.batch.reset();
    EXPECT_THROW(Scaled(unknown, {64, 1, ""}), InputError);
}

} // namespace inca
