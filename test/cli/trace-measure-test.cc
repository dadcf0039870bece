/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/codec-fixture.h"
#include "cli/command-output.h"
#include "trace/native-trace.h"
#include "trace/safetensors-writer.h"

#include <gmock/gmock.h>

#include <limits>

namespace inca
{

namespace
{

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

constexpr const char* g_trace = "#inca-trace v1\n# class: measured\n# statistics: of another time\n"
                                "layer,elements,tensors,forward_ns,backward_ns,update_ns,density,"
                                "b10_w2,b10_w10,b10_w18,b10_w34\n"
                                "a,4,3 1,1,2,3,0.5,1,0,0,0\n";

class TraceMeasureTest : public CodecFixture
{
  protected:
    TraceMeasureTest()
    {
        Put("mine.csv", g_trace);
    }

    /** The gradient of layer a that a worker has in a step. */
    void PutValues(unsigned step, unsigned worker, const std::vector<float>& values) const
    {
        WriteSafetensors(Path(std::to_string(step) + "-" + std::to_string(worker)),
                         {{"a", {values.size()}, values}});
    }
};

} // namespace

/* Two workers, 3 of 8 values and 3 of 4 positions: density 0.375, union 0.75; independent workers would have
 * 1 - 0.625^2 = 0.609375. 1 is of 34 bits at every bound, a zero of 2: (5 * 2 + 3 * 34) / 8 = 14 bits, ratio
 * 32 / 14 = 2.286. Squares: 3 of 8, rms 0.612. */
TEST_F(TraceMeasureTest, PrintsEachStep)
{
    PutValues(7, 0, {1, 0, 0, 0});
    PutValues(7, 1, {0, 1, 1, 0});
    const auto text = Output("trace measure @{step}-{worker}");
    EXPECT_THAT(text, HasSubstr("1 layer, 4 values, 16 B; 1 step, 2 workers\n"));
    EXPECT_THAT(text,
                testing::ContainsRegex("\n7 +all layers +37.5 % +75 % +60.94 % "
                                       "+0.612 +2.286 +2.286 +2.286\n$"));
}

/* Steps are in the order of their numbers: 10 after 9; of one worker, there is no union. */
TEST_F(TraceMeasureTest, WritesEveryLayerOfEveryStep)
{
    WriteSafetensors(Path("9-0"), {{"a", {4}, {1, 0, 0, 0}}, {"b", {1}, {0.5}}});
    WriteSafetensors(Path("10-0"), {{"a", {4}, {1, 1, 0, 0}}, {"b", {1}, {0}}});
    Put("x-0", "of no step");
    Output("trace measure @{step}-{worker} --csv @drift.csv");
    const auto csv = Read("drift.csv");
    EXPECT_THAT(
        csv,
        testing::StartsWith(
            "step,layer,workers,elements,worker_density,union_density,independent_union_density,"
            "fitted_union_exponent,rms,inceptionn_b10_ratio,"
            "inceptionn_b8_ratio,inceptionn_b6_ratio\n9,a,1,4,0.25,,,,0.5,"));
    EXPECT_THAT(csv, AllOf(HasSubstr("\n9,b,1,1,1,"), HasSubstr("\n10,all layers,1,5,0.4,")));
}

/* Times and tensors stay; whatever the trace said of values goes, also widths, which would win. */
TEST_F(TraceMeasureTest, WritesATraceForEachStep)
{
    for (const auto worker : {0U, 1U})
    {
        PutValues(1, worker, {1, 0, 0, 0});
        PutValues(5, worker, {0.5, 1, 1, 1});
    }
    Output("trace measure @{step}-{worker} --trace @mine.csv -o @new-{step}.csv");
    const auto first = ReadTrace(Path("new-1.csv"));
    EXPECT_EQ(first.statsWorkers, 2U);
    const auto& layer = first.layers.front();
    EXPECT_EQ(layer.backwardPs, 2000);
    EXPECT_THAT(layer.tensors, ElementsAre(3, 1));
    EXPECT_EQ(layer.statistics.density, 0.25);
    EXPECT_EQ(layer.statistics.unionDensity, 0.25);
    EXPECT_THAT(layer.statistics.widths, IsEmpty());
    EXPECT_THAT(layer.statistics.exponents, ElementsAre(Pair(0U, 0.75), Pair(127U, 0.25)));
    const auto fifth = ReadTrace(Path("new-5.csv"));
    EXPECT_THAT(fifth.layers.front().statistics.exponents,
                ElementsAre(Pair(126U, 0.25), Pair(127U, 0.75)));
    EXPECT_THAT(
        fifth.notes,
        ElementsAre(Pair("statistics", "measured in the gradients of step 5 of 2 workers")));
}

TEST_F(TraceMeasureTest, RefusesWhatCannotBe)
{
    const auto nan = std::numeric_limits<float>::quiet_NaN();
    PutValues(1, 0, {1, 0, 0, 0});
    PutValues(2, 0, {1, 0, 0, 0});
    WriteSafetensors(Path("short"), {{"a", {2}, {1, 0}}});
    WriteSafetensors(Path("nan"), {{"a", {4}, {1, 0, nan, 0}}});
    for (const auto* name : {"s1-0", "s2-0", "s2-1"})
    {
        WriteSafetensors(Path(name), {{"a", {1}, {1}}});
    }
    const std::pair<const char*, const char*> refusals[]{
        {"@{step}-{worker} -o @x.csv", "--trace FILE"},
        {"@{step}-0 --trace @mine.csv -o @x.csv", "one trace for each step"},
        {"@1-0 --trace @mine.csv -o @{step}.csv", "one trace for each step"},
        {"@1-0 --trace @mine.csv -o @x.csv --csv @x.csv", "-o and --csv: both are "},
        {"@1-0 --csv @no/x.csv", "no/x.csv"},
        {"@y{step}", "y{step}: no such file is there"},
        {"@s{step}-{worker}", "step 2 has files of 2 workers, step 1 of 1"},
        {"@short --trace @mine.csv", "short: a: has 2 elements, the trace's layer has 4"},
        {"@nan --csv @x.csv", "nan: a: its value 2 is NaN"}};
    const auto before = Files();
    for (const auto& [arguments, text] : refusals)
    {
        EXPECT_THAT(Refusal(std::string("trace measure ") + arguments), HasSubstr(text));
    }
    EXPECT_EQ(Files(), before);
}

/* The file ends within the tensor; then within the header, whose length says 2^56 bytes. */
TEST_F(TraceMeasureTest, RefusesFilesThatAreCutOff)
{
    PutValues(1, 0, {1, 0, 0, 0});
    const auto whole = Read("1-0");
    const std::pair<std::string, const char*> cuts[]{
        {whole.substr(0, whole.size() - 1), "cut: a: its data_offsets do not lie within the file"},
        {std::string(7, '\0') + '\1' + whole.substr(8), "is larger than the file or than 16 MiB"},
        {"", "shorter than 8 bytes"}};
    for (const auto& [bytes, text] : cuts)
    {
        Put("cut", bytes);
        EXPECT_THAT(Refusal("trace measure @cut"), HasSubstr(text));
    }
}

} // namespace inca
