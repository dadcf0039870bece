/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot-text.h"

#include <gtest/gtest.h>

namespace inca
{

/* In single quotes gnuplot's shell (`...`), its macros (@x) and backslashes mean nothing. A line feed would end
 * the text, and begin a command. */
TEST(PlotText, IsOnlyText)
{
    EXPECT_EQ(Quoted("`date` @x \\n \"q\" 5%"), "'`date` @x \\n \"q\" 5%'");
    EXPECT_EQ(Quoted("a\nsystem x"), "'a?system x'");
    EXPECT_EQ(Quoted("a\\"), "'a\\'");
    EXPECT_EQ(Quoted("\xff"), "'?'");
}

/* In octal a quote is 047, a double one 042, a backquote 140, a backslash 134, a dollar 044, an at 100. */
TEST(PlotText, WithQuotesIsOnlyText)
{
    EXPECT_EQ(Quoted("'a' \"b\" `c` \\d $e @f"),
              "\"\\047a\\047 \\042b\\042 \\140c\\140 \\134d \\044e \\100f\"");
}

TEST(PlotText, IsNoFormatAtATick)
{
    EXPECT_EQ(QuotedTick("5% of %g"), "'5%% of %%g'");
}

TEST(PlotText, IsCutBetweenCharacters)
{
    EXPECT_EQ(Shortened("ring", 4), "ring");
    EXPECT_EQ(Shortened("rings", 4), "rin…");
    EXPECT_EQ(Shortened("ééééé", 4), "ééé…");
    EXPECT_EQ(LengthOf("ééé…"), 4U);
}

} // namespace inca
