/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/lines.h"

#include <gtest/gtest.h>

namespace inca
{

TEST(Lines, AreWithoutTheirEnds)
{
    EXPECT_EQ(Lines("a\n\nb\n"), (std::vector<std::string>{"a", "", "b"}));
    EXPECT_EQ(Lines("a\nb"), (std::vector<std::string>{"a", "b"}));
    EXPECT_TRUE(Lines("").empty());
}

} // namespace inca
