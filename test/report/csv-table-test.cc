/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/csv-table.h"

#include "base/errors.h"
#include "report/plot.h"

#include <gmock/gmock.h>

namespace inca
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(CsvTable, HasWhatStandsInQuotes)
{
    const auto table = ParseCsvTable("x.csv", "a,b\r\n1,\"two, \"\"2\"\"\nlines\"\n\n3,4");
    EXPECT_THAT(table.columns, ElementsAre("a", "b"));
    ASSERT_EQ(table.rows.size(), 2U);
    EXPECT_THAT(table.rows[0].fields, ElementsAre("1", "two, \"2\"\nlines"));
    EXPECT_EQ(table.rows[0].line, 2U);
    EXPECT_THAT(table.rows[1].fields, ElementsAre("3", "4"));
    EXPECT_EQ(table.rows[1].line, 5U); // a record of two lines, and an empty one, before it
    EXPECT_EQ(table.Find("b"), 1U);
    EXPECT_EQ(table.Find("c"), std::nullopt);
}

TEST(CsvTable, SaysWhereItIsNone)
{
    EXPECT_THAT([] { ParseCsvTable("x.csv", "a,b\n1,2\n3\n"); },
                ThrowsMessage<InputError>("x.csv:3: has 1 fields, but the header has 2"));
    EXPECT_THAT([] { ParseCsvTable("x.csv", "a,b\n1,\"2\n"); },
                ThrowsMessage<InputError>(HasSubstr("x.csv:2: is no CSV: a quote is not closed")));
    EXPECT_THAT([] { ParseCsvTable("x.csv", "a,b\n"); },
                ThrowsMessage<InputError>("x.csv: nothing to draw: it has no rows"));
    EXPECT_THAT([] { ReadCsvTable("/nowhere/x.csv"); },
                ThrowsMessage<InputError>(HasSubstr("/nowhere/x.csv")));
}

TEST(CsvTable, TakesNoNumberForWhatOnlyBeginsWithOne)
{
    EXPECT_EQ(NumberOf("1.5e3"), 1500);
    EXPECT_EQ(NumberOf("10Gbps"), std::nullopt);
    EXPECT_EQ(NumberOf(""), std::nullopt);
    EXPECT_EQ(NumberOf("inf"), std::nullopt);
}

namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

const PlotNames g_columns{{"label", "workers"}, {{"cluster.workers", "workers"}}};

/** @return the labels of the rows that are left */
std::vector<std::string>
Where(const std::string& expression)
{
    const auto table = ParseCsvTable("x.csv",
                                     "label,workers,an odd \"name\"\n"
                                     "a,2,x\nb,16,y\n\"c, d\",,z\n");
    std::vector<std::string> labels;
    for (const auto& row : RowsWhere(table, g_columns, expression).rows)
    {
        labels.push_back(row.fields.front());
    }
    return labels;
}

} // namespace

/* 16 is more than 2 as a number, not as a text; a field that is empty is neither more nor less. */
TEST(PlotWhere, ComparesNumbersAndTexts)
{
    EXPECT_THAT(Where("workers > 2"), ElementsAre("b"));
    EXPECT_THAT(Where("cluster.workers <= 2.5 or label = 'c, d'"), ElementsAre("a", "c, d"));
    EXPECT_THAT(Where("label in ('a', 'b') and workers is not null"), ElementsAre("a", "b"));
    EXPECT_THAT(Where("\"an odd \"\"name\"\"\" = 'z'"), ElementsAre("c, d"));
}

TEST(PlotWhere, SaysWhatIsWrong)
{
    EXPECT_THAT([] { Where("worker = 2"); },
                ThrowsMessage<InputError>(HasSubstr("--where: 'worker = 2' is no condition")));
    EXPECT_THAT([] { Where("cluster.worker = 2"); },
                ThrowsMessage<InputError>(HasSubstr("did you mean 'cluster.workers'?")));
    EXPECT_THAT([] { Where("workers > 16"); },
                ThrowsMessage<InputError>(HasSubstr("holds for no row of x.csv")));
    EXPECT_THAT([] { Where("label = 'a"); }, ThrowsMessage<InputError>(HasSubstr("no condition")));
}

} // namespace inca
