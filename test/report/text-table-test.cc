/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/text-table.h"

#include <gtest/gtest.h>

namespace inca
{

TEST(TextTable, WordsBeginAndNumbersEndTogether)
{
    TextTable table({"name", "class", "size"}, 2);
    table.AddRow({"alexnet", "-", "7"});
    table.AddRow({"hdc", "derived", "12345"});
    EXPECT_EQ(table.Text(),
              "name     class     size\n"
              "alexnet  -            7\n"
              "hdc      derived  12345\n");
}

TEST(TextTable, LinesHaveNoBlanksAtTheirEnds)
{
    TextTable table({"a", "b"}, 2);
    table.AddRow({"1", ""});
    EXPECT_EQ(table.Text(), "a  b\n1\n");
}

} // namespace inca
