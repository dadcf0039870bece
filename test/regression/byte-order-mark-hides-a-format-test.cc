/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/import-text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

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
    EXPECT_THAT(RefusalOf("\xff\xfe"
                          "D"),
                testing::HasSubstr("is a text in UTF-16"));
}

} // namespace inca
