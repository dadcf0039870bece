/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/import-text.h"
#include "import/torch-text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

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
