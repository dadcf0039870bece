/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/text.h"

#include <gtest/gtest.h>

#include <limits>

namespace inca
{

TEST(Text, WritesNumbersAsShortAsTheyReadBack)
{
    EXPECT_EQ(NumberText(3.0), "3");
    EXPECT_EQ(NumberText(0.1F), "0.1");
    EXPECT_EQ(NumberText(0.1), "0.1");
    EXPECT_EQ(NumberText(-7), "-7");
    EXPECT_EQ(NumberText(std::numeric_limits<double>::infinity()), "inf");
}

TEST(Text, JoinsWordsAndNumbers)
{
    EXPECT_EQ(Text("value ", 7U, " of ", std::string("layer")), "value 7 of layer");
    EXPECT_EQ(Text(), "");
}

TEST(Lines, AreWithoutTheirEnds)
{
    EXPECT_EQ(Lines("a\n\nb\n"), (std::vector<std::string>{"a", "", "b"}));
    EXPECT_EQ(Lines("a\nb"), (std::vector<std::string>{"a", "b"}));
    EXPECT_TRUE(Lines("").empty());
}

} // namespace inca
