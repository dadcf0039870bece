/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot.h"

#include "base/errors.h"

#include <gmock/gmock.h>

#include <regex>
#include <set>
#include <tuple>

namespace inca
{

namespace
{

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

const PlotNames g_ofLines{{"label", "workers", "bandwidth_gbps", "exchange"}, {}};

PlotFiles
Script(const std::string& csv,
       const PlotRequest& request = {},
       const std::vector<std::string>& crossovers = {})
{
    const auto table = ParseCsvTable("x.csv", csv);
    return ScriptOf(CollectPlot(table, g_ofLines, request), {"svg", false, "", crossovers, {}});
}

PlotRequest
Of(PlotKind kind)
{
    PlotRequest request;
    request.kind = kind;
    return request;
}

constexpr const char* g_lines = "label,status,bandwidth_gbps,iteration_time_s\n"
                                "a,done,10,0.004\n"
                                "a,done,100,0.002\n"
                                "b,done,10,0.002\n"
                                "b,done,100,0.004\n";

} // namespace

/* 10 to 100 Gbit/s is a decade: a logarithmic axis, with ticks at both. 2 ms is half of 4 ms: from zero to
 * 4 ms and 8 % more. */
TEST(PlotScript, DrawsLines)
{
    const auto files = Script(g_lines);
    EXPECT_EQ(files.picture, "plot.svg");
    EXPECT_THAT(files.script,
                AllOf(HasSubstr("linewidth 1.2 size 317,"),
                      HasSubstr("set output 'plot.svg'\n"),
                      HasSubstr("noenhanced"),
                      HasSubstr("set key at screen 0.5,"),
                      HasSubstr("set xlabel 'bandwidth (Gbit/s)'\n"),
                      HasSubstr("set ylabel 'iteration time (ms)'\n"),
                      HasSubstr("set logscale x\n"),
                      HasSubstr("set xtics ('10' 10, '100' 100)\n"),
                      Not(HasSubstr("logscale y")),
                      HasSubstr("set yrange [0:4.32]\n")));
    EXPECT_THAT(files.script, HasSubstr("plot 'plot.dat' index 0 using 1:2 with linespoints "));
    EXPECT_THAT(files.script, HasSubstr(" title 'a', \\\n     'plot.dat' index 1 using 1:2 "));
    EXPECT_THAT(files.script, Not(HasSubstr("vectors")));
    EXPECT_EQ(files.data,
              "# a: bandwidth (Gbit/s), iteration time (ms), 95 % from, to\n"
              "10 4 4 4\n"
              "100 2 2 2\n"
              "\n\n"
              "# b: bandwidth (Gbit/s), iteration time (ms), 95 % from, to\n"
              "10 2 2 2\n"
              "100 4 4 4\n");
}

/* 1, 2, 3: mean 2, deviation 1; Student's t of 2 degrees is 4.302653, over the root of 3: 2 +- 2.484138. */
TEST(PlotScript, DrawsTheIntervalsOfRepeatedPoints)
{
    const auto files = Script("workers,iteration_time_s,seed\n"
                              "2,1,1\n2,2,2\n2,3,3\n"
                              "4,2,1\n4,2,2\n4,2,3\n");
    EXPECT_THAT(files.data, HasSubstr("\n2 2 -0.484137712 4.48413771\n4 2 2 2\n"));
    EXPECT_THAT(files.script, HasSubstr("index 0 using 1:3:(0):($4-$3) with vectors heads"));
    EXPECT_THAT(files.script, HasSubstr("unset key\n")); // one line needs no name
}

/* Accuracies over training time, by themselves: a band from the least to the most of the seeds, and a dot where the mean
 * is 0.7 or more for the first time, at 4 s, where it is 0.75. What there is before the training sets no scale. */
TEST(PlotScript, DrawsCurvesWithTargets)
{
    const std::string csv = "label,seed,training_time_s,accuracy\n"
                            "ring,1,0,0.1\nring,2,0,0.1\n"
                            "ring,1,2,0.6\nring,2,2,0.7\n"
                            "ring,1,4,0.8\nring,2,4,0.7\n";
    const auto data = CollectPlot(ParseCsvTable("x.csv", csv), g_ofLines, {});
    EXPECT_EQ(data.kind, PlotKind::CURVE);
    const auto files = ScriptOf(data, {"svg", false, "", {}, {0.7}});
    EXPECT_THAT(files.data, HasSubstr("0 0.1 0.1 0.1\n2 0.65 0.6 0.7\n4 0.75 0.7 0.8\n"));
    EXPECT_THAT(
        files.script,
        AllOf(HasSubstr("set xlabel 'training time (s)'\n"),
              HasSubstr("using 1:3:4 with filledcurves"),
              HasSubstr("set arrow from graph 0, first 0.7 to graph 1, first 0.7 nohead"),
              HasSubstr("set label '' at 4,0.75 front point"),
              HasSubstr("set yrange [0.584:0.816]\n"))); // 0.6 to 0.8, and 8 % of that beyond
    const auto lines = CollectPlot(ParseCsvTable("x.csv", g_lines), g_ofLines, {});
    EXPECT_THAT(
        [&] {
            ScriptOf(lines, {"svg", false, "", {}, {0.7}});
        },
        ThrowsMessage<InputError>(
            HasSubstr("--target: curves come to targets; this is --kind line")));
}

/* (1, 4), (2, 1) and (3, 0.5) are beaten by none; (2.5, 2) is by (2, 1). Without a result there is no mark. */
TEST(PlotScript, DrawsALineThroughWhatNoneBeats)
{
    const std::string csv = "block_format,iteration_time_s,sum_vnmse\n"
                            "a,1,4\nb,2,1\nc,2.5,2\nd,3,0.5\ne,0.5,\n";
    PlotRequest request;
    request.kind = PlotKind::PARETO;
    const PlotNames names{{"block_format"}};
    const auto data = CollectPlot(ParseCsvTable("x.csv", csv), names, request);
    ASSERT_EQ(data.series.size(), 5U);
    const auto files = ScriptOf(data, {});
    EXPECT_THAT(files.data, HasSubstr("# no other one is better in both\n1 4\n2 1\n3 0.5\n"));
    EXPECT_THAT(files.script,
                AllOf(HasSubstr("with points"), HasSubstr("set xlabel 'iteration time (s)'\n")));
}

TEST(PlotScript, LeavesGapsWhereThereIsNoResult)
{
    const auto files =
        Script(std::string(g_lines) + "a,refused,50,\nb,refused,50,\na,failed,70,\n");
    EXPECT_THAT(files.data, HasSubstr("\n10 4 4 4\n50 NaN NaN NaN\n70 NaN NaN NaN\n100 2 2 2\n"));
    EXPECT_THAT(files.notes,
                ElementsAre("rows left out as failed: 1", "rows left out as refused: 2"));
}

/* a is 4 ms at 10 Gbit/s and 2 ms at 100, b the other way round: a box from there to there, and beyond 2 and 4 by 2 % of the
 * axis' 4.32 ms, 0.0864. What was not simulated between them is not said. */
TEST(PlotScript, MarksCrossovers)
{
    const auto files = Script(g_lines, {}, {"a,b"});
    EXPECT_THAT(files.script,
                AllOf(HasSubstr("set object rectangle from 10,1.9136 to 100,4.0864 front "),
                      HasSubstr("set label 'a and b cross between 10 and 100 Gbit/s' at screen ")));
    EXPECT_THAT(files.crossings, ElementsAre("a and b cross between 10 and 100 Gbit/s"));
    EXPECT_THAT(files.notes, ElementsAre());
    const auto none = Script("label,bandwidth_gbps,iteration_time_s\n"
                             "a,10,1\na,20,1\nb,10,2\nb,20,2\n",
                             {},
                             {"a,b"});
    EXPECT_THAT(none.notes, ElementsAre("a and b do not cross in this picture"));
}

/* They are equal at 5, and have changed sides after it; lines that only touch, or are one, have not. */
TEST(PlotScript, MarksNoTouching)
{
    const std::vector<std::pair<std::vector<int>, bool>> lines{
        {{1, 3, 9, 2, 3, 4}, true}, {{1, 3, 1, 2, 3, 4}, false}, {{1, 2, 3, 1, 2, 3}, false}};
    for (const auto& [y, crosses] : lines)
    {
        std::string csv = "label,workers,iteration_time_s\n";
        for (std::size_t i = 0; i < y.size(); ++i)
        {
            csv += (i < 3 ? "a," : "b,") + std::to_string(i % 3 * 5) + "," + std::to_string(y[i]) +
                   "\n";
        }
        const auto files = Script(csv, {}, {"a,b"});
        EXPECT_EQ(files.notes.empty(), crosses) << csv;
        EXPECT_EQ(files.crossings,
                  crosses ? std::vector<std::string>{"a and b cross between 0 and 10"}
                          : std::vector<std::string>())
            << csv;
    }
}

/* Two series share 0.8 of each place: 0.4 each, 0.2 to the left and right of its centre. */
TEST(PlotScript, DrawsBars)
{
    const auto files = Script(g_lines, Of(PlotKind::BAR));
    EXPECT_THAT(files.data, HasSubstr("\n-0.2 4 4 4\n0.8 2 2 2\n"));
    EXPECT_THAT(files.data, HasSubstr("\n0.2 2 2 2\n1.2 4 4 4\n"));
    EXPECT_THAT(files.script,
                AllOf(HasSubstr("set xtics scale 0 ('10' 0, '100' 1)\n"),
                      HasSubstr("set xlabel 'bandwidth (Gbit/s)'\n"),
                      HasSubstr("set yrange [0:4.32]\n"),
                      HasSubstr("using 1:2:($1-0.2):($1+0.2):(0):2 with boxxyerror")));
}

/* Parts that nobody has, here the copy, are not in the legend. 1 + 2 = 3 s of one, 1 + 1 = 2 s of the other. */
TEST(PlotScript, DrawsStacks)
{
    const auto files = Script("exchange,forward_s,copy_s,communication_s\n"
                              "ring,1,0,2\n"
                              "star,1,0,1\n",
                              Of(PlotKind::STACK));
    EXPECT_THAT(files.script,
                AllOf(HasSubstr("set ylabel 'time per iteration (s)'\n"),
                      Not(HasSubstr("\nset label")),
                      HasSubstr("set xtics scale 0 ('ring' 0, 'star' 1)\n"),
                      HasSubstr("title 'forward'"),
                      Not(HasSubstr("copy")),
                      HasSubstr("title 'communication'")));
    EXPECT_EQ(files.data,
              "# forward: place, time per iteration (s), from, to\n0 1 0 1\n1 1 0 1\n\n\n"
              "# communication: place, time per iteration (s), from, to\n0 2 1 3\n1 1 1 2\n");
}

TEST(PlotScript, NamesStacksByPlaceAndSeries)
{
    const auto files = Script("status,bandwidth_gbps,exchange,forward_s\n"
                              "done,10,ring,5\ndone,10,star,4\ndone,25,ring,2\nrefused,25,star,\n",
                              Of(PlotKind::STACK));
    EXPECT_THAT(files.script,
                AllOf(HasSubstr("'10 Gbit/s, ring' 0, '10 Gbit/s, star' 1, '25 Gbit/s, ring' 2, "
                                "'25 Gbit/s, star' 3)\n"),
                      HasSubstr("set yrange [0:5.4]\n")));
    EXPECT_THAT(files.notes, ElementsAre("rows left out as refused: 1"));
}

/* Workers grow upwards: those of the first rows are above. */
TEST(PlotScript, DrawsHeat)
{
    const auto files = Script("status,workers,bandwidth_gbps,iteration_time_s\n"
                              "done,4,10,3\ndone,4,25,1\ndone,4,40,1\n"
                              "done,2,10,6\nrefused,2,25,\ndone,2,40,1\n",
                              Of(PlotKind::HEAT));
    EXPECT_THAT(files.script,
                AllOf(HasSubstr("set xtics scale 0 ('10' 0, '25' 1, '40' 2)\n"),
                      HasSubstr("set ytics scale 0 ('2' 0, '4' 1)\n"),
                      HasSubstr("set ylabel 'workers'\n"),
                      HasSubstr("set label 'cells: iteration time (s)' at screen"),
                      HasSubstr("with boxxyerror")));
    EXPECT_THAT(files.data, HasSubstr("(s)\n0 0 6\n2 0 1\n0 1 3\n1 1 1\n2 1 1\n"));
}

/* 1 to 20 s is more than a decade: 4 % of it more at both ends, 20^0.04 = 1.1273, and ticks at 1, 2, 5, 10 and 20. */
TEST(PlotScript, DrawsHeatOverADecadeOnALogarithmicScale)
{
    const auto files =
        Script("workers,bandwidth_gbps,iteration_time_s\n2,10,20\n2,25,1\n4,10,2\n4,25,1\n",
               Of(PlotKind::HEAT));
    EXPECT_THAT(files.script,
                HasSubstr("set logscale cb\nset cbrange [0.887071855:22.5460879]\n"
                          "set cbtics ('1' 1, '2' 2, '5' 5, '10' 10, '20' 20)\n"));
}

/* The largest gain is 4: from a quarter to four, and 1 in the middle. Every cell says what it is. */
TEST(PlotScript, CentresGainsOnOne)
{
    auto request = Of(PlotKind::HEAT);
    request.y = "gain";
    const auto files =
        Script("workers,bandwidth_gbps,gain\n2,10,4\n2,25,1\n4,10,0.5\n4,25,1\n", request);
    EXPECT_THAT(files.script,
                AllOf(HasSubstr("set logscale cb\nset cbrange [0.25:4]\n"),
                      HasSubstr("set cbtics ('0.25' 0.25, '1' 1, '4' 4)\n"),
                      HasSubstr("using 1:2:(sprintf($3<10?'%.2g':'%.0f',$3)) with labels"),
                      HasSubstr("0.5 '#F7F7F7'")));
}

/* Two panels of two columns' width, below one legend. 7 inches are 672 points of 96 to an inch. The first names the axis of
 * values, and is wider by a line of text, 0.175 inches: the second begins at (1 + 0.175 / 7) / 2. A series that the first
 * lacks is in the legend, too. */
TEST(PlotScript, DrawsPanels)
{
    PlotRequest request;
    request.panels = "workers";
    const auto data =
        CollectPlot(ParseCsvTable("x.csv",
                                  "exchange,workers,bandwidth_gbps,iteration_time_s\n"
                                  "ring,2,10,1\nring,2,20,2\nring,4,10,3\nring,4,20,4\n"
                                  "star,4,10,4\nstar,4,20,3\n"),
                    g_ofLines,
                    request);
    const auto files = ScriptOf(data, {"svg", true, "Title", {"ring,star"}, {}});
    EXPECT_THAT(files.script,
                AllOf(HasSubstr("size 672,"),
                      HasSubstr("set label 'Title' at screen 0.5,"),
                      HasSubstr("set title '2 workers'\nplot 'plot.dat' index 0 using 1:2 "),
                      HasSubstr("keyentry with linespoints linecolor rgb '#E69F00'"),
                      HasSubstr("unset ylabel\nset origin 0.5125,"),
                      HasSubstr("set title '4 workers'\nset object rectangle from 10,")));
    EXPECT_THAT(files.data, HasSubstr("# 4 workers; star: bandwidth (Gbit/s)"));
    EXPECT_THAT(files.crossings,
                ElementsAre("4 workers: ring and star cross between 10 and 20 Gbit/s"));
    EXPECT_THAT(files.notes, ElementsAre("2 workers: ring and star do not cross in this picture"));
}

/* With two models, a heat map has two panels. */
TEST(PlotScript, DrawsHeatInPanels)
{
    PlotRequest request;
    request.panels = "exchange";
    request.kind = PlotKind::HEAT;
    const auto files = Script("exchange,workers,bandwidth_gbps,iteration_time_s\n"
                              "ring,2,10,1\nring,2,20,2\nring,4,10,3\nring,4,20,4\n"
                              "star,2,10,4\nstar,2,20,3\nstar,4,10,2\nstar,4,20,1\n",
                              request);
    EXPECT_THAT(files.script,
                AllOf(HasSubstr("set title 'ring'\n"), HasSubstr("set title 'star'\n")));
    EXPECT_THAT(files.data, HasSubstr("(s)\n0 0 4\n1 0 2\n0 1 3\n1 1 1\n"));
}

/* The base of gains is the one system whose gains are all 1. */
TEST(PlotScript, SaysWhatGainsAreOver)
{
    const std::vector<std::pair<std::string, const char*>> gains{
        {"a,10,2\na,20,1\nring,10,1\nring,20,1\n", "set ylabel 'gain over ring'\n"},
        {"a,10,1\na,20,1\nring,10,1\nring,20,1\n", "set ylabel 'gain'\n"},
        {"a,10,2\na,20,1\n", "set ylabel 'gain'\n"}};
    for (const auto& [rows, label] : gains)
    {
        EXPECT_THAT(Script("label,bandwidth_gbps,gain\n" + rows, {"", "gain", "", "", {}}).script,
                    HasSubstr(label));
    }
}

/* As many series as there may be: no two have the same colour, nor the same mark and dashes. */
TEST(PlotScript, SetsAllSeriesApart)
{
    std::string csv = "label,workers,iteration_time_s\n";
    for (char name = 'a'; name < 'a' + 16; ++name)
    {
        csv += std::string(1, name) + ",2,1\n" + name + ",4,1\n";
    }
    const auto script = Script(csv).script;
    const std::regex line(
        "linespoints linecolor rgb ('#\\w+') linewidth 1.3 (dashtype \\d+ pointtype \\d+)");
    std::set<std::string> colours;
    std::set<std::string> styles;
    for (std::sregex_iterator found(script.begin(), script.end(), line), end; found != end; ++found)
    {
        colours.insert(found->str(1));
        styles.insert(found->str(2));
    }
    EXPECT_EQ(colours.size(), 16U);
    EXPECT_GE(styles.size(), 15U); // gnuplot has 15 marks
}

/* Names come from files that anybody may have written. In single quotes gnuplot's shell (`...`), its macros (@x) and backslashes mean nothing; a line feed would end the
 * text, and begin a command, as would a single quote. Of a name 40 characters (not bytes) are shown, and of
 * one at a tick 24. */
TEST(PlotScript, HoldsTextInQuotes)
{
    const auto accents = [](std::size_t count) {
        std::string text;
        for (std::size_t i = 0; i < count; ++i)
        {
            text += "é";
        }
        return text;
    };
    const std::vector<std::pair<std::string, std::string>> texts{
        {"`date` @x \\n \"\"q\"\" 5%", "'`date` @x \\n \"q\" 5%'"},
        {"a\nsystem x", "'a?system x'"},
        {"x' ; system('rm -rf /') # `id`", "'x’ ; system(’rm -rf /’) # `id`'"},
        {"a\\", "'a\\'"},
        {"\xff", "'?'"},
        {"'a' \"\"b\"\" `c` \\d $e @f", "'’a’ \"b\" `c` \\d $e @f'"},
        {accents(40), "'" + accents(40) + "'"},
        {accents(41), "'" + accents(39) + "…'"}};
    for (const auto& [text, quoted] : texts)
    {
        const auto files = Script("label,workers,iteration_time_s\n\"" + text + "\",2,1\n\"" +
                                  text + "\",4,1\nb,2,1\nb,4,1\n");
        EXPECT_THAT(files.script, HasSubstr(" title " + quoted + ", ")) << text;
    }
    EXPECT_THAT(Script("exchange,iteration_time_s\n50% of x,1\nstar,1\n").script,
                HasSubstr("set xtics scale 0 ('50%% of x' 0, 'star' 1)\n"));
    EXPECT_THAT(Script("exchange,iteration_time_s\n" + accents(25) + ",1\nstar,1\n").script,
                HasSubstr("set xtics scale 0 rotate by 90 right ('" + accents(23) + "…' 0, "));
}

/* 1.2 ms is the largest: the axis is in ms, of which a second has 1000. 26,214,400 = 25 * 1024^2; one byte more is of no power of
 * 1024. */
TEST(PlotAxis, IsInTheUnitOfItsLargestValue)
{
    const std::vector<std::tuple<const char*, std::vector<double>, const char*, double>> axes{
        {"iteration_time_s", {0.0006, 0.0012}, "iteration time (ms)", 1000},
        {"iteration_time_s", {12}, "iteration time (s)", 1},
        {"bandwidth_gbps", {10, 400}, "bandwidth (Gbit/s)", 1},
        {"bandwidth_gbps", {0.1}, "bandwidth (Mbit/s)", 1000},
        {"latency_us", {1, 10}, "latency (us)", 1},
        {"sum_rate_bytes_per_s", {8.4e9}, "sum rate (GB/s)", 1e-9},
        {"samples_per_s", {5000}, "samples (1/s)", 1},
        {"engine_clock_mhz", {100}, "engine clock (MHz)", 1},
        {"workers", {5000}, "workers", 1},
        {"bucket_bytes", {26'214'400}, "bucket (MiB)", 1.0 / (1024 * 1024)},
        {"bucket_bytes", {26'214'401}, "bucket (MB)", 1e-6},
    };
    for (const auto& [column, values, title, factor] : axes)
    {
        EXPECT_EQ(UnitFor(column, values).title, title);
        EXPECT_DOUBLE_EQ(UnitFor(column, values).factor, factor) << title;
    }
}

TEST(PlotAxis, NamesWhatStandsAlone)
{
    const std::vector<std::tuple<const char*, const char*, const char*>> names{
        {"label", "4", "4"},
        {"exchange", "ring", "ring"},
        {"workers", "4", "4 workers"},
        {"bandwidth_gbps", "25", "25 Gbit/s"},
        {"overlap", "true", "overlap: true"}};
    for (const auto& [column, text, name] : names)
    {
        EXPECT_EQ(ValueName(column, text), name);
    }
}

/* 0.11 to 1.9 is more than a decade: logarithmic, with 4 % of room, (1.9 / 0.11)^0.04 = 1.1207, at both ends; bars are only over
 * two, 100^0.04 = 1.2023. 0.2 is near zero
 * against 1: from zero, with 8 % of room above. 0.5 of 0.6 is not: from 8 % of 0.1 below; bars always begin at zero. */
TEST(PlotAxis, IsLogarithmicOrFromZeroAsItsValuesAre)
{
    const std::vector<std::tuple<std::vector<double>, bool, bool, double, double>> scales{
        {{0.11, 1.9}, false, true, 0.098152, 2.129355},
        {{0.2, 1}, false, false, 0, 1.08},
        {{0.5, 0.6}, false, false, 0.492, 0.608},
        {{2, 2}, false, false, 0, 2.16},
        {{0}, false, false, 0, 1},
        {{0.5, 0.6}, true, false, 0, 0.648},
        {{1, 50}, true, false, 0, 54},
        {{1, 100}, true, true, 0.831764, 120.226443},
    };
    for (const auto& [values, ofBars, isLog, least, most] : scales)
    {
        const auto scale = ValueScale(values, ofBars);
        EXPECT_EQ(scale.isLog, isLog) << most;
        EXPECT_NEAR(scale.least, least, 1e-6) << most;
        EXPECT_NEAR(scale.most, most, 1e-6);
        EXPECT_NEAR(scale.ShareOf(scale.At(0.3)), 0.3, 1e-12);
    }
    EXPECT_THAT(ValueScale({0.11, 1.9}).ticks,
                testing::Pointwise(testing::DoubleNear(1e-12), {0.1, 0.2, 0.5, 1.0, 2.0}));
}

/* Eight doublings: ticks are 1/7 of 1/1.08 of the length apart. 10 and 11 of 10 to 90 are too near. */
TEST(PlotAxis, HasTicksWhereWasSimulated)
{
    const auto doublings = PlaceScale({2, 4, 8, 16, 32, 64, 128, 256});
    EXPECT_TRUE(doublings.isLog);
    EXPECT_THAT(doublings.ticks, ElementsAre(2, 4, 8, 16, 32, 64, 128, 256));
    const auto few = PlaceScale({10, 20});
    EXPECT_FALSE(few.isLog);
    EXPECT_DOUBLE_EQ(few.least, 9.6);
    EXPECT_DOUBLE_EQ(few.most, 20.4);
    EXPECT_TRUE(PlaceScale({10, 11, 90}).ticks.empty());
    const auto one = PlaceScale({4});
    EXPECT_LT(one.least, one.most);
}

} // namespace inca
