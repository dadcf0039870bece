/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/text-table.h"

#include "report/progress.h"
#include "report/sweep-table.h"
#include "report/trace-tables.h"
#include "trace/native-trace.h"

#include <gmock/gmock.h>

namespace inca
{

TEST(TextTable, WordsBeginAndNumbersEndTogether)
{
    TextTable table({"name", "class", "size"}, 2);
    table.AddRow({"alexnet", "-", "7"});
    table.AddRow({"hdc", "derived", "12345"});
    table.AddRow({"vgg", "", ""}); // without blanks at its end
    EXPECT_EQ(table.Text(),
              "name     class     size\n"
              "alexnet  -            7\n"
              "hdc      derived  12345\n"
              "vgg\n");
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

/* 2 + 7 + 2 characters stand before the last column, so 28 of 39 are left for it; less is never used. */
TEST(FormatListing, WrapsItsLastColumn)
{
    EXPECT_EQ(FormatListing({{"keyword", "a meaning of more than thirty characters"}}, 39),
              "  keyword  a meaning of more than\n"
              "           thirty characters\n");
    EXPECT_EQ(FormatListing({{"keyword", "1", "a meaning of more than thirty characters"}}, 30),
              "  keyword  1  a meaning of more than\n"
              "              thirty characters\n");
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

/* A point without a gain has a dash, one without results its status. 25 characters are more than a column's usual 18. */
TEST(SweepTable, ShowsGainsAndStatusesAndIsAsWideAsItsNames)
{
    auto row = RowOf(RunRecord{});
    const SweepTable table({g_point}, "ring");
    EXPECT_THAT(table.Header(), testing::EndsWith("limited by  gain over ring\n"));
    EXPECT_EQ(table.Line(g_point, row).substr(102), "               -\n");
    row.push_back({"gain", "2.125", false});
    EXPECT_EQ(table.Line(g_point, row).substr(102), "            2.12\n");
    const auto ofPreset = [&](const std::string& low, const std::string& high) {
        RunRecord ranged;
        ranged.results.iterationTimeRange = "between sizes";
        auto cells = RowOf(ranged);
        cells.insert(
            cells.end(),
            {{"gain", "2.125", false}, {"gain_low", low, false}, {"gain_high", high, false}});
        return table.Line(g_point, cells).substr(102);
    };
    EXPECT_EQ(ofPreset("1.5", "3"), "            2.12\n");
    EXPECT_EQ(ofPreset("0.9", "3"), "       undecided\n"); // it may be slower
    EXPECT_EQ(ofPreset("", ""), "       undecided\n");     // there is no range
    EXPECT_EQ(table.Line(g_point, HeadCells({"", 1, "refused", {"why"}})),
              "10Gbps             4                           refused\n");
    const SweepTable losing({g_point}, "a slow system", false, true);
    EXPECT_THAT(losing.Header(), testing::EndsWith("limited by  gain over a slow system  loses\n"));
    RunRecord lossy;
    lossy.results.loses = "cast: 2^-8 of each value";
    EXPECT_EQ(losing.Line(g_point, RowOf(lossy)).substr(102),
              std::string(24, ' ') + "-  cast: 2^-8 of each value\n");
    const SweepTable wide({{"label=ring"}, {"label=ring + inceptionn 2^-10 x"}});
    EXPECT_EQ(wide.Header().find("       iteration"), 26U); // and a space
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

/* A quarter took 10 s, so three quarters take 30 s. "100 %, 0 s left" is never said: who reads it still waits. Of less
 * than a second, or a hundredth, what was
 * expected is left, if anything was: of 42 s, 32 after 10. */
TEST(Progress, EstimatesTheTimeLeft)
{
    EXPECT_EQ(ProgressText("alexnet", 0.25, 10), "alexnet: 25 %, 30 s left");
    EXPECT_EQ(ProgressText("", 0.5, 90), "50 %, 1.5 min left");
    EXPECT_EQ(ProgressText("", 0.5, 9000), "50 %, 2.5 h left");
    EXPECT_EQ(ProgressText("", 0.5, 9.96), "50 %, 10 s left");
    EXPECT_EQ(ProgressText("", 0.9, 20), "90 %, 2.2 s left");
    EXPECT_EQ(ProgressText("", 0.996, 20), "99 %");
    EXPECT_EQ(ProgressText("", 1, 20), "99 %");
    EXPECT_EQ(ProgressText("", 2, 10), "99 %");
    EXPECT_EQ(ProgressText("", 0, 100), "0 %");
    EXPECT_EQ(ProgressText("", 0.009, 100), "0 %");
    EXPECT_EQ(ProgressText("", 0.5, 0.5), "50 %");
    EXPECT_EQ(ProgressText("run", 0.009, 10, 42), "run: 0 %, 32 s left");
    EXPECT_EQ(ProgressText("run", 0.009, 50, 42), "run: 0 %");
    EXPECT_EQ(ProgressText("run", 0.25, 10, 1), "run: 25 %, 30 s left");
}

TEST(Progress, OfASweepSaysHowManyRunsAndHowLong)
{
    EXPECT_EQ(RunsDoneText({3, 1, 40, 60}), "sweep: 3 of 40 done, 1 failed, 37 left, 1.0 min left");
    EXPECT_EQ(RunsDoneText({0, 0, 40, std::nullopt}), "sweep: 0 of 40 done, 0 failed, 40 left");
}

TEST(Progress, WritesNothingWhereThereIsNoTerminal)
{
    testing::internal::CaptureStderr(); // a file from here on
    {
        Progress progress("x");
        progress.Update(0.5);
        progress.Done();
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

namespace
{

GradientTrace
Example()
{
    return ParseTrace("#inca-trace v1\n"
                      "# model: Two\n"
                      "# class: measured\n"
                      "# stats_workers: 4\n"
                      "# remark: so\n"
                      "layer,elements,forward_ns,backward_ns,update_ns,aggregator_update_ns,"
                      "density,union_density,exponents,b8_w2,b8_w10,b8_w18,b8_w34\n"
                      "first,1048576,1000,2000,10,,0.1,0.3,0:0.9;117:0.1,,,,\n"
                      "second,3145728,500,1000.6,20,40,,,,0.5,0.5,0,0\n",
                      "two.csv");
}

} // namespace

TEST(TraceTables, ListHasALinePerTrace)
{
    EXPECT_EQ(TraceListText({Example()}),
              "name  model  device  class     layers  parameters       size\n"
              "two   Two    -       measured       2     4194304  16.00 MiB\n");
}

/* Totals: 1.5 us, 3.0006 us, 30 ns; an aggregator updates `first` in the worker's 10 ns, so 50 ns. Half of 2 and half of 10
 * bits are 6 bits, a ratio of 32 / 6. What nobody knows is left out. */
TEST(TraceTables, ReadLikeThis)
{
    auto trace = Example();
    EXPECT_EQ(TraceText(trace), R"(name           two
model          Two
source         -
class          measured
device         -
batch          -
gradient_type  fp32
stats_workers  4
remark         so

layer   elements       size   forward  backward    update  aggregator update
first    1048576  4.000 MiB  1.000 us  2.000 us  10.00 ns                  -
second   3145728  12.00 MiB  500.0 ns  1.001 us  20.00 ns           40.00 ns
total    4194304  16.00 MiB  1.500 us  3.001 us  30.00 ns           50.00 ns

encoded widths by error bound, tag included (published)
bound  of              2 b  10 b  18 b  34 b  mean width  ratio
2^-8   1 of 2 layers  50 %  50 %   0 %   0 %     6.000 b  5.333

non-zero values, of one worker and in union of 4
layer   density  union
first      10 %   30 %
second        -      -
)");
    for (auto& layer : trace.layers)
    {
        layer.statistics = {};
        layer.aggregatorUpdatePs.reset();
    }
    EXPECT_THAT(TraceText(trace),
                testing::EndsWith("\nremark         so\n\n"
                                  "layer   elements       size   forward  backward    update\n"
                                  "first    1048576  4.000 MiB  1.000 us  2.000 us  10.00 ns\n"
                                  "second   3145728  12.00 MiB  500.0 ns  1.001 us  20.00 ns\n"
                                  "total    4194304  16.00 MiB  1.500 us  3.001 us  30.00 ns\n"));
}

} // namespace inca
