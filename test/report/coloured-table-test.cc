/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/coloured-table.h"

#include <gtest/gtest.h>

namespace inca
{

TEST(ColouredTable, EndsBeforeTheLineDoes)
{
    EXPECT_EQ(Coloured("refused\n", TableColour::BAD), "\x1b[1;31mrefused\x1b[0m\n");
    EXPECT_EQ(Coloured("ok", TableColour::GOOD), "\x1b[32mok\x1b[0m");
}

TEST(ColouredTable, OfARunHasHeadingsBarsAndWarnings)
{
    EXPECT_EQ(ColouredRunTable("tensor, ring\n\n  time   1 s\n"
                               "\nwhere the time goes\n  sum   1 s   50.0 %  ###\n"
                               "\nwarnings\n  50 %  ## of it\n"),
              "\x1b[1mtensor, ring\x1b[0m\n\n  time   1 s\n"
              "\n\x1b[1mwhere the time goes\x1b[0m\n  sum   1 s   50.0 %  \x1b[36m###\x1b[0m\n"
              "\n\x1b[33mwarnings\x1b[0m\n\x1b[33m  50 %  ## of it\x1b[0m\n");
}

TEST(ColouredTable, OfAValidationHasVerdicts)
{
    EXPECT_EQ(ColouredValidation("alexnet\n"
                                 "    WA   1 s   1 s   -3.0 %    5 %  ok    printed\n"
                                 "    WA   1 s   2 s   -50.0 %    5 %  MISS  printed"),
              "\x1b[1malexnet\x1b[0m\n"
              "    WA   1 s   1 s   -3.0 %    5 %  \x1b[32mok\x1b[0m    printed\n"
              "    WA   1 s   2 s   -50.0 %    5 %  \x1b[1;31mMISS\x1b[0m  printed");
}

} // namespace inca
