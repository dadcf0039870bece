/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/import-text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

/* torch 1.13's perceptron of 784-1024-1024-10: 4,239,400 and 3,215,360 bytes of fp32. 7,454,760 us of
 * forward are shared out by bytes: 1 us per byte.                                                     */
TEST(DdpLogging, TakesRebuiltBucketsAndTimes)
{
    const auto imported = ImportText(
        R"({"world_size": 4, "module_name": "Perceptron", "dtypes": "float", "iteration": 9,)"
        R"("bucket_sizes": "7454760", "rebuilt_bucket_sizes": "4239400, 3215360",)"
        R"("total_parameter_size_bytes": 7454760, "avg_forward_compute_time": 7454760000,)"
        R"("avg_backward_compute_time": 0, "backward_compute_time": 1000})");
    const auto& layers = imported.trace.layers;
    ASSERT_EQ(layers.size(), 2U);
    EXPECT_EQ(layers[1].elements, 1'059'850U); // ready first: the model's last
    EXPECT_EQ(layers[0].elements, 803'840U);
    EXPECT_EQ(layers[1].forwardPs, 4'239'400'000'000);
    EXPECT_EQ(layers[0].backwardPs + layers[1].backwardPs, 1'000'000);
    EXPECT_EQ(imported.trace.model, "Perceptron");
    EXPECT_EQ(imported.trace.gradientType, "fp32");
    EXPECT_EQ(imported.trace.valueClass, "derived");
    EXPECT_THAT(imported.report.Text(),
                testing::HasSubstr("buckets add up to the 7454760 bytes of all parameters"));
    EXPECT_THAT(imported.report.Text(), testing::HasSubstr("set of iteration: say nothing"));
}

TEST(DdpLogging, WarnsOfARunWithoutOverlap)
{
    const auto imported = ImportText(R"({"bucket_sizes": [40], "backward_comm_time": 100,)"
                                     R"("backward_compute_comm_overlap_time": 5})");
    EXPECT_THAT(imported.report.Warnings(),
                testing::Contains(testing::HasSubstr("a run without overlap")));
}

TEST(DdpLogging, RefusesWhatDoesNotAddUp)
{
    EXPECT_THAT(RefusalOf(R"({"bucket_sizes": "40, 44", "total_parameter_size_bytes": 80})"),
                testing::HasSubstr("is 80, buckets add up to 84"));
    EXPECT_THAT(RefusalOf(R"({"bucket_sizes": "41"})"), testing::HasSubstr("no whole fp32 values"));
    EXPECT_THAT(RefusalOf(R"({"bucket_sizes": "4x"})"),
                testing::HasSubstr("bucket_sizes: must be"));
    EXPECT_THAT(RefusalOf(R"({"bucket_sizes": "40", "forward_compute_time": -3})"),
                testing::HasSubstr("forward_compute_time: must be from 0"));
    EXPECT_THAT(RefusalOf(R"({"bucket_sizes": "40", "dtypes": "complex"})"),
                testing::HasSubstr("dtypes"));
}

} // namespace inca
