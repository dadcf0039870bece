/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/import-text.h"
#include "import/torch-text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

/* Profiles of PyTorch before 2.1 say in the backend's range alone what is exchanged. It was not looked at, so
 * a profile in which most gradients are missing gave a trace of the few that were there.                */
TEST(GradientsThatDoNotAddUpAreTaken, IsRefused)
{
    KinetoText text;
    text.Range("ProfilerStep#1", 0, 300)
        .Node(40, 45, 1)
        .Copy(45, 50, "20, 10")
        .Event("user_annotation",
               "nccl:all_reduce",
               56,
               10,
               R"("Input Dims": [[2600]], "Input type": ["float"])");
    EXPECT_THAT(RefusalOf(text.Text()), testing::HasSubstr("all-reduce 1 has 2600 elements"));
    EXPECT_EQ(ImportText(text.Text(), Lenient()).trace.Elements(), 2600U);
}

} // namespace inca
