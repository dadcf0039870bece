/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/import-text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

/* ns to ps; values are fp32, so 3 elements are 12 bytes. */
TEST(SwitchMlCsv, TakesLayers)
{
    const auto imported = ImportText("layer_index, numel, forward_pass_ns, backward_pass_ns\r\n"
                                     "0,3,5000,6000\r\n1,4,7.5,8\n\n");
    ASSERT_EQ(imported.trace.layers.size(), 2U);
    EXPECT_EQ(imported.trace.layers[0].elements, 3U);
    EXPECT_EQ(imported.trace.layers[0].forwardPs, 5'000'000);
    EXPECT_EQ(imported.trace.layers[1].forwardPs, 7'500);
    EXPECT_EQ(imported.trace.layers[1].backwardPs, 8'000);
    EXPECT_EQ(imported.trace.gradientType, "fp32");
    EXPECT_EQ(imported.report.BytesOut(), 28U);
}

TEST(SwitchMlCsv, RefusesWhatIsNoLayer)
{
    const std::string header = "layer_index,numel,forward_pass_ns,backward_pass_ns\n";
    EXPECT_THAT(RefusalOf(header + "0,3,5000\n"), testing::HasSubstr("file:2: has 3 fields"));
    EXPECT_THAT(RefusalOf(header + "0,3.5,1,1\n"),
                testing::HasSubstr("file:2: numel: must be a whole number"));
    EXPECT_THAT(RefusalOf(header + "1,3,1,1\n"), testing::HasSubstr("numbered from 0"));
    EXPECT_THAT(RefusalOf(header + "0,3,1,-1\n"), testing::HasSubstr("file:2: backward_pass_ns"));
    EXPECT_THAT(RefusalOf(header), testing::HasSubstr("nothing to import"));
    EXPECT_THAT(RefusalOf(header + "0,0,1,1\n"), testing::HasSubstr("has 0 elements"));
}

} // namespace inca
