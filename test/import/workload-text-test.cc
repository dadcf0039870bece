/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/import-text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

namespace
{

const std::string DATA = "DATA\n2\n"
                         "conv1\t-1\t100\tNONE\t0\t70\tNONE\t0\t30\tALLREDUCE\t4000\t5\r\n"
                         "fc -1 200 NONE 0 80 NONE 0 40 ALLREDUCE 8000 6\n";

} // namespace

/* ns to ps: conv1's input gradient (70) is left out as the first layer's; fc computes 80 + 40 ns backward.
 * 4000 and 8000 bytes of fp32 are 1000 and 2000 elements.                                             */
TEST(WorkloadText, TakesLayersInNanoseconds)
{
    const auto imported = ImportText(DATA);
    EXPECT_EQ(LayersOf(imported, NS), "conv1 1000: 100 30 5; fc 2000: 200 120 6");
    EXPECT_EQ(imported.trace.valueClass, "derived");
    EXPECT_EQ(imported.report.bytesIn, 12'000U);
    ExpectTold(imported, {"times are in ns", "input gradient of the first layer"});
}

TEST(WorkloadText, TakesAnotherUnitAndTypeIfAsked)
{
    ImportOptions options;
    options.timeUnit = "us";
    options.gradientType = "bf16";
    const auto imported = ImportText(DATA, options);
    EXPECT_EQ(LayersOf(imported), "conv1 2000: 100 30 5; fc 4000: 200 120 6"); // 8000 bytes of 2
    EXPECT_EQ(imported.trace.gradientType, "bf16");
}

/* SimAI: 64 GPUs in tensor-parallel groups of 8 are 8 data-parallel workers. The attention's line has no
 * gradient: its 20 + 21 + 22 ns join those of the line before it. An all-gather and the all-reduces of
 * tensor parallelism are left out with their bytes.                                                    */
TEST(WorkloadText, LeavesOutOtherParallelism)
{
    const auto imported = ImportText(
        "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 8 ep: 1 pp: 1 vpp: 1 ga: 1 "
        "all_gpus: 64 checkpoints: 0 checkpoint_initiates: 0 pp_comm: 2e6\n3\n"
        "grad -1 1 ALLGATHER 500 2 NONE 0 3 REDUCESCATTER 1000 4\n"
        "attention -1 20 ALLREDUCE 700 21 ALLREDUCE 700 22 NONE 0 5\n"
        "expert -1 1 ALLTOALL_EP 300 1 NONE 0 1 ALLREDUCE_DP_EP 400 1\n");
    EXPECT_EQ(LayersOf(imported, NS), "grad 250: 21 48 9; expert 100: 1 2 1");
    ExpectTold(imported,
               {"1 x ALLREDUCE of forward, 700 B: tensor parallel",
                "1 x ALLTOALL of forward, 300 B: expert parallel",
                "pp_comm of the header, 1.907 MiB: pipeline parallel"});
    EXPECT_THAT(imported.trace.notes,
                testing::Contains(testing::Pair("data_parallel_workers", "8")));
}

TEST(WorkloadText, RefusesWhatItDoesNotKnow)
{
    const std::pair<std::string, std::string> rows[] = {
        {"1\nconv -1 1 NONE 0 1 NONE 0 1 ALLREDUSE 4 1\n",
         "file:3: collective: unknown 'ALLREDUSE'; did you mean 'ALLREDUCE'?"},
        {"2\nconv -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 4 1\n", "line 2 says 2 layers, 1 follow"},
        {"1\nconv -1 1 NONE 0 1 NONE 0 1\n", "12 fields"},
        {"1\nconv -1 -5 NONE 0 1 NONE 0 1 ALLREDUCE 4 1\n",
         "file:3: forward: must be a time from 0"},
        {"1\nconv -1 nan NONE 0 1 NONE 0 1 ALLREDUCE 4 1\n", "forward: must be a time"},
        {"1\nconv -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 5 1\n", "5 bytes are no whole fp32 values"},
        {"1\nconv -1 1 NONE 0 1 NONE 0 1 NONE 0 1\n", "nothing to import"}};
    for (const auto& [text, refusal] : rows)
    {
        EXPECT_THAT(RefusalOf("DATA\n" + text), testing::HasSubstr(refusal));
    }
    EXPECT_EQ(RefusalOf("DATA\n2\nconv 7 1 NONE 0 1 NONE 0 1 ALLREDUCE 4 1\n", Lenient()), "");
}

TEST(WorkloadText, ReadsTheHeadersOfAllKinds)
{
    const std::string lines = "\n1\nconv -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 4 1\n";
    const std::string transformer = "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 4 ";
    for (const auto* header : {"MICRO",
                               "MODEL",
                               "HYBRID_DATA_MODEL",
                               "HYBRID_DLRM 1",
                               "HYBRID_DLRM_ENHANCED 1",
                               "HYBRID_TRANSFORMER model_parallel_NPU_group: 4",
                               "HYBRID_TRANSFORMER_FWD_IN_BCKWD pp_comm 50331648.0 ep: 1"})
    {
        EXPECT_EQ(RefusalOf(header + lines), "");
    }
    const auto imported =
        ImportText(transformer + "checkpoints: 2 0 1 checkpoint_initiates: 1 1" + lines);
    EXPECT_THAT(imported.report.Text(), testing::HasSubstr("2 x checkpointing of the header"));
    EXPECT_THAT(RefusalOf(transformer + "pp: 1 2" + lines),
                testing::HasSubstr("file:1: pp: has 2 numbers, not one"));
    EXPECT_THAT(RefusalOf(transformer + "pp:" + lines),
                testing::HasSubstr("file:1: pp: has 0 numbers, not one"));
    EXPECT_THAT(RefusalOf(transformer + "all_gpus: 6" + lines),
                testing::HasSubstr("file:1: all_gpus: is no multiple of 4 of tensor"));
}

} // namespace inca
