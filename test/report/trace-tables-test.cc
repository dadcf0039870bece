/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/trace-tables.h"

#include "trace/native-trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

namespace
{

GradientTrace
Example()
{
    return ParseTrace("#inca-trace v1\n"
                      "# model: Two\n"
                      "# class: measured\n"
                      "# stats_workers: 4\n"
                      "# remark: so\n"
                      "layer,elements,forward_ns,backward_ns,update_ns,aggregator_update_ns,"
                      "density,union_density,exponents,b8_w2,b8_w10,b8_w18,b8_w34\n"
                      "first,1048576,1000,2000,10,,0.1,0.3,0:0.9;117:0.1,,,,\n"
                      "second,3145728,500,1000.6,20,40,,,,0.5,0.5,0,0\n",
                      "two.csv");
}

} // namespace

TEST(TraceTables, ListHasALinePerTrace)
{
    EXPECT_EQ(TraceListText({Example()}),
              "name  model  device  class     layers  parameters       size\n"
              "two   Two    -       measured       2     4194304  16.00 MiB\n");
}

/* Totals: 1.5 us, 3.0006 us, 30 ns; an aggregator updates `first` in the worker's 10 ns, so 50 ns. */
TEST(TraceTables, LayersAndTotals)
{
    EXPECT_THAT(
        TraceText(Example()),
        testing::HasSubstr(
            "layer   elements       size   forward  backward    update  aggregator update\n"
            "first    1048576  4.000 MiB  1.000 us  2.000 us  10.00 ns                  -\n"
            "second   3145728  12.00 MiB  500.0 ns  1.001 us  20.00 ns           40.00 ns\n"
            "total    4194304  16.00 MiB  1.500 us  3.001 us  30.00 ns           50.00 ns\n"));
}

TEST(TraceTables, MetadataAndNotesStandAbove)
{
    EXPECT_THAT(TraceText(Example()),
                testing::StartsWith("name           two\n"
                                    "model          Two\n"
                                    "source         -\n"));
    EXPECT_THAT(TraceText(Example()), testing::HasSubstr("\nremark         so\n"));
}

/* Half of 2 and half of 10 bits are 6 bits, a ratio of 32 / 6. */
TEST(TraceTables, StatisticsSayWhichLayersTheyAreOf)
{
    EXPECT_THAT(
        TraceText(Example()),
        testing::HasSubstr("bound  of              2 b  10 b  18 b  34 b  mean width  ratio\n"
                           "2^-8   1 of 2 layers  50 %  50 %   0 %   0 %     6.000 b  5.333\n"));
    EXPECT_THAT(TraceText(Example()),
                testing::HasSubstr("layer   density  union  blocks  union of blocks\n"
                                   "first      10 %   30 %       -                -\n"
                                   "second        -      -       -                -\n"));
    EXPECT_THAT(TraceText(Example()),
                testing::HasSubstr("biased fp32 exponents of 1 of 2 layers\n"
                                   "exponent  magnitude from  values\n"
                                   "       0               0    90 %\n"
                                   "     117           2^-10    10 %\n"));
}

TEST(TraceTables, UnknownStatisticsAreLeftOut)
{
    auto trace = Example();
    for (auto& layer : trace.layers)
    {
        layer.statistics = {};
        layer.aggregatorUpdatePs.reset();
    }
    const auto text = TraceText(trace);
    EXPECT_THAT(text, testing::Not(testing::HasSubstr("bound")));
    EXPECT_THAT(text, testing::Not(testing::HasSubstr("density")));
    EXPECT_THAT(text, testing::Not(testing::HasSubstr("exponent")));
    EXPECT_THAT(text, testing::Not(testing::HasSubstr("aggregator")));
}

} // namespace inca
