/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "base/input-file.h"
#include "import/import-text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace inca
{

namespace
{

std::string
NameOf(const std::string& text)
{
    return RecogniseFormat(ByteSource("file", text)).name;
}

const std::string DATA = "DATA\n2\n"
                         "conv1\t-1\t100\tNONE\t0\t70\tNONE\t0\t30\tALLREDUCE\t4000\t5\r\n"
                         "fc -1 200 NONE 0 80 NONE 0 40 ALLREDUCE 8000 6\n";

} // namespace

TEST(ImportFormats, AreRecognisedByContent)
{
    EXPECT_EQ(NameOf(R"({"schemaVersion": 1, "traceEvents": [)"), "kineto");
    EXPECT_EQ(NameOf(R"([{"ph": "X"}])"), "kineto");
    EXPECT_EQ(NameOf("\n {\"schema\": \"1.0.1\", \"nodes\": [{\"version\": 1}]}"), "pytorch-et");
    EXPECT_EQ(NameOf("DATA\n54\n"), "astra-sim");
    EXPECT_EQ(NameOf("HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 8\n"), "simai");
    EXPECT_EQ(NameOf(std::string("\x07\x0a\x05") + "0.0.4"), "chakra");
}

TEST(ImportFormats, AreNotGuessedAt)
{
    for (const auto* text : {"hello",
                             R"([{"comms": "all_reduce"}])",
                             "{}",
                             "[]",
                             "[1, 2]",
                             R"({"header": {}})",
                             "\xff\xfe",
                             "{"})
    {
        EXPECT_THROW(NameOf(text), InputError) << text;
    }
}

/* As PyTorch 1.10 and later log it for each rank. All-reduces overlap with the last 6 us of backward, so the first bucket
 * is ready after 4; the 6, and the 9 of forward, are shared out 10 to 20 and 30 to 10 to 20. The second rank logs last. */
TEST(DdpLog, HasBucketsAndMeanTimes)
{
    const auto times = [](const char* rank, int forward) {
        return "I0607 16:18:58 1 logger.cpp:344] [Rank " + std::string(rank) +
               " / 2] Training Net unused_parameter_size=0\n Avg forward compute time: " +
               std::to_string(forward) + " \n Avg backward compute time: 10000 \n" +
               "Avg backward comm. time: 8000 \n Avg backward comm/comp overlap time: 6000\n";
    };
    const std::string text =
        "epoch 0\nI0607 16:10:35 1 logger.cpp:173] [Rank 0]: DDP Initialized with: \n"
        "bucket_cap_bytes: 26214400\ntotal_parameter_size_bytes: 120\nworld_size: 2\n"
        "bucket_sizes: 120\ndtypes: float\nmodule_name: Net\n";
    const auto rebuilt = text + "{'rebuilt_bucket_sizes': '60, 20, 40', 'x': 1}\n" + times("0", 1) +
                         times("1", 9000);
    const auto imported = ImportText(rebuilt);
    EXPECT_EQ(LayersOf(imported), "bucket-3 10: 3 4 0; bucket-2 5: 1 2 0; bucket-1 15: 4 4 0");
    EXPECT_EQ(imported.trace.model, "Net");
    EXPECT_EQ(imported.workers, 2U);
    ExpectTold(
        imported,
        {"1 x mean time of all-reduces: 8.000 us from the first's begin", "updates take no time"});
    const auto first = ImportText(text + times("0", 9000)); // in one line, too
    EXPECT_EQ(LayersOf(first), "bucket-1 30: 9 10 0");
    ExpectTold(first, {"buckets are those that DDP began with", "no exchange can overlap"});
    EXPECT_EQ(
        LayersOf(ImportText("DDP Initialized with: \nworld_size: 4, parameter_dtype: c10::Half, "
                            "bucket_sizes: 20, 40, CUDA_VISIBLE_DEVICES: N/A\n")),
        "bucket-2 20: 0 0 0; bucket-1 10: 0 0 0");
}

namespace
{

/** The seeds of the importers' fuzz target: a small file of each format, after a byte of options. */
std::vector<std::string>
SmallFiles()
{
    std::vector<std::string> files;
    const std::filesystem::path folder(INCA_SOURCE_DIR "/test/fuzz/corpus/import");
    for (const auto& entry : std::filesystem::directory_iterator(folder))
    {
        const auto text = ReadInputFile(entry.path().string(), 1U << 20U, "").substr(1);
        if (text.find('\x1e') == std::string::npos) // of two files in one
        {
            files.push_back(text);
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

} // namespace

TEST(HostileFiles, AreImportedWhereNothingIsWrong)
{
    const auto files = SmallFiles();
    EXPECT_GE(files.size(), 8U);
    for (const auto& text : files)
    {
        EXPECT_EQ(RefusalOf(text), "") << text;
    }
}

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

/* ZeRO-3 gathers a layer's weights before each pass: of one GPU that shares no layer, or in the group of data-parallel
 * workers by name, that is no tensor parallelism. Where one line has all gradients, nothing overlaps. */
TEST(WorkloadText, KnowsWeightGathers)
{
    const std::string line = "\n1\nconv -1 1 ALLGATHER 500 1 NONE 0 1 REDUCESCATTER 500 1\n";
    const std::string named = "\n1\nconv -1 1 ALLGATHER_DP 500 1 NONE 0 1 REDUCESCATTER 500 1\n";
    const std::string transformer = "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: ";
    for (const auto& text : {"DATA" + line, transformer + "1" + line, transformer + "8" + named})
    {
        ExpectTold(ImportText(text),
                   {"1 x ALLGATHER of forward, 500 B: gathers weights, as ZeRO-3 does",
                    "all gradients are those of one layer, 'conv': no exchange can overlap"});
    }
    ExpectTold(ImportText(transformer + "8" + line),
               {"ALLGATHER of forward, 500 B: tensor parallel"});
}

TEST(WorkloadText, MayHaveOtherLayersThanItSays)
{
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
}

} // namespace inca
