/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/command-output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace inca
{

TEST(TraceCommand, ListsWhatIsShipped)
{
    const auto text = OutputOf("trace list");
    for (const auto* name :
         {"alexnet ", "hdc ", "resnet-50 ", "vgg-16 ", "bert-v100 ", "vgg19-a100 "})
    {
        EXPECT_THAT(text, testing::HasSubstr("\n" + std::string(name)));
    }
}

/* 61,100,840 * 4 bytes = 233.1 MiB; Table II's forward of 3.13 s per 100 iterations is 31.30 ms. */
TEST(TraceCommand, ShowsLayersAndTotals)
{
    const auto text = OutputOf("trace show alexnet");
    EXPECT_THAT(text, testing::ContainsRegex("\nclassifier.6 +2 +4097000 +15.63 MiB "));
    EXPECT_THAT(text,
                testing::ContainsRegex("\ntotal +16 +61100840 +233.1 MiB +31.30 ms +162.2 ms "));
    EXPECT_THAT(OutputOf("trace show tensor:1MiB"), testing::HasSubstr("262144"));
}

} // namespace inca
