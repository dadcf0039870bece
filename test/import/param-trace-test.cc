/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/import-text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

/* Sizes are elements. The last gradient is the first layer. */
TEST(ParamTrace, TakesGradientsAndListsTheRest)
{
    const auto imported = ImportText(
        R"([{"comms": "init", "pg_id": 0, "world_size": 16},)"
        R"({"compute": "gemm", "count": 1, "mm_dim": 1024, "dtype": "float32"},)"
        R"({"comms": "all_reduce", "in_msg_size": 1000, "dtype": "bfloat16", "world_size": 16, "pg_id": 0},)"
        R"({"comms": "all_to_allv", "in_msg_size": 50, "dtype": "float32", "pg_id": 1},)"
        R"({"comms": "all_reduce", "in_msg_size": 3000, "dtype": "bfloat16", "world_size": 16, "pg_id": 0},)"
        R"({"comms": "wait", "req": 1}])");
    ASSERT_EQ(imported.trace.layers.size(), 2U);
    EXPECT_EQ(imported.trace.layers[0].elements, 3000U);
    EXPECT_EQ(imported.trace.layers[1].elements, 1000U);
    EXPECT_EQ(imported.trace.gradientType, "bf16");
    EXPECT_EQ(imported.report.BytesIn(), 8000U);
    const auto text = imported.report.Text();
    EXPECT_THAT(text, testing::HasSubstr("1 x alltoallv, 200 B: expert parallel"));
    EXPECT_THAT(text, testing::HasSubstr("1 x computation gemm"));
    EXPECT_THAT(text, testing::HasSubstr("no times"));
    EXPECT_EQ(imported.trace.valueClass, "assumed");
}

TEST(ParamTrace, AsksWhichGroupIsDataParallel)
{
    const std::string text =
        R"([{"comms": "all_reduce", "in_msg_size": 10, "dtype": "float", "pg_id": 1},)"
        R"({"comms": "all_reduce", "in_msg_size": 20, "dtype": "float", "pg_id": 2}])";
    EXPECT_THAT(RefusalOf(text),
                testing::HasSubstr("--group says: '1' (1 of 40 B), '2' (1 of 80 B)"));
    ImportOptions options;
    options.group = "1";
    const auto imported = ImportText(text, options);
    EXPECT_EQ(imported.trace.Elements(), 10U);
    EXPECT_THAT(imported.report.Text(), testing::HasSubstr("1 x allreduce, 80 B"));
}

TEST(ParamTrace, RefusesWhatItDoesNotKnow)
{
    EXPECT_THAT(RefusalOf(R"([{"comms": "all_redcue", "in_msg_size": 1, "dtype": "float"}])"),
                testing::HasSubstr("file:1: [0].comms: unknown 'allredcue'"));
    EXPECT_THAT(RefusalOf(R"([{"comms": "all_reduce", "in_msg_size": 1, "dtype": "floaty"}])"),
                testing::HasSubstr("[0].dtype: unknown 'floaty'"));
    EXPECT_THAT(RefusalOf(R"([{"comms": "all_reduce", "in_msg_size": -1, "dtype": "float"}])"),
                testing::HasSubstr("[0].in_msg_size: must be from 0 on"));
    EXPECT_THAT(RefusalOf(R"([{"compute": "gemm"}, 7])"), testing::HasSubstr("[1]: neither"));
}

} // namespace inca
