/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/text-listing.h"

#include <gmock/gmock.h>

namespace inca
{

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
