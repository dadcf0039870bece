/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot-data.h"
#include "report/plot-script.h"

#include <gmock/gmock.h>

namespace inca
{

namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* g_csv = "label,workers,iteration_time_s\n"
                              "2018,2,1\n2018,4,2\n2024,2,3\n2024,4,4\n2025,2,5\n2025,4,6\n";

const PlotNames g_names{{"label", "workers"}, {}};

PlotData
Data(const PlotRequest& request)
{
    return CollectPlot(ParseCsvTable("x.csv", g_csv), g_names, request);
}

} // namespace

/* There are three labels and two numbers of workers: labels were the axis, as if they were years. */
TEST(LabelsOfDigits, SetSeriesApart)
{
    const auto data = Data({});
    EXPECT_EQ(data.xColumn, "workers");
    EXPECT_EQ(data.series.size(), 3U);
    EXPECT_EQ(data.series.front().name, "2018");
}

TEST(LabelsOfDigits, AreNamesOnAnAxis)
{
    PlotRequest request;
    request.x = "label";
    EXPECT_EQ(Data(request).kind, PlotKind::BAR);
    request.kind = PlotKind::HEAT;
    request.x = "workers";
    EXPECT_THAT(
        ScriptOf(Data(request), {}).script,
        HasSubstr(
            "set ytics scale 0 ('2025' 0, '2024' 1, '2018' 2)")); // the first above, as names are
}

} // namespace inca
