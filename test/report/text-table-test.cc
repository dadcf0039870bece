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

TEST(TableInk, EndsBeforeTheLineDoes)
{
    const TableInk ink(true);
    EXPECT_EQ(ink("refused\n", TableColour::BAD), "\x1b[1;31mrefused\x1b[0m\n");
    EXPECT_EQ(ink("ok", TableColour::GOOD), "\x1b[32mok\x1b[0m");
    EXPECT_EQ(TableInk()("ok\n", TableColour::GOOD), "ok\n");
}

} // namespace inca
