/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/native-trace.h"

#include "base/errors.h"
#include "base/units.h"
#include "support/why-not.h"
#include "trace/csv-fields.h"

#include <boost/crc.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

namespace
{

const std::string g_head = "#inca-trace v1\n";
const std::string g_columns = "layer,elements,forward_ns,backward_ns,update_ns";
const std::string g_row = "a,10,1.5,2,0.001";

/** Line 2 is the header row with @p moreColumns, line 3 the row with @p moreFields. */
std::string
With(const std::string& moreColumns, const std::string& moreFields)
{
    return g_head + g_columns + moreColumns + "\n" + g_row + moreFields + "\n";
}

std::vector<std::string>
ComplaintsOf(const std::string& text)
{
    try
    {
        ParseTrace(text, "dir/t.csv");
    }
    catch (const InputError& error)
    {
        return error.Complaints();
    }
    return {};
}

void
ExpectComplaint(const std::string& text, const std::string& complaint)
{
    EXPECT_THAT(ComplaintsOf(text), testing::ElementsAre(testing::HasSubstr(complaint)));
}

const TraceColumn*
Find(const std::string& name)
{
    for (const auto& column : TraceColumns())
    {
        if (column.name == name)
        {
            return &column;
        }
    }
    return nullptr;
}

LayerRecord
Read(const std::string& column, const std::string& text)
{
    LayerRecord layer;
    Find(column)->read(text, layer);
    return layer;
}

std::string
Written(const std::string& column, const LayerRecord& layer)
{
    return Find(column)->write(layer);
}

using testing::ElementsAre;
using testing::Optional;

} // namespace

TEST(NativeTrace, IsReadToThePicosecond)
{
    const auto trace = ParseTrace(g_head + "# model: M\n# batch: 64\n# why: because: so\n" +
                                      g_columns + ",density,exponents,aggregator_update_ns\n" +
                                      g_row + ",0.25,0:0.75;117:0.25,7\nb,1,0,0,0,,,\n",
                                  "dir/t.csv");
    EXPECT_EQ(trace.name, "t");
    EXPECT_EQ(trace.model, "M");
    EXPECT_EQ(trace.batch, 64U);
    EXPECT_EQ(trace.gradientType, "fp32");
    EXPECT_THAT(trace.notes, testing::ElementsAre(testing::Pair("why", "because: so")));
    ASSERT_EQ(trace.layers.size(), 2U);
    const auto& layer = trace.layers.front();
    EXPECT_EQ(layer.name, "a");
    EXPECT_EQ(layer.elements, 10U);
    EXPECT_EQ(layer.forwardPs, 1500);
    EXPECT_EQ(layer.backwardPs, 2000);
    EXPECT_EQ(layer.updatePs, 1);
    EXPECT_EQ(layer.aggregatorUpdatePs, 7000);
    EXPECT_EQ(layer.statistics.density, 0.25);
    EXPECT_THAT(layer.statistics.exponents,
                testing::ElementsAre(testing::Pair(0U, 0.75), testing::Pair(117U, 0.25)));
    EXPECT_FALSE(trace.layers.back().statistics.density);
    EXPECT_FALSE(trace.layers.back().aggregatorUpdatePs);
    EXPECT_EQ(trace.Elements(), 11U);
    EXPECT_EQ(trace.Bytes(), 44U);
}

/* 6 + 4 are the row's 10 elements, 6 + 5 are not; a layer that lists none is one tensor. */
TEST(NativeTrace, TensorsAddUpToTheirLayer)
{
    const auto trace = ParseTrace(With(",tensors", ",6 4") + "b,3,0,0,0,\n", "t.csv");
    EXPECT_THAT(TensorsOf(trace.layers.at(0)), testing::ElementsAre(6U, 4U));
    EXPECT_THAT(TensorsOf(trace.layers.at(1)), testing::ElementsAre(3U));
    ExpectComplaint(With(",tensors", ",6 5"), "dir/t.csv:3: tensors: add up to 11");
}

