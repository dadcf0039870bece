/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/import-text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

/* A comm_size of -40 was taken for 2^64 - 40 bytes, and refused without a place, or not at all. */
TEST(NegativeSizesBecomeHugeGradients, IsRefused)
{
    const auto textOf = [](const std::string& size) {
        return R"({"version": "0.0.4"} {"id": "2", "type": "COMM_COLL_NODE", "attr": [)"
               R"({"name": "comm_type", "int64Val": "0"}, {"name": "comm_size", "int64Val": ")" +
               size + R"("}]})";
    };
    EXPECT_EQ(RefusalOf(textOf("40")), "");
    EXPECT_THAT(RefusalOf(textOf("-40")),
                testing::HasSubstr("file:1: node 2: comm_size: must be from 0 to 2^63, got -40"));
}

} // namespace inca
