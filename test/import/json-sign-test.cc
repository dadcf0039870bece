/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/json-sign.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

TEST(JsonSign, SaysWhatAFileBeginsWith)
{
    const auto sign = SignOfJson(R"({"schemaVersion": 1, "traceEvents": [{"ph": )");
    ASSERT_TRUE(sign);
    EXPECT_FALSE(sign->isArray);
    EXPECT_THAT(sign->keys, testing::ElementsAre("schemaVersion", "traceEvents"));
    const auto list = SignOfJson(R"([{"comms": "all_reduce"}, {"x": 1}])");
    ASSERT_TRUE(list);
    EXPECT_TRUE(list->isArray);
    EXPECT_THAT(list->keys, testing::ElementsAre("comms"));
    EXPECT_FALSE(SignOfJson("hello"));
}

} // namespace inca
