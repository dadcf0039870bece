/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/csv-table.h"

#include <gmock/gmock.h>

namespace inca
{

using testing::ElementsAre;

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

TEST(CsvTable, TakesNoNumberForWhatOnlyBeginsWithOne)
{
    EXPECT_EQ(NumberOf("1.5e3"), 1500);
    EXPECT_EQ(NumberOf("10Gbps"), std::nullopt);
    EXPECT_EQ(NumberOf(""), std::nullopt);
    EXPECT_EQ(NumberOf("inf"), std::nullopt);
}

} // namespace inca
