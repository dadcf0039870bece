/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/sweep-table.h"

#include <gtest/gtest.h>

namespace inca
{

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

/* A point without a gain has a dash. */
TEST(SweepTable, ShowsGainsWhereTheyAreAskedFor)
{
    auto row = RowOf(RunRecord{});
    const SweepTable table({g_point}, true);
    EXPECT_EQ(table.Header().substr(table.Header().find("limited")),
              "limited by            gain\n");
    const auto last = [&table, &row] { return table.Line(g_point, row).substr(102); };
    EXPECT_EQ(last(), "               -\n");
    row.push_back({"gain", "2.125", false});
    EXPECT_EQ(last(), "            2.12\n");
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
