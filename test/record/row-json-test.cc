/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/row-json.h"

#include "base/errors.h"
#include "record/example-record.h"

#include <gtest/gtest.h>

namespace inca
{

/* Numbers come back digit for digit: 0.10 and 1e-07 would not through a double. */
TEST(RowJson, KeepsTextsAsTheyAre)
{
    const Row row{{"a", "0.10"},
                  {"b", "1e-07"},
                  {"c", "-5"},
                  {"d", "18446744073709551615"},
                  {"e", "true"},
                  {"f", ""},
                  {"g", "12345678", true},
                  {"h", "a \"b\", c", true}};
    const auto back = RowOfJson(JsonLineOf(row));
    EXPECT_EQ(CsvHeader(back) + CsvRow(back), CsvHeader(row) + CsvRow(row));
    EXPECT_EQ(JsonLineOf(back), JsonLineOf(row));
}

TEST(RowJson, KeepsResults)
{
    const auto cells = ResultCells(ExampleRecord());
    EXPECT_EQ(CsvRow(RowOfJson(JsonLineOf(cells))), CsvRow(cells));
}

/* Of four columns two apply: the line has these alone, and a row made of it has all four again. */
TEST(RowJson, LeavesOutWhatDoesNotApply)
{
    const Row row{{"a", "0.10"}, {"b", ""}, {"c", "12345678", true}, {"d", ""}};
    const auto line = JsonOfGiven(row);
    EXPECT_EQ(line, "{\"a\": 0.10, \"c\": \"12345678\"}\n");
    const auto back = RowOfGiven({"a", "b", "c", "d"}, line);
    EXPECT_EQ(JsonLineOf(back), JsonLineOf(row));
    EXPECT_EQ(CsvRow(RowOfGiven({"a"}, "{}")), CsvRow(Row{{"a", ""}}));
}

TEST(RowJson, RefusesCellsOfOtherColumns)
{
    EXPECT_THROW(RowOfGiven({"a", "b"}, "{\"c\": 1}"), InvariantError);
    EXPECT_THROW(RowOfGiven({"a", "b"}, "{\"b\": 1, \"a\": 1}"), InvariantError); // in their order
}

TEST(RowJson, KeepsLists)
{
    const std::vector<std::string> texts{"one", "two \"quoted\"", ""};
    EXPECT_EQ(TextsOfJson(JsonOfTexts(texts)), texts);
    EXPECT_TRUE(TextsOfJson("[]").empty());
}

TEST(RowJson, RefusesWhatIsNone)
{
    for (const auto* text : {"", "3", "{\"a\": [1]}", "{\"a\": {}}", "{\"a\": 1"})
    {
        EXPECT_THROW(RowOfJson(text), InvariantError) << text;
    }
    EXPECT_THROW(TextsOfJson("{}"), InvariantError);
}

} // namespace inca
