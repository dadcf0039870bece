/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/trace-columns.h"

#include "base/units.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace inca
{

namespace
{

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

} // namespace

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
             {"block_density", "1"},
             {"union_block_density", "0.30000000000000004"},
             {"exponents", "0:0.5;117:0.25;255:0.25"}})
    {
        EXPECT_EQ(Written(column, Read(column, text)), text) << column;
    }
    EXPECT_EQ(Written("density", Read("density", "-0.0")), "0");
}

TEST(TraceColumns, SayWhatIsWrongWithANumber)
{
    const auto why = [](const char* column, const char* text) -> std::string {
        try
        {
            Read(column, text);
        }
        catch (const UnitError& error)
        {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(why("forward_ns", "-10"), "'-10': is negative; a time is 0 or more");
    EXPECT_EQ(why("aggregator_update_ns", "1.2345"),
              "'1.2345': a time has at most 3 digits after the point, which are picoseconds");
    EXPECT_EQ(why("elements", "-1"), "'-1': is negative; elements are a whole number from 1");
    EXPECT_EQ(why("tensors", "64  1"),
              "'64  1': tensors are their elements, one blank between two, as in '36864 64'");
    EXPECT_EQ(why("tensors", "64 0"), "'0': elements are a whole number from 1 to 1099511627776");
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

TEST(TraceColumns, UnknownNamesGetTheNearestOrAll)
{
    EXPECT_EQ(UnknownTraceColumn("densty"), "unknown 'densty'; did you mean 'density'?");
    EXPECT_EQ(UnknownTraceColumn("b10_34"), "unknown 'b10_34'; did you mean 'b10_w34'?");
    EXPECT_THAT(UnknownTraceColumn("temperature"),
                testing::AllOf(testing::HasSubstr("known are layer, elements, "),
                               testing::EndsWith(", and b1_w2 to b15_w34 (widths 2, 10, 18, 34)")));
}

TEST(TraceKeys, TextReadsBackAsTheSame)
{
    const std::map<std::string, std::string> texts{{"model", "a: b, c"},
                                                   {"source", "x"},
                                                   {"class", "printed"},
                                                   {"device", "y"},
                                                   {"batch", "1000000000"},
                                                   {"gradient_type", "bf16"},
                                                   {"stats_workers", "2"}};
    EXPECT_EQ(TraceKeys().size(), texts.size());
    for (const auto& key : TraceKeys())
    {
        GradientTrace trace;
        key.read(texts.at(key.name), trace);
        EXPECT_EQ(key.write(trace), texts.at(key.name));
    }
}

TEST(TraceColumns, TimesBeyondThePicosecondAreRefused)
{
    EXPECT_THROW(Read("forward_ns", "0.0001"), UnitError);
    EXPECT_THROW(Read("forward_ns", "9223372036854775.808"), UnitError);
    EXPECT_THROW(Read("elements", "1099511627777"), UnitError); // 2^40 + 1
    EXPECT_THROW(Read("elements", "1.5"), UnitError);
}

} // namespace inca
