/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/codec-fixture.h"
#include "cli/command-output.h"
#include "trace/native-trace.h"
#include "trace/safetensors-writer.h"

#include <gmock/gmock.h>

namespace inca
{

namespace
{

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

    /** The gradient of layer a that a worker has. */
    void PutValues(unsigned worker, const std::vector<float>& values) const
    {
        WriteSafetensors(Path(std::to_string(worker)), {{"a", {values.size()}, values}});
    }
};

} // namespace

/* Two workers, 3 of 8 values and 3 of 4 positions: density 0.375, union 0.75; independent workers would have
 * 1 - 0.625^2 = 0.609375. 1 is of 34 bits at every bound, a zero of 2: (5 * 2 + 3 * 34) / 8 = 14 bits, ratio
 * 32 / 14 = 2.286. */
TEST_F(TraceMeasureTest, PrintsEachLayer)
{
    PutValues(0, {1, 0, 0, 0});
    PutValues(1, {0, 1, 1, 0});
    const auto text = Output("trace measure @0 @1");
    EXPECT_THAT(text, HasSubstr("1 layer, 4 values, 16 B; 2 workers\n"));
    EXPECT_THAT(text,
                testing::ContainsRegex("\nall layers +37.5 % +75 % +60.94 % "
                                       "+2.286 +2.286 +2.286\n$"));
}

/* Of one worker there is no union; layers count by their elements: 2 of 5 values. */
TEST_F(TraceMeasureTest, OneWorkerHasNoUnion)
{
    WriteSafetensors(Path("0"), {{"a", {4}, {1, 1, 0, 0}}, {"b", {1}, {0}}});
    const auto text = Output("trace measure @0");
    EXPECT_THAT(text, testing::ContainsRegex("\na +50 % +- +- "));
    EXPECT_THAT(text, testing::ContainsRegex("\nb +0 % +- +- "));
    EXPECT_THAT(text, testing::ContainsRegex("\nall layers +40 % +- +- "));
}

/* Times and tensors stay; whatever the trace said of values goes, also widths, which would win. */
TEST_F(TraceMeasureTest, WritesATrace)
{
    PutValues(0, {1, 0, 0, 0});
    PutValues(1, {1, 0, 0, 0});
    Output("trace measure @0 @1 --trace @mine.csv -o @new.csv");
    const auto trace = ReadTrace(Path("new.csv"));
    EXPECT_EQ(trace.statsWorkers, 2U);
    const auto& layer = trace.layers.front();
    EXPECT_EQ(layer.backwardPs, 2000);
    EXPECT_THAT(layer.tensors, ElementsAre(3, 1));
    EXPECT_EQ(layer.statistics.density, 0.25);
    EXPECT_EQ(layer.statistics.unionDensity, 0.25);
    EXPECT_THAT(layer.statistics.widths, IsEmpty());
    EXPECT_THAT(layer.statistics.exponents, ElementsAre(Pair(0U, 0.75), Pair(127U, 0.25)));
    EXPECT_THAT(trace.notes, ElementsAre(Pair("statistics", "measured in gradients of 2 workers")));
}

} // namespace inca
