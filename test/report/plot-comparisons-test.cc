/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot-rows.h"

#include "base/errors.h"
#include "report/plot-script.h"

#include <gmock/gmock.h>

namespace inca
{

namespace
{

using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

constexpr const char* g_header =
    "model,system,figure,unit,predicted,published_from,published_to,published_source\n";

CsvTable
Table(const std::string& rows)
{
    return ParseCsvTable("v.csv", g_header + rows);
}

} // namespace

TEST(PlotComparisons, AreToldByTheirColumns)
{
    EXPECT_TRUE(HoldsComparisons(Table("m,a,time,s,1,2,2,Table 1\n")));
    EXPECT_FALSE(HoldsComparisons(ParseCsvTable("x.csv", "workers,iteration_time_s\n2,1\n")));
}

/* The first figure of which something is published; what is predicted once stands there once. */
TEST(PlotComparisons, PutPredictedBesidePublished)
{
    const auto rows = RowsOfComparisons(Table("m,a,alone,s,9,,,\n"
                                              "m,a,time,s,1,2,2,Table 1\n"
                                              "m,a,time,s,1,3,3,text\n"
                                              "m,a,ratio,x,1,2,2,text\n"));
    EXPECT_EQ(rows.y, "time_s");
    EXPECT_THAT(rows.table.rows[0].fields, ElementsAre("m", "a", "predicted", "1", "", ""));
    EXPECT_THAT(rows.table.rows[1].fields,
                ElementsAre("m", "a", "published: Table 1", "2", "2", "2"));
    EXPECT_THAT(rows.table.rows[2].fields, ElementsAre("m", "a", "published: text", "3", "3", "3"));
    EXPECT_EQ(rows.table.rows.size(), 3U);
    EXPECT_THAT(rows.notes,
                ElementsAre("draws 'time'; --where \"figure = '...'\" draws another: ratio"));
    EXPECT_THAT([] { RowsOfComparisons(Table("m,a,time,s,1,,,\n")); },
                ThrowsMessage<InputError>(HasSubstr("v.csv: nothing to draw")));
}

/* A range of 10 to 20 % is a bar up to its middle, with its ends. Two bars share 0.8 of a place. What is
 * published has 0.4 of the colour of what is predicted. */
TEST(PlotComparisons, DrawBars)
{
    const auto rows = RowsOfComparisons(Table("m,a,cut,%,12,10,20,text\n"
                                              "m,b,cut,%,30,40,40,text\n"));
    EXPECT_THAT(rows.notes, IsEmpty());
    PlotRequest request;
    request.y = rows.y;
    const auto files = ScriptOf(CollectPlot(rows.table, rows.names, request), PictureForm::SVG);
    EXPECT_THAT(files.script, HasSubstr("set ylabel 'cut (%)'"));
    EXPECT_THAT(files.script,
                ContainsRegex("solid 1 .* fillcolor rgb '#0072B2' title 'predicted'"));
    EXPECT_THAT(files.script,
                ContainsRegex("solid 0.4 .* fillcolor rgb '#0072B2' title 'published'"));
    EXPECT_THAT(files.data, HasSubstr("\n-0.2 12 12 12\n0.8 30 30 30\n"));
    EXPECT_THAT(files.data, HasSubstr("\n0.2 15 10 20\n1.2 40 40 40\n"));
}

} // namespace inca
