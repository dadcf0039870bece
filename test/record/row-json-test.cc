/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/row-json.h"

#include "base/errors.h"
#include "record/example-record.h"

#include <gtest/gtest.h>

namespace inca
{

/* Texts come back as they are: 0.10 and 1e-07 would not through a double. Of five columns three apply, and all come back. */
TEST(RowJson, KeepsTextsAndLeavesOutWhatDoesNotApply)
{
    const Row row{{"z", "0.10"}, {"b", ""}, {"a", "1e-07"}, {"c", "a \"b\", c", true}, {"d", ""}};
    const auto json = JsonOfGiven(row);
    EXPECT_EQ(json, R"({"a":"1e-07","c":"a \"b\", c","z":"0.10"})");
    const auto back =
        RowOfGiven({{"z", ""}, {"b", ""}, {"a", ""}, {"c", "", true}, {"d", ""}}, json);
    EXPECT_EQ(JsonLineOf(back), JsonLineOf(row));
    const auto cells = ResultCells(ExampleRecord());
    EXPECT_EQ(JsonLineOf(RowOfGiven(cells, JsonOfGiven(cells))), JsonLineOf(cells));
}

TEST(RowJson, KeepsLists)
{
    const std::vector<std::string> texts{"one", "two \"quoted\"", ""};
    EXPECT_EQ(TextsOfJson(JsonOfTexts(texts)), texts);
    EXPECT_TRUE(TextsOfJson("[]").empty());
}

TEST(RowJson, RefusesWhatIsNone)
{
    for (const auto* text :
         {"", "3", "[]", R"({"a": [1]})", R"({"a": 1})", R"({"a": "1")", R"({"c": "1"})"})
    {
        EXPECT_THROW(RowOfGiven({{"a", ""}, {"b", ""}}, text), InvariantError) << text;
    }
    EXPECT_THROW(TextsOfJson("{}"), InvariantError);
}

} // namespace inca