/* 101 rows of 10,000 tensors: the last has the 1,000,001st. */
TEST(NativeTrace, HasAtMostAMillionTensors)
{
    std::string tensors = "1";
    for (int i = 1; i < 10'000; ++i)
    {
        tensors += " 1";
    }
    std::string text = g_head + g_columns + ",tensors\n";
    for (int row = 0; row < 101; ++row)
    {
        text += std::to_string(row) + ",10000,0,0,0," + tensors + "\n";
    }
    ExpectComplaint(text, "dir/t.csv:103: tensors: ");
}

TEST(NativeTrace, ToleratesByteOrderMarkCarriageReturnsBlanksAndAnyColumnOrder)
{
    const auto trace = ParseTrace("\xef\xbb\xbf#inca-trace v1\r\n\r\nupdate_ns, layer ,elements,"
                                  "backward_ns,forward_ns\r\n 3 , \"x,\"\"y\" ,4,5,6",
                                  "t.csv");
    EXPECT_EQ(trace.layers.at(0).name, "x,\"y");
    EXPECT_EQ(trace.layers.at(0).updatePs, 3000);
    EXPECT_EQ(trace.layers.at(0).forwardPs, 6000);
}

TEST(NativeTrace, RoundTripIsExact)
{
    GradientTrace trace;
    trace.model = "M, \"quoted\"";
    trace.valueClass = "measured";
    trace.batch = 3;
    trace.statsWorkers = 4;
    trace.gradientType = "fp16";
    trace.notes = {{"b", "2"}, {"a", "1"}};
    LayerRecord full;
    full.name = " #odd, \"name\" ";
    full.elements = 1ULL << 40U;
    full.tensors = {(1ULL << 40U) - 1, 1};
    full.forwardPs = 123'456'789'012'345;
    full.backwardPs = 10;
    full.updatePs = 1'000;
    full.aggregatorUpdatePs = 1;
    full.statistics = {0.1, 1.0 / 3, {{0, 0.95}, {117, 0.05}}, {{10, {0.91, 0.06, 0.03, 0}}}};
    LayerRecord bare;
    bare.name = "bare";
    bare.elements = 1;
    trace.layers = {full, bare};

    const auto text = FormatTrace(trace);
    const auto again = ParseTrace(text, "t.csv");
    EXPECT_EQ(FormatTrace(again), text);
    boost::crc_32_type checksum;
    checksum.process_bytes(text.data(), text.size());
    EXPECT_EQ(again.checksum, checksum.checksum());
    EXPECT_EQ(again.notes, trace.notes);
    EXPECT_EQ(again.statsWorkers, 4U);
    const auto& layer = again.layers.at(0);
    EXPECT_EQ(layer.name, full.name);
    EXPECT_EQ(layer.elements, full.elements);
    EXPECT_EQ(layer.tensors, full.tensors);
    EXPECT_EQ(layer.forwardPs, full.forwardPs);
    EXPECT_EQ(layer.backwardPs, 10);
    EXPECT_EQ(layer.aggregatorUpdatePs, 1);
    EXPECT_EQ(layer.statistics.unionDensity, 1.0 / 3);
    EXPECT_EQ(layer.statistics.exponents, full.statistics.exponents);
    EXPECT_EQ(layer.statistics.widths, full.statistics.widths);
    EXPECT_TRUE(again.layers.at(1).statistics.widths.empty());
}

TEST(NativeTrace, StatisticsAreChecked)
{
    for (const auto* share : {"1.01", "-0.1", "nan", "inf", "0x1", "0.5.", "half"})
    {
        ExpectComplaint(With(",density", std::string(",") + share), "dir/t.csv:3: density: ");
    }
    for (const auto* bad :
         {"117", "117:", ":1", "256:1", "-1:1", "117:1;", "117:0.5;117:0.5", "9:0.5;8:0.5"})
    {
        ExpectComplaint(With(",exponents", std::string(",") + bad), "dir/t.csv:3: exponents: ");
    }
}

/* Nothing takes less than 1 ns and 10 fs an element: 1.6 ns for 60,000. Whole numbers stand for times that nobody knows. */
TEST(NativeTrace, TimesInSecondsAreRefused)
{
    const auto layer = g_head + g_columns + "\na,60000,";
    ExpectComplaint(layer + "0.5,0.75,0.1\n", "dir/t.csv: all times add up to 1.35 ns");
    for (const auto* times : {"0.5,0.75,0.35", "0,0,0", "1,0,0"})
    {
        EXPECT_EQ(ParseTrace(layer + times + "\n", "t.csv").layers.size(), 1U) << times;
    }
}

TEST(NativeTrace, ManyColumnsAreRefusedAtOnce)
{
    EXPECT_EQ(WhyNot([&] {
                  ParseTrace("#inca-trace v1\n" + std::string(60'000, ',') + "\na,1,1,1,1\n", "t");
              }),
              "t:2: has more than 100 columns");
}

TEST(NativeTrace, ReportsTheFirstTwentyComplaints)
{
    std::string text = g_head + g_columns + "\n";
    for (int i = 0; i < 25; ++i)
    {
        text += std::to_string(i) + ",0,1,1,1\n";
    }
    const auto complaints = ComplaintsOf(text);
    ASSERT_EQ(complaints.size(), 21U);
    EXPECT_EQ(complaints.back(), "dir/t.csv: and 5 more");
}

/* A column reads what it wrote as the same. */
TEST(TraceColumns, TextReadsBackAsTheSame)
{
    for (const auto& [column, text] : std::vector<std::pair<std::string, std::string>>{
             {"layer", "conv1"},
             {"elements", "1099511627776"},
             {"tensors", "36864"},
             {"tensors", "36864 64 1099511627776"},
             {"forward_ns", "0"},
             {"forward_ns", "0.001"},
             {"backward_ns", "12.5"},
             {"update_ns", "9223372036854775.807"}, // 2^63 - 1 ps
             {"aggregator_update_ns", "0.12"},
             {"density", "0.1"},
             {"union_density", "1e-07"},
             {"exponents", "0:0.5;117:0.25;255:0.25"}})
    {
        EXPECT_EQ(Written(column, Read(column, text)), text) << column;
    }
    EXPECT_EQ(Written("density", Read("density", "-0.0")), "0");
}

TEST(TraceColumns, WhatIsUnknownIsEmpty)
{
    for (const auto& column : TraceColumns())
    {
        if (!column.required)
        {
            EXPECT_EQ(column.write({}), "") << column.name;
        }
    }
    EXPECT_EQ(Written("b10_w34", {}), "");
}

TEST(TraceColumns, WidthsAreKnownForBoundsOneToFifteen)
{
    EXPECT_EQ(Read("b15_w18", "0.25").statistics.widths.at(15)[2], 0.25);
    EXPECT_EQ(Written("b1_w2", Read("b1_w2", "0.5")), "0.5");
    for (const auto* name : {"b0_w2", "b16_w2", "b10_w3", "b010_w2", "b10_w", "B10_w2", ""})
    {
        EXPECT_FALSE(Find(name)) << name;
    }
}

TEST(CsvFields, AreSplitAtCommasAndTrimmed)
{
    EXPECT_THAT(SplitCsv("a, b\t,,c "), Optional(ElementsAre("a", "b", "", "c")));
    EXPECT_THAT(SplitCsv(""), Optional(ElementsAre("")));
    EXPECT_THAT(SplitCsv(","), Optional(ElementsAre("", "")));
}

TEST(CsvFields, QuotesHoldCommasBlanksAndDoubledQuotes)
{
    EXPECT_THAT(SplitCsv(R"( "a, b" ,"","c""d"," e")"),
                Optional(ElementsAre("a, b", "", "c\"d", " e")));
}

TEST(CsvFields, BrokenQuotesAreRefused)
{
    EXPECT_FALSE(SplitCsv("\"a"));
    EXPECT_FALSE(SplitCsv("\"a\"b,c"));
    EXPECT_FALSE(SplitCsv("a,\"b\"\""));
}

TEST(CsvFields, QuotingReadsBackAsTheSame)
{
    EXPECT_EQ(QuoteCsv("layer1.0.conv1"), "layer1.0.conv1");
    for (const std::string field : {"", "a", "a,b", "\"", " a", "a ", "#a", "a\"b,c"})
    {
        EXPECT_THAT(SplitCsv(QuoteCsv(field)), Optional(ElementsAre(field)));
    }
}

} // namespace inca
