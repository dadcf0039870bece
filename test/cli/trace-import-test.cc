/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/codec-fixture.h"
#include "trace/native-trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

namespace
{

using testing::HasSubstr;

class TraceImportTest : public CodecFixture
{
  protected:
    TraceImportTest()
    {
        Put("workload.txt", "DATA\n1\nfc -1 100 NONE 0 70 NONE 0 30 ALLREDUCE 4000 5\n");
    }
};

} // namespace

/* 100 ns forward, 30 backward (the first layer's input gradient is left out), 1000 values. */
TEST_F(TraceImportTest, WritesATraceAndAReport)
{
    const auto report = Output("trace import @workload.txt -o @mine.csv");
    EXPECT_THAT(report, HasSubstr("workload.txt: astra-sim, 54 B"));
    EXPECT_THAT(report, HasSubstr("bytes      4000 of gradients in, 4000 out"));
    const auto trace = ReadTrace(Path("mine.csv"));
    EXPECT_EQ(trace.Elements(), 1000U);
    EXPECT_EQ(trace.layers[0].backwardPs, 30'000);
}

TEST_F(TraceImportTest, LeavesNothingOfWhatIsRefused)
{
    EXPECT_THROW(Output("trace import @workload.txt --format kineto -o @mine.csv"), InputError);
    EXPECT_THROW(Output("trace import @none.txt -o @mine.csv"), InputError);
    EXPECT_FALSE(std::filesystem::exists(Path("mine.csv")));
}

TEST_F(TraceImportTest, ScalesWhatWasImported)
{
    Output("trace import @workload.txt --batch 32 -o @mine.csv");
    const auto text = Output("trace scale @mine.csv --batch 64 --compute 0.5 --gradient-type bf16");
    const auto scaled = ParseTrace(text, "scaled.csv");
    EXPECT_EQ(scaled.batch, 64U);
    EXPECT_EQ(scaled.layers[0].forwardPs, 100'000); // twice the samples, twice as fast
    EXPECT_EQ(scaled.layers[0].updatePs, 2'500);
    EXPECT_EQ(scaled.gradientType, "bf16");
    Output("trace scale @mine.csv --compute 2 -o @slow.csv");
    EXPECT_EQ(ReadTrace(Path("slow.csv")).layers[0].forwardPs, 200'000);
}

/* Two all-reduces of 4,000 and 400 bytes on 2 workers. The second takes 100 us by its kernel, 0.004 GB/s; a
 * ring of 2 moves as many bytes over each link. INCA's first bucket takes more than both.               */
TEST_F(TraceImportTest, ListsAllReducesBesideBuckets)
{
    const auto sum = [](unsigned elements, unsigned begin) {
        return R"({"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce", "ts": )" +
               std::to_string(begin) +
               R"(, "dur": 100, "args": {"Collective name": "allreduce", )" +
               R"("dtype": "Float", "Group size": 2, "In msg nelems": )" +
               std::to_string(elements) + "}}";
    };
    Put("profile.json", R"({"traceEvents": [)" + sum(1000, 1) + "," + sum(100, 200) + "]}");
    const auto report = Output("trace import @profile.json -o @mine.csv");
    EXPECT_THAT(report, HasSubstr("all-reduce    bytes  INCA's      time       algbw       busbw"));
    EXPECT_THAT(report, HasSubstr("1   4000    4400  100.0 us   0.04 GB/s   0.04 GB/s"));
    EXPECT_THAT(report, HasSubstr("2    400       -  100.0 us  0.004 GB/s  0.004 GB/s"));
    EXPECT_THAT(report, HasSubstr("INCA's 1 buckets (training.send = \"bucket\") are not the 2"));
}

TEST_F(TraceImportTest, ExportsAScenario)
{
    Put("ring.toml",
        "[training]\ntrace = \"tensor:4000B\"\n[cluster]\nworkers = 4\n[exchange]\n"
        "algorithm = \"ring\"\n");
    EXPECT_THAT(Output("export @ring.toml --format goal -o @ring.goal"),
                HasSubstr("ring.goal: 4 ranks"));
    EXPECT_THAT(Read("ring.goal"), testing::StartsWith("num_ranks 4\n\nrank 0 {\nl1: calc 0\n"));
    Output("export @ring.toml --format chakra -o @ring");
    for (const auto* rank : {".0.et", ".1.et", ".2.et", ".3.et"})
    {
        EXPECT_TRUE(std::filesystem::exists(Path("ring" + std::string(rank)))) << rank;
    }
    Output("export @ring.toml --format chakra --collectives -o @ring-all");
    EXPECT_THAT(Output("trace import @ring-all.0.et -o @mine.csv"),
                HasSubstr("4000 of gradients in, 4000 out"));
    EXPECT_THROW(Output("export @ring.toml --format goal --max-size 1000B -o @ring-no"),
                 InputError); // 24 steps of at least 40 bytes fit, what is written does not
    EXPECT_FALSE(std::filesystem::exists(Path("ring-no")));
}

} // namespace inca
