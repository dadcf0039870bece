/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/text-table.h"

#include <gmock/gmock.h>

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

TEST(WrapText, BreaksAtBlanks)
{
    EXPECT_THAT(WrapText("one two three", 7), testing::ElementsAre("one two", "three"));
    EXPECT_THAT(WrapText("one two three", 6), testing::ElementsAre("one", "two", "three"));
    EXPECT_THAT(WrapText("unbreakable x", 3), testing::ElementsAre("unbreakable", "x"));
    EXPECT_THAT(WrapText("", 3), testing::ElementsAre(""));
}

TEST(FormatListing, AlignsColumns)
{
    EXPECT_EQ(FormatListing({{"a", "", "first"}, {"bcd", "", "second"}}, 0),
              "  a    first\n"
              "  bcd  second\n");
    EXPECT_EQ(FormatListing({}, 0), "");
}

/* 2 + 7 + 2 characters stand before the last column, so 28 of 39 are left for it. */
TEST(FormatListing, WrapsItsLastColumn)
{
    EXPECT_EQ(FormatListing({{"keyword", "a meaning of more than thirty characters"}}, 39),
              "  keyword  a meaning of more than\n"
              "           thirty characters\n");
}

TEST(FormatListing, GivesUpColumnsWhereLittleIsLeft)
{
    EXPECT_EQ(FormatListing({{"keyword", "1", "a meaning of more than thirty characters"}}, 30),
              "  keyword  1\n"
              "      a meaning of more than\n"
              "      thirty characters\n");
}

} // namespace inca
