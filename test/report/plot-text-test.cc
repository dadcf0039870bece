/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot-text.h"

#include <gtest/gtest.h>

namespace inca
{

/* gnuplot knows one escape in single quotes: two for one. Its shell's `...`, its macros @x and backslashes
 * mean nothing there. A line feed would end the text, and begin a command. */
TEST(PlotText, IsOnlyText)
{
    EXPECT_EQ(Quoted("it's `date` @x \\n \"q\" 5%"), "'it''s `date` @x \\n \"q\" 5%'");
    EXPECT_EQ(Quoted("a\nsystem 'x'"), "'a?system ''x'''");
    EXPECT_EQ(Quoted("a\\"), "'a\\'");
    EXPECT_EQ(Quoted("\xff"), "'?'");
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
