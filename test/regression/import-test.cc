/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What once went wrong in import/.
#include "import/import-text.h"
#include "import/torch-text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

// -- byte order mark hides a format
/* Files that an editor of another system had saved looked like nothing that can be imported. */
TEST(ByteOrderMarkHidesAFormat, IsSkipped)
{
    const std::string mark = "\xef\xbb\xbf";
    EXPECT_EQ(RefusalOf(mark + "DATA\r\n1\r\nfc -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 4 1\r\n"), "");
    EXPECT_EQ(
        RefusalOf(mark +
                  R"({"schema": "1.0.1", "nodes": [{"name": "torch::autograd::AccumulateGrad", )"
                  R"("id": 9, "input_shapes": [[4, 5]]}]})"),
        "");
}

// -- gradients that do not add up are taken
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
    EXPECT_THAT(RefusalOf(text.Text()),
                testing::HasSubstr("2600 elements, the gradients before them 200"));
    EXPECT_EQ(ImportText(text.Text(), Lenient()).trace.Elements(), 2600U);
}

// -- options without a use are ignored
/* `inca trace import workload.txt --group 5` imported as if nothing had been asked. */
TEST(OptionsWithoutAUseAreIgnored, AreRefused)
{
    const std::string workload = "DATA\n1\nfc -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 4 1\n";
    const std::string collectives =
        R"({"schema": "1.0.1", "nodes": [{"id": 2, "name": "record_param_comms", "attrs": [)"
        R"({"name": "collective_name", "value": "allreduce"}, {"name": "dtype", "value": "Float"}, )"
        R"({"name": "in_msg_nelems", "value": 10}, {"name": "pg_name", "value": "5"}]}]})";
    ImportOptions group;
    group.group = "5";
    EXPECT_EQ(RefusalOf(collectives, group), "");
    ImportOptions unit;
    unit.timeUnit = "us";
    EXPECT_EQ(RefusalOf(workload, unit), "");
    EXPECT_THAT(RefusalOf(collectives, unit), testing::HasSubstr("--time-unit:"));
}

// -- sparse gradients count as one value
/* An embedding's gradient without dimensions and type was taken for a scalar, so that the gradients of DLRM were
 * one value more than its all-reduces. A scalar has a type.                                               */
TEST(SparseGradientsCountAsOneValue, AreLeftOut)
{
    const std::string gradient = "torch::autograd::AccumulateGrad";
    KinetoText text;
    text.Range("ProfilerStep#1", 0, 300)
        .Node(40, 45, 1)
        .Operator(gradient, 46, 50, R"("Input Dims": [[]], "Input type": ["float"])")
        .Operator(gradient, 51, 55, R"("Input Dims": [[10]], "Input type": ["float"])")
        .AllReduce(56, 11)
        .Operator(gradient, 60, 65, R"("Input Dims": [[]], "Input type": [""])");
    const auto imported = ImportText(text.Text());
    EXPECT_EQ(imported.trace.Elements(), 11U);
    EXPECT_THAT(imported.report.Text(), testing::HasSubstr("1 x sparse gradient: of an embedding"));

    const auto node = [](int id, const std::string& shape, const std::string& type) {
        return R"({"name": "torch::autograd::AccumulateGrad", "id": )" + std::to_string(id) +
               R"(, "input_shapes": [)" + shape + R"(], "input_types": [")" + type + "\"]}";
    };
    const auto trace =
        ImportText(R"({"schema": "1.0.1", "nodes": [)" + node(1, "[10]", "Tensor(float)") + ", " +
                   node(2, "[]", "Tensor(nullptr (uninitialized))") + "]}");
    EXPECT_EQ(trace.trace.Elements(), 10U);
}

} // namespace inca
