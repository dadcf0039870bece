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

TEST(Printable, AsciiHasNoOtherLetters)
{
    EXPECT_EQ(PrintableAscii("a\x1b~\xc3\xb6 z"), "a?~?? z");
}

} // namespace inca
