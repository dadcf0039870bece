/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot-data.h"

#include "base/errors.h"
#include "report/plot-script.h"

#include <gmock/gmock.h>

namespace inca
{

namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

const PlotNames g_names{{"label", "workers", "exchange"}, {}};

PlotData
Collect(const std::string& csv, const PlotRequest& request = {})
{
    const auto table = ParseCsvTable("x.csv", csv);
    return CollectPlot(table, ChoosePlot(table, g_names, request));
}

constexpr const char* g_repeated = "status,workers,exchange,iteration_time_s,seed\n"
                                   "done,16,ring,5,1\n"
                                   "done,16,ring,7,2\n"
                                   "done,8,ring,3,1\n"
                                   "refused,8,star,,\n"
                                   "done,16,star,9,1\n"
                                   "failed,16,star,,2\n";

} // namespace

TEST(PlotData, HoldsTheRunsOfEachPoint)
{
    const auto data = Collect(g_repeated);
    EXPECT_THAT(data.xs, ElementsAre("8", "16"));
    ASSERT_EQ(data.series.size(), 2U);
    EXPECT_EQ(data.series[0].name, "ring");
    EXPECT_EQ(data.series[0].points.at(0).mean, 3);
    EXPECT_EQ(data.series[0].points.at(1).mean, 6); // between 5 and 7
    EXPECT_EQ(data.series[1].points.at(0).mean, std::nullopt);
    EXPECT_EQ(data.series[1].points.at(0).notDone, "refused");
    EXPECT_EQ(data.series[1].points.at(1).mean, 9);
    EXPECT_EQ(data.series[1].points.at(1).notDone, "failed");
    EXPECT_THAT(ScriptOf(data, PictureForm::SVG).script, HasSubstr("title 'failed, refused'"));
}

TEST(PlotData, NeverMixesWhatIsNoRepetition)
{
    EXPECT_THAT([] { Collect("workers,iteration_time_s,seed\n2,1,1\n4,1,1\n2,2,1\n"); },
                ThrowsMessage<InputError>(HasSubstr("x.csv:4: is at the same place as line 2")));
    EXPECT_THAT(
        [] {
            Collect("item,value\n1,1\n1,2\n", {"item", "value", "", {}});
        },
        ThrowsMessage<InputError>(HasSubstr("x.csv:3: is at the same place as line 2")));
}

TEST(PlotData, RefusesWhereThereIsNothingOrTooMuch)
{
    EXPECT_THAT([] { Collect("status,workers,iteration_time_s\nrefused,2,\nrefused,4,\n"); },
                ThrowsMessage<InputError>(HasSubstr("nothing to draw: no row is done")));
    EXPECT_THAT(
        [] {
            Collect("workers,exchange,iteration_time_s\n,ring,1\n2,star,\n4,star,\n",
                    {"workers", "", "", {}});
        },
        ThrowsMessage<InputError>(HasSubstr("no row has workers and iteration_time_s")));
    std::string many = "label,workers,iteration_time_s\n";
    for (int i = 0; i < 17; ++i)
    {
        many += "l" + std::to_string(i) + ",2,1\nl" + std::to_string(i) + ",4,1\n";
    }
    EXPECT_THAT(
        [&] {
            Collect(many, {"workers", "", "", {}});
        },
        ThrowsMessage<InputError>(HasSubstr("17 series, and no more than 16")));
}

} // namespace inca
