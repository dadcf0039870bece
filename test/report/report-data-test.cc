/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/report-data.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string_view>

namespace inca
{

namespace
{

using testing::HasSubstr;
using testing::Not;

constexpr const char* g_markup = "</script><script>alert('&\"')</script><!--{{data}}";

/** Texts that would be markup wherever a user may have written them. */
ReportData
MarkupData()
{
    ReportData data;
    data.kind = "sweep";
    data.title = g_markup;
    data.command = g_markup;
    data.scenario = {{"training.trace", g_markup, false}};
    data.table = {"rows.csv", {"label", g_markup}, {{2, {g_markup, "1"}}, {3, {"ring", "1"}}}};
    data.settings = {{"label", g_markup}};
    data.varied = {0};
    data.commands = {g_markup, ""};
    data.origins = {{g_markup, g_markup}};
    data.notes = {g_markup};
    return data;
}

std::size_t
Count(std::string_view text, std::string_view part)
{
    std::size_t count = 0;
    for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1))
    {
        ++count;
    }
    return count;
}

} // namespace

TEST(ReportPage, HoldsTextsThatAreNoMarkup)
{
    EXPECT_EQ(HtmlText("<a href='x'>\"&"), "&lt;a href=&#39;x&#39;&gt;&quot;&amp;");
    const auto page = ReportPage(MarkupData());
    // the data's own end and the script's
    EXPECT_EQ(Count(page, "</script"), 2U);
    EXPECT_EQ(Count(page, "<script"), 2U);
    EXPECT_THAT(page, Not(HasSubstr("alert('&\"')")));
    EXPECT_THAT(page, HasSubstr("<title>&lt;/script&gt;"));
    const auto text = ReportJson(MarkupData());
    EXPECT_EQ(Count(text, "<"), 0U);
    const auto json = nlohmann::json::parse(text);
    EXPECT_EQ(json["title"], g_markup);
    EXPECT_EQ(json["columns"][0]["texts"][0], g_markup);
    EXPECT_EQ(json["commands"][0], g_markup);
}

/* Of three rows with the texts a, b, a: a and b, and 0, 1, 0. Of one text: it alone. */
TEST(ReportPage, HoldsEachTextOfAColumnOnce)
{
    ReportData data;
    data.table = {
        "", {"name", "same_s"}, {{1, {"a", "1.50"}}, {2, {"b", "1.50"}}, {3, {"a", "1.50"}}}};
    const auto json = nlohmann::json::parse(ReportJson(data));
    EXPECT_EQ(json["columns"][0]["texts"], nlohmann::json({"a", "b"}));
    EXPECT_EQ(json["columns"][0]["rows"], nlohmann::json({0, 1, 0}));
    EXPECT_EQ(json["columns"][1]["texts"], nlohmann::json::array({"1.50"}));
    EXPECT_TRUE(json["columns"][1]["rows"].empty());
    EXPECT_EQ(json["columns"][1]["unit"], "s");
    EXPECT_EQ(json["count"], 3);
}

/* Bytes that are no UTF-8, as of a path, become the replacement character. */
TEST(ReportPage, TakesAnyBytes)
{
    ReportData data;
    data.table = {"", {"trace"}, {{1, {"a\xff"}}}};
    EXPECT_EQ(nlohmann::json::parse(ReportJson(data))["columns"][0]["texts"][0], "a\xef\xbf\xbd");
}

TEST(ReportPage, NeedsNothingElse)
{
    const auto page = ReportPage({});
    EXPECT_THAT(page, HasSubstr("default-src 'none'"));
    EXPECT_THAT(page, Not(HasSubstr(" src=")));
    EXPECT_THAT(page, Not(HasSubstr("<link")));
    EXPECT_THAT(page, HasSubstr("uPlot (v1.6.32)"));
    EXPECT_THAT(page, HasSubstr("Permission is hereby granted"));
    EXPECT_THAT(page, Not(HasSubstr("{{")));
}

} // namespace inca
