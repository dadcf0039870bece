/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/report-data.h"

#include "report/plot.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <regex>
#include <string_view>
#include <tuple>

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
    data.scenario = {{"training.trace", g_markup}};
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

/* A figure and a page of the same sweep are read side by side. */
TEST(ReportPage, HasTheColoursOfPlots)
{
    std::string lines = "label,workers,iteration_time_s\n";
    for (char name = 'a'; name < 'a' + 16; ++name)
    {
        lines += std::string(1, name) + ",2,1\n" + name + ",4,1\n";
    }
    const std::string parts =
        "exchange,forward_s,backward_s,copy_s,codec_s,sum_s,update_s,communication_s\n"
        "ring,1,1,1,1,1,1,1\nstar,1,1,1,1,1,1,1\n";
    PlotRequest stack;
    stack.kind = PlotKind::STACK;
    const std::vector<std::tuple<std::string, PlotRequest, std::string>> pictures{
        {lines, {}, "series"}, {parts, stack, "share"}};
    const std::regex colour("[el]color rgb '(#\\w+)' linewidth 1.3|fillcolor rgb '(#\\w+)'");
    for (const auto& [csv, request, name] : pictures)
    {
        const auto data = CollectPlot(
            ParseCsvTable("x.csv", csv), {{"label", "workers", "exchange"}, {}}, request);
        const auto script = ScriptOf(data, {}).script;
        std::size_t count = 0;
        for (std::sregex_iterator found(script.begin(), script.end(), colour), end; found != end;
             ++found)
        {
            auto text = found->str(1) + found->str(2);
            std::transform(
                text.begin(), text.end(), text.begin(), [](char c) { return std::tolower(c); });
            EXPECT_THAT(std::string(PageText()),
                        HasSubstr("--" + name + "-" + std::to_string(count) + ": " + text));
            ++count;
        }
        EXPECT_EQ(count, data.series.size());
    }
}

/* 2.8e12 B/s are 2.8 TB/s, as in a plot's legend. */
TEST(ReportPage, NamesSettingsAsPlotsDo)
{
    ReportData data;
    data.table = ParseCsvTable(
        "x.csv", "label,encode_rate_bytes_per_s,gain\na,2800000000000,1\nb,8400000000,2\n");
    data.settings = {{"label", ""}, {"encode_rate_bytes_per_s", ""}};
    const auto columns = nlohmann::json::parse(ReportJson(data)).at("columns");
    EXPECT_EQ(columns[1].at("names"), (nlohmann::json{"2.8 TB/s", "8.4 GB/s"}));
    EXPECT_EQ(columns[1].at("words"), "encode rate");
    EXPECT_EQ(columns[2].at("words"), "gain over a");
}

} // namespace inca
