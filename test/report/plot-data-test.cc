/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot.h"

#include "support/why-not.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace inca
{

namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const PlotNames g_names{{"label", "workers", "bandwidth_gbps", "aggregator_gbps", "exchange"},
                        {{"cluster.workers", "workers"}, {"cluster.bandwidth", "bandwidth_gbps"}}};

PlotData
Collect(const std::string& csv, const PlotRequest& request = {})
{
    return CollectPlot(ParseCsvTable("x.csv", csv), g_names, request);
}

const std::string g_grid = "workers,bandwidth_gbps,aggregator_gbps,exchange,iteration_time_s\n"
                           "4,10,,ring,1\n"
                           "4,25,,ring,1\n"
                           "4,40,,ring,1\n"
                           "4,10,10,star,2\n"
                           "4,25,25,star,2\n"
                           "4,40,40,star,2\n"
                           "8,10,10,star,2\n";

const std::string g_single = "workers,exchange,forward_s,sum_s,iteration_time_s\n4,ring,1,1,2\n";

/** A table of so many labels at two numbers of workers each. */
std::string
Labels(int count)
{
    std::string csv = "label,workers,iteration_time_s\n";
    for (int i = 0; i < count; ++i)
    {
        csv += fmt::format("l{0},2,1\nl{0},4,1\n", i);
    }
    return csv;
}

} // namespace

/* Three bandwidths are more than two numbers of workers. The aggregator's bandwidth says nothing where there
 * is none, and is the worker's elsewhere. */
TEST(PlotData, DrawsWhatVaries)
{
    const auto data = Collect(g_grid);
    EXPECT_EQ(data.kind, PlotKind::LINE);
    EXPECT_EQ(data.xColumn, "bandwidth_gbps");
    EXPECT_EQ(data.column, "iteration_time_s");
    EXPECT_THAT(data.seriesColumns, ElementsAre("workers", "exchange"));
}

TEST(PlotData, TakesKeysAndColumns)
{
    const auto data = Collect(g_grid, {"cluster.workers", "aggregator_gbps", "exchange", "", {}});
    EXPECT_EQ(data.xColumn, "workers");
    EXPECT_EQ(data.column, "aggregator_gbps");
    EXPECT_THAT(data.seriesColumns, ElementsAre("exchange", "bandwidth_gbps")); // varies, too
}

/* What has panels sets no series apart, and is no axis. 4 workers have three places, so 8 workers' first is the fourth. */
TEST(PlotData, HasAPanelForEachValue)
{
    PlotRequest request;
    request.panels = "cluster.workers";
    const auto data = Collect(g_grid, request);
    EXPECT_THAT(data.panels, ElementsAre("4 workers", "8 workers"));
    EXPECT_EQ(data.xColumn, "bandwidth_gbps");
    EXPECT_THAT(data.seriesColumns, ElementsAre("exchange"));
    ASSERT_EQ(data.series.size(), 2U);
    EXPECT_EQ(data.series[1].points.at(3).mean, 2);
    EXPECT_EQ(data.series[0].points.count(3), 0U);
}

/* A system is more than what sets it apart; what it sets is not said twice. */
TEST(PlotData, SetsSystemsApartByTheirNames)
{
    const auto data = Collect("label,workers,exchange,iteration_time_s\n"
                              "a,4,ring,1\nb,4,star,1\na,8,ring,1\nb,8,star,1\n");
    EXPECT_EQ(data.xColumn, "workers");
    EXPECT_THAT(data.seriesColumns, ElementsAre("label"));
}

/* Labels of digits are names: as if they were years, they became the axis, of which there are more than of workers. */
TEST(PlotData, DrawsBarsOverNames)
{
    const auto data = Collect("exchange,iteration_time_s\nring,1\nstar,2\n");
    EXPECT_EQ(data.kind, PlotKind::BAR);
    EXPECT_EQ(data.xColumn, "exchange");
    EXPECT_THAT(data.seriesColumns, IsEmpty());
    const std::string digits = "label,workers,iteration_time_s\n"
                               "2018,2,1\n2018,4,2\n2024,2,3\n2024,4,4\n2025,2,5\n2025,4,6\n";
    EXPECT_EQ(Collect(digits).xColumn, "workers");
    EXPECT_EQ(Collect(digits).series.front().name, "2018");
    PlotRequest request;
    request.x = "label";
    EXPECT_EQ(Collect(digits, request).kind, PlotKind::BAR);
    const auto heat = Collect(digits, {"workers", "", "", "", PlotKind::HEAT});
    EXPECT_THAT(ScriptOf(heat, {}).script, // the first above, as names are
                HasSubstr("set ytics scale 0 ('2025' 0, '2024' 1, '2018' 2)"));
}

