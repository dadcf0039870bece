/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/printable.h"

#include <gtest/gtest.h>

namespace inca
{

TEST(Printable, ShowsNothingThatMovesACursor)
{
    EXPECT_EQ(Printable("a\x1b[2J\n\x7f z"), "a?[2J?? z");
    EXPECT_EQ(Printable("gr\xc3\xb6\xc3\x9f"
                        "e"),
              "gr\xc3\xb6\xc3\x9f"
              "e");
}

/* U+009B is what ESC [ is to a terminal that takes such, U+00A0 a space; a byte alone is no letter. */
TEST(Printable, ShowsNoHighControlsAndNoStrayBytes)
{
    EXPECT_EQ(Printable("\xc2\x9b"
                        "2J\xc2\xa0\x9b\xff"),
              "?2J\xc2\xa0??");
}

TEST(Printable, LinesKeepTheirFeeds)
{
    EXPECT_EQ(PrintableLines("a\n\x1b\n\nb"), "a\n?\n\nb");
    EXPECT_EQ(PrintableLines("a\n"), "a\n");
}

TEST(Printable, AsciiHasNoOtherLetters)
{
    EXPECT_EQ(PrintableAscii("a\x1b~\xc3\xb6 z"), "a?~?? z");
}

} // namespace inca
