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
 * 32 / 14 = 2.286. Squares: 3 of 8, rms 0.612. Less than a row of 1024: no sketch. */
TEST_F(TraceMeasureTest, PrintsEachStep)
{
    PutValues(7, 0, {1, 0, 0, 0});
    PutValues(7, 1, {0, 1, 1, 0});
    const auto text = Output("trace measure @{step}-{worker}");
    EXPECT_THAT(text, HasSubstr("1 layer, 4 values, 16 B; 1 step, 2 workers\n"));
    EXPECT_THAT(text,
                testing::ContainsRegex("\n +7 +37.5 % +75 % +60.94 % +100 % +100 % +0.612 +2.286 "
                                       "+2.286 +2.286 +- +-\n$"));
}

TEST_F(TraceMeasureTest, WritesEveryLayerOfEveryStep)
{
    WriteSafetensors(Path("1-0"), {{"a", {4}, {1, 0, 0, 0}}, {"b", {1}, {0.5}}});
    WriteSafetensors(Path("2-0"), {{"a", {4}, {1, 1, 0, 0}}, {"b", {1}, {0}}});
    EXPECT_THAT(Output("trace measure @{step}-{worker} --csv @drift.csv --layers"),
                AllOf(HasSubstr("all layers"), HasSubstr(" b ")));
    const auto csv = Read("drift.csv");
    EXPECT_THAT(
        csv,
        testing::StartsWith(
            "step,layer,workers,elements,worker_density,union_density,independent_union_density,"
            "fitted_union_exponent,block_density,union_block_density,rms,inceptionn_b10_ratio,"
            "inceptionn_b8_ratio,inceptionn_b6_ratio,homomorphic_safe_ratio,"
            "homomorphic_reduction\n1,a,1,4,0.25,,,,1,,0.5,"));
    EXPECT_THAT(csv, HasSubstr("\n1,b,1,1,1,"));
    EXPECT_THAT(csv, HasSubstr("\n2,all layers,1,5,0.4,"));
}

/* Times and tensors stay; whatever the trace said of values goes, also widths, which would win. */
TEST_F(TraceMeasureTest, WritesATraceForEachStep)
{
    PutValues(1, 0, {1, 0, 0, 0});
    PutValues(1, 1, {1, 0, 0, 0});
    PutValues(5, 0, {0.5, 1, 1, 1});
    PutValues(5, 1, {0.5, 1, 1, 1});
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

/* Half of 4 values are the 2 largest: -3 and 2. */
TEST_F(TraceMeasureTest, TopKIsMeasuredAsItWouldBeSent)
{
    PutValues(1, 0, {1, -3, 2, 0.5});
    Output("trace measure @{step}-{worker} --top-k 0.5 --trace @mine.csv -o @mine.csv");
    const auto trace = ReadTrace(Path("mine.csv"));
    EXPECT_EQ(trace.layers.front().statistics.density, 0.5);
    EXPECT_THAT(trace.notes,
                ElementsAre(Pair("statistics",
                                 "measured in the gradients of step 1 of 1 worker, of each layer "
                                 "the share 0.5 of largest values")));
}

/* 64 rows of 1024 without zeros. Peeling ends at a load of 0.818, so ratios are below that, and a value takes more
 * than 1/8 + 4 / 0.818 bytes; the least ratio, 0.5, takes 1/8 + 4 / 0.5: of 4 bytes, 0.798 and 0.492. */
TEST_F(TraceMeasureTest, DenseGradientsAreNotReduced)
{
    WriteSafetensors(Path("1-0"), {{"a", {65536}, std::vector<float>(65536, 1)}});
    Output("trace measure @{step}-{worker} --csv @drift.csv");
    const auto csv = Read("drift.csv");
    const auto last = std::stod(csv.substr(csv.rfind(',') + 1));
    EXPECT_GE(last, 0.492);
    EXPECT_LT(last, 0.798);
}

TEST_F(TraceMeasureTest, RefusesWhatCannotBe)
{
    PutValues(1, 0, {1, 0, 0, 0});
    PutValues(2, 0, {1, 0, 0, 0});
    const std::string values = "trace measure @{step}-{worker}";
    EXPECT_THAT(Refusal(values + " -o @x.csv"), HasSubstr("--trace FILE"));
    EXPECT_THAT(Refusal(values + " --trace @mine.csv -o @x.csv"),
                HasSubstr("there are 2 steps, and one trace each"));
    EXPECT_THAT(Refusal("trace measure @1-0 --trace @mine.csv -o @{step}.csv"),
                HasSubstr("do not tell their step"));
    EXPECT_THAT(Refusal(values + " --top-k 0"), HasSubstr("--top-k: "));
    EXPECT_THAT(Refusal(values + " --csv @no/x.csv"), HasSubstr("no/x.csv"));
    PutValues(3, 0, {1, 0});
    EXPECT_THAT(Refusal(values), HasSubstr("3-0: a: has 2 elements, the first file's has 4"));
    EXPECT_THAT(Refusal("trace measure @3-0 --trace @mine.csv"),
                HasSubstr("3-0: a: has 2 elements, the trace's layer has 4"));
    PutValues(3, 0, {1, 0, std::numeric_limits<float>::quiet_NaN(), 0});
    EXPECT_THAT(Refusal(values + " --csv @x.csv"), HasSubstr("3-0: a: its value 2 is NaN"));
    EXPECT_THAT(Files(), testing::UnorderedElementsAre("mine.csv", "1-0", "2-0", "3-0"));
}

/* The file ends within the tensor; then within the header, whose length says 2^56 bytes. */
TEST_F(TraceMeasureTest, RefusesFilesThatAreCutOff)
{
    PutValues(1, 0, {1, 0, 0, 0});
    const auto whole = Read("1-0");
    Put("cut", whole.substr(0, whole.size() - 1));
    EXPECT_THAT(Refusal("trace measure @cut"),
                HasSubstr("cut: a: its data_offsets do not lie within the file"));
    Put("cut", std::string(7, '\0') + '\1' + whole.substr(8));
    EXPECT_THAT(Refusal("trace measure @cut"), HasSubstr("is larger than the file or than 16 MiB"));
    Put("cut", "");
    EXPECT_THAT(Refusal("trace measure @cut"), HasSubstr("shorter than 8 bytes"));
}

} // namespace inca
