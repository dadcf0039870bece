/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "base/input-file.h"
#include "base/whole-file.h"
#include "cli/command-output.h"
#include "support/own-path.h"
#include "trace/native-trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace inca
{

namespace
{

class TraceImportTest : public testing::Test
{
  protected:
    void SetUp() override
    {
        std::filesystem::create_directories(m_folder);
        WriteWholeFile(m_workload, "DATA\n1\nfc -1 100 NONE 0 70 NONE 0 30 ALLREDUCE 4000 5\n");
    }

    void TearDown() override
    {
        std::filesystem::remove_all(m_folder);
    }

    std::string m_folder = OwnPath();
    std::string m_workload = m_folder + "/workload.txt";
    std::string m_out = m_folder + "/mine.csv";
};

} // namespace

/* 100 ns forward, 30 backward (the first layer's input gradient is left out), 1000 values. */
TEST_F(TraceImportTest, WritesATraceAndAReport)
{
    const auto report = OutputOf("trace import " + m_workload + " -o " + m_out);
    EXPECT_THAT(report, testing::HasSubstr("workload.txt: astra-sim, 54 B"));
    EXPECT_THAT(report, testing::HasSubstr("bytes      4000 of gradients in, 4000 out"));
    const auto trace = ReadTrace(m_out);
    EXPECT_EQ(trace.Elements(), 1000U);
    EXPECT_EQ(trace.layers[0].backwardPs, 30'000);
}

TEST_F(TraceImportTest, LeavesNothingOfWhatIsRefused)
{
    EXPECT_THROW(OutputOf("trace import " + m_workload + " --format kineto -o " + m_out),
                 InputError);
    EXPECT_THROW(OutputOf("trace import " + m_workload + " --times kernel -o " + m_out),
                 InputError);
    EXPECT_THROW(OutputOf("trace import " + m_folder + "/none.txt -o " + m_out), InputError);
    EXPECT_FALSE(std::filesystem::exists(m_out));
    EXPECT_THROW(OutputOf("trace import " + m_workload + " -o " + m_folder + "/no/mine.csv"),
                 InputError);
    EXPECT_THROW(OutputOf("trace import " + m_workload), CLI::ParseError);
    EXPECT_THROW(OutputOf("trace import " + m_workload + " -o " + m_workload), InputError);
}

TEST_F(TraceImportTest, ScalesWhatWasImported)
{
    OutputOf("trace import " + m_workload + " --batch 32 -o " + m_out);
    const auto text =
        OutputOf("trace scale " + m_out + " --batch 64 --compute 0.5 --gradient-type bf16");
    const auto scaled = ParseTrace(text, "scaled.csv");
    EXPECT_EQ(scaled.batch, 64U);
    EXPECT_EQ(scaled.layers[0].forwardPs, 100'000); // twice the samples, twice as fast
    EXPECT_EQ(scaled.layers[0].updatePs, 2'500);
    EXPECT_EQ(scaled.gradientType, "bf16");
    OutputOf("trace scale " + m_out + " --compute 2 -o " + m_folder + "/slow.csv");
    EXPECT_EQ(ReadTrace(m_folder + "/slow.csv").layers[0].forwardPs, 200'000);
}

/* Two all-reduces of 4,000 and 400 bytes on 2 workers. The second takes 100 us by its kernel, 0.004 GB/s; a
 * ring of 2 moves as many bytes over each link. INCA's first bucket takes more than both.               */
TEST_F(TraceImportTest, ListsAllReducesBesideBuckets)
{
    const auto profile = m_folder + "/profile.json";
    const auto sum = [](unsigned elements, unsigned begin) {
        return R"({"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce", "ts": )" +
               std::to_string(begin) +
               R"(, "dur": 100, "args": {"Collective name": "allreduce", )" +
               R"("dtype": "Float", "Group size": 2, "In msg nelems": )" +
               std::to_string(elements) + "}}";
    };
    WriteWholeFile(profile, R"({"traceEvents": [)" + sum(1000, 1) + "," + sum(100, 200) + "]}");
    const auto report = OutputOf("trace import " + profile + " -o " + m_out);
    EXPECT_THAT(
        report,
        testing::HasSubstr("all-reduce    bytes  INCA's      time       algbw       busbw"));
    EXPECT_THAT(report, testing::HasSubstr("1   4000    4400  100.0 us   0.04 GB/s   0.04 GB/s"));
    EXPECT_THAT(report, testing::HasSubstr("2    400       -  100.0 us  0.004 GB/s  0.004 GB/s"));
    EXPECT_THAT(report,
                testing::HasSubstr("INCA's 1 buckets (training.send = \"bucket\") are not the 2"));
}

TEST_F(TraceImportTest, ExportsAScenario)
{
    const auto scenario = m_folder + "/ring.toml";
    WriteWholeFile(scenario,
                   "[training]\ntrace = \"tensor:4000B\"\n[cluster]\nworkers = 4\n[exchange]\n"
                   "algorithm = \"ring\"\n");
    const auto out = m_folder + "/ring";
    EXPECT_THAT(OutputOf("export " + scenario + " --format goal -o " + out + ".goal"),
                testing::HasSubstr("ring.goal: 4 ranks"));
    EXPECT_THAT(ReadInputFile(out + ".goal", 1U << 20U, ""),
                testing::StartsWith("num_ranks 4\n\nrank 0 {\nl1: calc 0\n"));
    OutputOf("export " + scenario + " --format chakra -o " + out);
    for (const auto* rank : {".0.et", ".1.et", ".2.et", ".3.et"})
    {
        EXPECT_TRUE(std::filesystem::exists(out + rank)) << rank;
    }
    OutputOf("export " + scenario + " --format chakra --collectives -o " + out + "-all");
    EXPECT_THAT(OutputOf("trace import " + out + "-all.0.et -o " + m_out),
                testing::HasSubstr("4000 of gradients in, 4000 out"));
    EXPECT_THROW(
        OutputOf("export " + scenario + " --format goal --max-size 1000B -o " + out + "-no"),
        InputError); // 24 steps of at least 40 bytes fit, what is written does not
    EXPECT_FALSE(std::filesystem::exists(out + "-no"));
    EXPECT_THROW(OutputOf("export " + scenario + " --format gaol -o " + out), InputError);
    EXPECT_THROW(OutputOf("export " + scenario + " --format goal --collectives -o " + out),
                 InputError);
}

} // namespace inca
