/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/warning.h"

#include <gmock/gmock.h>

namespace inca
{

TEST(Warnings, AreToldByTopicAndInTheirOrder)
{
    const Warnings warnings{{WarningTopic::SIZES, "d"},
                            {WarningTopic::NETWORK, "b"},
                            {WarningTopic::IDLE_KEYS, "a"},
                            {WarningTopic::NETWORK, "c"}};
    EXPECT_THAT(TextsOf(warnings), testing::ElementsAre("a", "b", "c", "d"));
    EXPECT_THAT(TextsOf({}), testing::IsEmpty());
}

} // namespace inca
