/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/report-data.h"

#include "base/errors.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string_view>

namespace inca
{

namespace
{

} // namespace

/* Worker 1 ends at 20, as worker 2 does. */
TEST(ReportLayers, AreOfTheWorkerThatEndsLast)
{
    std::vector<LayerRow> layers;
    for (const auto& [worker, endPs] : {std::pair(0U, 10), {0U, 15}, {1U, 5}, {1U, 20}, {2U, 20}})
    {
        layers.emplace_back();
        layers.back().worker = worker;
        layers.back().endPs = endPs;
    }
    const auto last = LayersOfLastWorker(layers);
    ASSERT_EQ(last.size(), 2U);
    EXPECT_EQ(last.front().worker, 1U);
    EXPECT_EQ(last.front().endPs, 5);
    EXPECT_TRUE(LayersOfLastWorker({}).empty());
}

TEST(ReportLayers, ReadLayersToThePicosecond)
{
    const auto layers = LayersOf(ParseCsvTable(
        "layers.csv",
        "worker,layer,elements,first_bucket,last_bucket,ready_s,start_s,end_s,"
        "exposed_communication_s,plain_bytes,wire_bytes\n"
        "1,\"a,b\",23296,2,3,0.394770409867,0.396965695201,0.402534523888,0.0046867944,139776,"
        "24986\n"));
    ASSERT_EQ(layers.size(), 1U);
    EXPECT_EQ(layers[0].worker, 1U);
    EXPECT_EQ(layers[0].layer, "a,b");
    EXPECT_EQ(layers[0].elements, 23296U);
    EXPECT_EQ(layers[0].firstBucket, 2U);
    EXPECT_EQ(layers[0].lastBucket, 3U);
    EXPECT_EQ(layers[0].readyPs, 394770409867);
    EXPECT_EQ(layers[0].startPs, 396965695201);
    EXPECT_EQ(layers[0].endPs, 402534523888);
    EXPECT_EQ(layers[0].exposedCommunicationPs, 4686794400);
    EXPECT_EQ(layers[0].wireBytes, 24986U);
}

TEST(ReportLayers, RefuseWhatIsNoLayer)
{
    EXPECT_THAT([] { LayersOf(ParseCsvTable("layers.csv", "worker,layer\n0,fc\n")); },
                testing::ThrowsMessage<InputError>(
                    "layers.csv:2: is no row of a layers.csv: needs a number as elements"));
}

namespace
{

using testing::HasSubstr;
using testing::Not;

constexpr const char* g_markup = "</script><script>alert('&\"')</script><!--{{data}}";

/** Texts that would be markup wherever a user may have written them. */
ReportData
MarkupData()
{
    LayerRow layer;
    layer.layer = g_markup;
    ReportData data;
    data.kind = "sweep";
    data.title = g_markup;
    data.command = g_markup;
    data.scenario = {{"training.trace", g_markup, false}};
    data.table = {"rows.csv", {"label", g_markup}, {{2, {g_markup, "1"}}, {3, {"ring", "1"}}}};
    data.settings = {{"label", g_markup}};
    data.varied = {0};
    data.commands = {g_markup, ""};
    data.timelines = {{layer}, {}};
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
    EXPECT_EQ(json["timelines"]["names"][0], g_markup);
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
