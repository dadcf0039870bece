/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/text-table.h"

#include "report/sweep-table.h"

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

namespace
{

const Coordinates g_point{"cluster.bandwidth=10Gbps", "cluster.workers=4"};

} // namespace

/* Communication is over all measured iterations: 1 s of 2 makes 500 ms each. */
TEST(SweepTable, ReadsLikeThis)
{
    RunRecord record;
    record.results.measuredIterations = 2;
    record.results.iterationTimePs = 1'500'000'000'000;
    record.results.shares.communicationPs = 1'000'000'000'000;
    record.results.aggregationThroughputGbps = 1.955;
    record.results.limitedBy = "link";
    const SweepTable table({g_point});
    EXPECT_EQ(table.Header() + table.Line(g_point, RowOf(record)),
              "bandwidth          workers                   iteration   communication"
              "     agg. Gbit/s      limited by\n"
              "10Gbps             4                           1.500 s        500.0 ms"
              "            1.96            link\n");
}

TEST(SweepTable, ShowsGainsWhereSomeAreAskedFor)
{
    RunRecord record;
    record.results.gain = Gain{2.125, "ring"};
    const SweepTable table({g_point}, true);
    EXPECT_EQ(table.Header().substr(table.Header().find("limited")),
              "limited by            gain   gain, 16 bits\n");
    const auto line = table.Line(g_point, RowOf(record));
    EXPECT_EQ(line.substr(line.size() - 33), "            2.12               -\n");
}

TEST(SweepTable, APointWithoutResultsHasItsStatus)
{
    const SweepTable table({g_point});
    EXPECT_EQ(table.Line(g_point, HeadCells({"", 1, "refused", {"why"}})),
              "10Gbps             4                           refused\n");
}

/* 25 characters are more than a column's usual 18. */
TEST(SweepTable, IsAsWideAsItsNames)
{
    const SweepTable table({{"label=ring"}, {"label=ring + inceptionn 2^-10 x"}});
    EXPECT_EQ(table.Header().find("       iteration"), 26U); // and a space
}

TEST(SweepTable, ShowsWhatRepeatedRunsSay)
{
    const SweepTable table({g_point});
    const Row summary{{"runs", "4"},
                      {"iteration_time_mean_s", "1.5"},
                      {"iteration_time_sd_s", "0.25"},
                      {"iteration_time_low95_s", "1.102"},
                      {"iteration_time_high95_s", "1.898"}};
    EXPECT_EQ(table.SummaryHeader() + table.SummaryLine(g_point, summary),
              "bandwidth          workers                        runs       iteration"
              "       deviation       95 % from              to\n"
              "10Gbps             4                                 4         1.500 s"
              "        250.0 ms         1.102 s         1.898 s\n");
}

} // namespace inca