TEST(PlotData, OfOneRowIsWhereItsTimeGoes)
{
    const auto data = Collect(g_single);
    EXPECT_EQ(data.kind, PlotKind::STACK);
    EXPECT_EQ(data.xColumn, "");
    ASSERT_EQ(data.series.size(), 2U);
    EXPECT_EQ(data.series[0].name, "forward");
    EXPECT_EQ(data.series[1].name, "sum");
}

TEST(PlotData, HoldsTheRunsOfEachPoint)
{
    const auto data = Collect("status,workers,exchange,iteration_time_s,seed\n"
                              "done,16,ring,5,1\ndone,16,ring,7,2\ndone,8,ring,3,1\n"
                              "refused,8,star,,\ndone,16,star,9,1\nfailed,16,star,,2\n");
    EXPECT_THAT(data.xs, ElementsAre("8", "16"));
    ASSERT_EQ(data.series.size(), 2U);
    EXPECT_EQ(data.series[0].name, "ring");
    EXPECT_EQ(data.series[0].points.at(0).mean, 3);
    EXPECT_EQ(data.series[0].points.at(1).mean, 6); // between 5 and 7
    EXPECT_EQ(data.series[1].points.at(0).mean, std::nullopt);
    EXPECT_EQ(data.series[1].points.at(1).mean, 9);
    EXPECT_THAT(data.notDone, ElementsAre(testing::Pair("failed", 1), testing::Pair("refused", 1)));
}

/* What a calibrated preset's intervals give is drawn as the range of a run, where there is one alone. */
TEST(PlotData, HasTheRangeOfAPreset)
{
    const auto data =
        Collect("workers,iteration_time_s,iteration_time_low_s,iteration_time_high_s\n"
                "4,10,9,12\n8,20,,\n");
    EXPECT_EQ(data.series[0].points.at(0).from, 9);
    EXPECT_EQ(data.series[0].points.at(0).to, 12);
    EXPECT_EQ(data.series[0].points.at(1).from, 20);
    EXPECT_EQ(data.series[0].points.at(1).to, 20);
    const auto gains =
        Collect("workers,gain,gain_low,gain_high\n4,2,1.5,3\n", {"workers", "gain", "", "", {}});
    EXPECT_EQ(gains.series[0].points.at(0).from, 1.5);
    EXPECT_EQ(gains.series[0].points.at(0).to, 3);
}

TEST(PlotData, RefusesWhatCannotBeDrawn)
{
    const auto refused = [](const std::string& csv, const PlotRequest& request) {
        return WhyNot([&] { Collect(csv, request); });
    };
    EXPECT_THAT(refused("item,value\n1,1\n1,2\n", {"item", "value", "", "", {}}),
                HasSubstr("x.csv:3: "));
    EXPECT_THAT(refused(Labels(17), {"workers", "", "", "", {}}),
                HasSubstr("--kind line has no room for 17 "));
    EXPECT_THAT(refused(Labels(25), {"label", "", "", "", PlotKind::HEAT}),
                HasSubstr("--kind heat has no room"));
}

/* There are three labels and two numbers of workers: labels were the axis, as if they were years. As names on an axis, the
 * first is above. */
TEST(PlotData, TakesLabelsOfDigitsForNames)
{
    const auto* csv = "label,workers,iteration_time_s\n"
                      "2018,2,1\n2018,4,2\n2024,2,3\n2024,4,4\n2025,2,5\n2025,4,6\n";
    const auto data = Collect(csv);
    EXPECT_EQ(data.xColumn, "workers");
    EXPECT_EQ(data.series.size(), 3U);
    EXPECT_EQ(data.series.front().name, "2018");
    PlotRequest request;
    request.x = "label";
    EXPECT_EQ(Collect(csv, request).kind, PlotKind::BAR);
    request.kind = PlotKind::HEAT;
    request.x = "workers";
    EXPECT_THAT(ScriptOf(Collect(csv, request), {}).script,
                HasSubstr("set ytics scale 0 ('2025' 0, '2024' 1, '2018' 2)"));
}

} // namespace inca
