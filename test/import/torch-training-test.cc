/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/torch-steps.h"

#include "import/import-text.h"
#include "import/torch-text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

namespace
{

/** Two layers: of 30 elements, then of 200 + 10; shapes only if @p shapes. From @p at on (us). */
void
AddStep(KinetoText& text, unsigned number, double at, bool shapes)
{
    text.Range("ProfilerStep#" + std::to_string(number), at, at + 260)
        .Range("DistributedDataParallel.forward", at, at + 38)
        .Forward(at + 10, at + 12, 2 * number + 1)
        .Forward(at + 25, at + 28, 2 * number + 2)
        .Range("## backward ##", at + 40, at + 90)
        .Node(at + 45, at + 48, 2 * number + 2)
        .Copy(at + 50, at + 55, shapes ? "10" : "")
        .Copy(at + 60, at + 62, shapes ? "20, 10" : "")
        .AllReduce(at + 63, 210)
        .Node(at + 65, at + 68, 2 * number + 1)
        .Copy(at + 70, at + 75, shapes ? "30" : "")
        .AllReduce(at + 76, 30)
        .Range("Optimizer.step#SGD.step", at + 90, at + 98);
}

void
AddKernels(KinetoText& text)
{
    text.Kernel(11, 12, 60)
        .Kernel(26, 60, 100)
        .Kernel(46, 100, 150)
        .Kernel(64, 150, 200, true)
        .Kernel(66, 150, 180)
        .Kernel(77, 200, 250, true)
        .Kernel(91, 250, 258);
}

std::string
Profile(bool kernels, bool shapes = true)
{
    KinetoText text;
    AddStep(text, 1, 0, shapes);
    if (kernels)
    {
        AddKernels(text);
    }
    return text.Text();
}

std::string
ExecutionTrace()
{
    return ExecutionTraceText()
        .Node("ProfilerStep#1")
        .Operator()
        .Copy("10")
        .Copy("20, 10")
        .AllReduce(210)
        .Operator()
        .Copy("30")
        .AllReduce(30)
        .Node("Optimizer.step#SGD.step")
        .Text();
}

/** Imports @p files, and expects @p layers and, in the report, each of @p told. */
ImportedTrace
Import(const std::vector<std::pair<std::string, std::string>>& files,
       const std::string& layers,
       const std::vector<std::string>& told,
       const ImportOptions& options = {})
{
    auto imported = ImportTexts(files, options);
    EXPECT_EQ(LayersOf(imported), layers);
    ExpectTold(imported, told);
    return imported;
}

ImportedTrace
Import(const KinetoText& text,
       const std::string& layers,
       const std::vector<std::string>& told,
       const ImportOptions& options = {})
{
    return Import({{"file", text.Text()}}, layers, told, options);
}

} // namespace

/* On the CPU alone: the first layer's forward is from 0 until the second's operator begins at 25, that one's
 * until backward begins at 40. The second, which is ready last and so the model's first, is ready at 62, 22 us
 * later, the first at 75. The optimizer's 8 us are shared out 30 to 210.                                     */
TEST(TorchTraining, TakesTimesOfTheCpu)
{
    const auto imported = Import({{"file", Profile(false)}},
                                 "addmm-1 30: 25 13 1; addmm-2 200 10: 15 22 7",
                                 {"file: 3 gradients add up to each of 2 all-reduces"});
    EXPECT_EQ(imported.trace.gradientType, "fp32");
    EXPECT_EQ(imported.trace.valueClass, "measured");
    EXPECT_EQ(imported.report.bytesIn, 960U);
    EXPECT_EQ(imported.sums.each[0].ps, std::nullopt);
}

/* A GPU behind the CPU: what was launched until 25 us is done at 60, until 40 at 100, until 62 at 150, until
 * 75 at 180. The optimizer is asked for at 90, when the GPU is at 180, and done at 258: 78 us, in 70 of
 * which only the all-reduces go on. These are asked for at 63 and 76; what is launched then goes on from 150
 * to 200 and from 200 to 250: 50 us each.                      */
TEST(TorchTraining, TakesTimesOfTheGpu)
{
    const auto imported =
        Import({{"file", Profile(true)}}, "addmm-1 30: 60 30 1; addmm-2 200 10: 40 50 7", {});
    EXPECT_EQ(imported.trace.device, "A100");
    EXPECT_THAT(imported.report.Warnings(), testing::IsEmpty());
    ASSERT_EQ(imported.sums.each.size(), 2U);
    EXPECT_EQ(imported.sums.each[0].bytes, 840U);
    EXPECT_EQ(imported.sums.each[0].ps, 50 * US);
    EXPECT_EQ(imported.sums.each[1].ps, 50 * US);
    EXPECT_EQ(imported.workers, 2U);
}

/* Without shapes, each all-reduce is a layer: ready at 62 and 75. What an execution trace knows tells them apart. */
TEST(TorchTraining, TakesSizesFromTheExecutionTraceAndTimesFromTheProfile)
{
    Import({{"file", Profile(false, false)}}, "bucket-2 30: 25 13 1; bucket-1 210: 15 22 7", {});
    Import({{"et.json", ExecutionTrace()}, {"kineto.json", Profile(false, false)}},
           "addmm-1 30: 25 13 1; addmm-2 200 10: 15 22 7",
           {"2 all-reduces have the same sizes in et.json and kineto.json"});
    const auto imported = Import(
        {{"file", ExecutionTrace()}}, "addmm-1 30: 0 0 0; addmm-2 200 10: 0 0 0", {"no times"});
    EXPECT_EQ(imported.trace.valueClass, "assumed");
    EXPECT_THAT(imported.trace.notes,
                testing::Contains(testing::Pair("exchanged_elements", "210 30")));
    const auto other = ExecutionTraceText().Operator().Copy("40").AllReduce(40).Text();
    EXPECT_THROW(ImportTexts({{"et.json", other}, {"kineto.json", Profile(false)}}), InputError);
    EXPECT_THROW(ImportTexts({{"a.json", Profile(false)}, {"b.json", Profile(false)}}), InputError);
}

/* The older schema, of one GPU: AccumulateGrad has the shapes, and nothing is exchanged. What has id 9 is ready last. */
TEST(TorchTraining, ReadsTheOlderSchema)
{
    Import(
        {{"file",
          R"({"schema": "1.0.1", "nodes": [)"
          R"({"name": "torch::autograd::AccumulateGrad", "id": 9, "parent": 8, "input_shapes": [[4, 5]]},)"
          R"({"name": "torch::autograd::AccumulateGrad", "id": 5, "parent": 4, "input_shapes": [[5]]}]})"}},
        "parameter-1 20: 0 0 0; parameter-2 5: 0 0 0",
        {"no all-reduces"});
}

/* PyTorch 1.13 as Debian has it: no record_param_comms, and a profile without categories and shapes. The
 * second layer's gradients are ready at 60 and 65, 25 us after autograd's first node, the first's at 80.  */
TEST(TorchTraining, ReadsWhatDebiansPyTorchWrites)
{
    const auto node = [](const std::string& name, int id, const std::string& shape) {
        return R"({"name": ")" + name + R"(", "id": )" + std::to_string(id) +
               R"(, "input_shapes": [[)" + shape + R"(]], "input_types": ["Tensor(float\u0029"]})";
    };
    const std::string operation = "autograd::engine::evaluate_function: AddmmBackward0";
    const std::string gradient = "torch::autograd::AccumulateGrad";
    const std::string et = R"({"schema": "1.0.1", "nodes": [)" + node(operation, 1, "") + ", " +
                           node(gradient, 2, "5") + ", " + node(gradient, 3, "5, 4") + ", " +
                           node("gloo:all_reduce", 4, "25") + ", " + node(operation, 5, "") + ", " +
                           node(gradient, 6, "8") + ", " + node("gloo:all_reduce", 7, "8") + "]}";
    std::string profile;
    const auto add = [&profile](const std::string& name, int begin, int end) {
        profile += (profile.empty() ? "[" : ", ") + std::string(R"({"name": ")") + name +
                   R"(", "ph": "X", "ts": )" + std::to_string(begin) + R"(, "dur": )" +
                   std::to_string(end - begin) +
                   R"(, "tid": 1, "pid": "CPU functions", "args": {}})";
    };
    add("DistributedDataParallel.forward", 0, 30);
    add(operation, 40, 55);
    add(gradient, 56, 60);
    add(gradient, 61, 65);
    add(operation, 66, 70);
    add(gradient, 75, 80);
    add("Optimizer.step#SGD.step", 90, 100);
    const auto imported = Import({{"et.json", et}, {"profile.json", profile + "]"}},
                                 "addmm-1 8: 9 15 2; addmm-2 20 5: 30 25 7",
                                 {"et.json: 3 gradients add up to each of 2 all-reduces"});
    EXPECT_EQ(imported.trace.gradientType, "fp32");
    EXPECT_EQ(imported.report.bytesIn, 132U);
}

/* All-reduces check what is between them; what is exchanged counts, where gradients contradict it. */
TEST(TorchTraining, RefusesGradientsThatDoNotAddUp)
{
    const auto text = ExecutionTraceText().Operator().Copy("10").AllReduce(12).Text();
    EXPECT_THAT(RefusalOf(text), testing::HasSubstr("12 elements, the gradients before them 10"));
    const auto imported = ImportText(text, Lenient());
    EXPECT_EQ(imported.trace.Elements(), 12U);
    EXPECT_EQ(imported.report.bytesIn, imported.report.bytesOut);
}

/* Iterations of 22, 22 and 52 us of the second layer's backward: the median is 22. The fourth exchanges
 * something else.                                                                                     */
TEST(TorchTraining, TakesMediansOfIterations)
{
    KinetoText text;
    AddStep(text, 1, 0, true);
    AddStep(text, 2, 1000, true);
    text.Range("ProfilerStep#3", 2000, 2260)
        .Range("## backward ##", 2010, 2090)
        .Node(2045, 2048, 8)
        .Copy(2050, 2055, "10")
        .Copy(2060, 2062, "20, 10")
        .AllReduce(2063, 210)
        .Node(2065, 2068, 7)
        .Copy(2070, 2075, "30")
        .AllReduce(2076, 30);
    text.Range("ProfilerStep#4", 3000, 3260)
        .Node(3045, 3048, 9)
        .Copy(3050, 3055, "10")
        .AllReduce(3063, 10);
    Import(text,
           "addmm-1 30: 25 13 1; addmm-2 200 10: 15 22 7",
           {"file: 3 iterations exchange the same", "1 x iteration: exchanges something else"});
}

/* Of 260 us, collectives go on alone for 39 + 29, and 8 are computed of the 192 that are left. Where they go on for
 * 134 + 29 alone (of gloo on the CPU, too), 60 of the 97 that are left are computed: these are no times of the CPU. */
TEST(TorchTraining, WarnsOfRunsBoundByTheCpu)
{
    const auto warnings = [](KinetoText text) {
        AddStep(text, 1, 0, true);
        return ImportText(text.Text()).report.Warnings();
    };
    EXPECT_THAT(
        warnings(
            KinetoText().Kernel(11, 12, 20).Kernel(80, 81, 120, true).Kernel(81, 121, 150, true)),
        testing::Contains(testing::HasSubstr("the GPU computes for 8.000 us of 192.0 us")));
    const auto computed = KinetoText().Kernel(11, 12, 72);
    const auto both = KinetoText(computed).Kernel(64, 82, 216, true).Kernel(77, 216, 245, true);
    EXPECT_THAT(warnings(both), testing::IsEmpty());
    EXPECT_THAT(warnings(KinetoText(computed)
                             .Operator("gloo:all_reduce", 82, 216)
                             .Operator("gloo:all_reduce", 216, 245)),
                testing::IsEmpty());
}

TEST(TorchTraining, LeavesOutWhatIsNoGradient)
{
    auto text = KinetoText();
    AddStep(text, 1, 0, true);
    text.Operator("record_param_comms",
                  5,
                  6,
                  R"("Collective name": "broadcast", "In msg nelems": 53, "dtype": "Long",)"
                  R"("Process Group Name": "0", "Group size": 2)");
    text.Operator("record_param_comms",
                  99,
                  100,
                  R"("Collective name": "wait", "In msg nelems": 0, "dtype": "Byte")");
    const auto report = ImportText(text.Text()).report.Text();
    EXPECT_THAT(report, testing::HasSubstr("1 x broadcast of int64, 424 B: no sum of gradients"));
    EXPECT_THAT(report, testing::HasSubstr("1 x wait: moves nothing"));
}

TEST(TorchTraining, RefusesRangesThatOverlap)
{
    KinetoText steps;
    AddStep(steps, 1, 0, true);
    AddStep(steps, 2, 200, true);
    EXPECT_THAT(RefusalOf(steps.Text()),
                testing::HasSubstr("ProfilerStep#2 begins before ProfilerStep#1 has ended"));
}

/* A profile of gloo on the CPU: the backend's operators say what is exchanged, and when it is done. */
TEST(TorchTraining, TakesTheBackendsAllReduces)
{
    KinetoText text;
    text.Range("ProfilerStep#1", 0, 300)
        .Range("DistributedDataParallel.forward", 0, 30)
        .Node(40, 45, 1)
        .Copy(45, 50, "20, 10")
        .Copy(51, 55, "10")
        .Operator("gloo:all_reduce", 56, 96, R"("Input Dims": [[210]], "Input type": ["float"])");
    const auto imported = Import(
        text, "addmm-1 10 200: 40 15 0", {"file: 2 gradients add up to each of 1 all-reduces"});
    ASSERT_EQ(imported.sums.each.size(), 1U);
    EXPECT_EQ(imported.sums.each[0].bytes, 840U);
    EXPECT_EQ(imported.sums.each[0].ps, 40 * US);
}

/* Kernels alone, of two iterations of two all-reduces of 40 and 20 values, 3 and 2 us long. */
TEST(TorchTraining, TakesKernelsThatNothingMarks)
{
    KinetoText text;
    for (const double at : {0.0, 100.0})
    {
        for (const unsigned elements : {40U, 20U})
        {
            text.Event("kernel",
                       "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
                       at + 60 - elements,
                       elements == 40 ? 3 : 2,
                       R"("Collective name": "allreduce", "dtype": "Float", "Group size": 2, )"
                       R"("In msg nelems": )" +
                           std::to_string(elements));
        }
    }
    const auto imported = ImportText(text.Text());
    EXPECT_EQ(imported.trace.Elements(), 120U);
    EXPECT_THAT(imported.report.Warnings(),
                testing::Contains(testing::HasSubstr("they repeat 2 times: record one iteration")));
    EXPECT_EQ(imported.sums.each[0].ps, 3 * US);
    EXPECT_EQ(imported.sums.each[1].ps, 2 * US);
}

/* FSDP of 2 workers: a flat parameter of 31 values, of which each keeps 16, so that 32 are scattered. */
TEST(TorchTraining, TakesReduceScattersOfShards)
{
    const auto gather = R"("Collective name": "_allgather_base", "In msg nelems": 16, )"
                        R"("dtype": "BFloat16", "Group size": 2, "Process Group Name": "0")";
    const auto scatter = R"("Collective name": "_reduce_scatter_base", "In msg nelems": 32, )"
                         R"("dtype": "BFloat16", "Group size": 2, "Process Group Name": "0")";
    KinetoText text;
    text.Range("ProfilerStep#1", 0, 300)
        .Range("FullyShardedDataParallel.forward", 0, 30)
        .Operator("record_param_comms", 1, 2, gather)
        .Forward(10, 12, 1)
        .Node(40, 45, 1)
        .Operator("torch::autograd::AccumulateGrad", 46, 50, R"("Input Dims": [[31]])")
        .Operator("record_param_comms", 51, 52, scatter)
        .Range("Optimizer.step#AdamW.step", 90, 98);
    const auto imported = Import(text,
                                 "addmm-1 31: 40 10 8",
                                 {"1 x padding of reduce-scatters, 2 B",
                                  "1 x allgatherbase of bf16, 32 B: gathers weights"});
    EXPECT_EQ(imported.trace.gradientType, "bf16");
    EXPECT_EQ(imported.report.bytesIn, 62U);
}

/* A group of 2 workers scatters 16 values, and such groups sum each part of 8; --group does not make 2 workers of
 * them all. The parts of 24 values are not 8: these are other sums. */
TEST(TorchTraining, RefusesHybridSharding)
{
    const auto refusal = [](const char* scattered, const std::string& group) {
        const auto collective = [](const char* name, const char* elements, const char* of) {
            return std::string(R"("dtype": "Float", "Collective name": ")") + name +
                   R"(", "In msg nelems": )" + elements + R"(, "Group size": 2, )" +
                   R"("Process Group Name": ")" + of + "\"";
        };
        ImportOptions options;
        options.group = group;
        const auto text =
            KinetoText()
                .Node(40, 45, 1)
                .Operator("record_param_comms",
                          51,
                          52,
                          collective("_reduce_scatter_base", scattered, "1"))
                .Operator("record_param_comms", 53, 54, collective("allreduce", "8", "2"));
        return RefusalOf(text.Text(), options);
    };
    for (const auto* group : {"", "1", "2"})
    {
        EXPECT_THAT(refusal("16", group), testing::HasSubstr("file: hybrid sharding"));
    }
    EXPECT_EQ(refusal("24", "1"), "");
    EXPECT_THAT(refusal("24", "3"), testing::HasSubstr("no sums of gradients are of a group '3'"));
}

/* A layer of 7 + 4 values whose gradients no all-reduce takes, before and after 10 + 5 + 20 are summed. Of as many that
 * are not summed as are, those of a batch before would be others. */
TEST(TorchTraining, LeavesOutGradientsThatNoSumTakes)
{
    const auto before = ExecutionTraceText()
                            .Operator()
                            .Copy("10")
                            .Copy("5")
                            .Operator()
                            .Copy("7")
                            .Copy("4")
                            .Operator()
                            .Copy("20")
                            .AllReduce(35);
    const auto after = ExecutionTraceText()
                           .Operator()
                           .Copy("10")
                           .Copy("5")
                           .Operator()
                           .Copy("20")
                           .AllReduce(35)
                           .Operator()
                           .Copy("11");
    Import({{"file", before.Text()}},
           "addmm-1 20: 0 0 0; addmm-2 5 10: 0 0 0",
           {"2 x gradient, 44 B: no all-reduce takes it", "3 gradients add up to each of 1"});
    Import({{"file", after.Text()}},
           "addmm-1 20: 0 0 0; addmm-2 5 10: 0 0 0",
           {"1 x gradient, 44 B: no all-reduce takes it", "3 gradients add up to each of 1"});
    const auto batches =
        ExecutionTraceText().Operator().Copy("10").Operator().Copy("10").AllReduce(10);
    EXPECT_THAT(RefusalOf(batches.Text()),
                testing::HasSubstr("10 elements, the gradients before them 20"));
}

/* Batch normalisation of all workers together sums 6 values in backward, before 30 gradients are summed. */
TEST(TorchTraining, LeavesOutOtherSumsInBackward)
{
    KinetoText text;
    text.Range("ProfilerStep#1", 0, 300)
        .Node(40, 45, 1)
        .Copy(46, 50, "10")
        .AllReduce(51, 6)
        .Copy(60, 65, "20")
        .AllReduce(66, 30);
    Import(text, "addmm-1 20 10: 40 25 0", {"1 x sum in backward, 24 B: no gradients"});
}

/* With gradient_as_bucket_view DDP copies gradients in the first iteration alone. The 45 us of forward are shared out 30 to
 * 210, as operators of the others are not known. */
TEST(TorchTraining, TakesGradientsThatAreViewsOfBuckets)
{
    KinetoText text;
    AddStep(text, 1, 0, true);
    for (const unsigned step : {2U, 3U})
    {
        const auto at = 1000.0 * step;
        text.Range("ProfilerStep#" + std::to_string(step), at, at + 260)
            .Node(at + 45, at + 48, 2 * step + 2)
            .Operator(
                "torch::autograd::AccumulateGrad", at + 50, at + 55, R"("Input Dims": [[210]])")
            .AllReduce(at + 63, 210)
            .Node(at + 65, at + 68, 2 * step + 1)
            .Operator(
                "torch::autograd::AccumulateGrad", at + 70, at + 75, R"("Input Dims": [[30]])")
            .AllReduce(at + 76, 30);
    }
    Import(
        text, "addmm-1 30: 5 20 0; addmm-2 210: 39 10 0", {"file: 2 iterations exchange the same"});
}

/* Without the optimizer's ranges, a forward pass after backward begins the next iteration. */
TEST(TorchTraining, CutsIterationsAtForwardPasses)
{
    KinetoText text;
    for (const double at : {0.0, 1000.0})
    {
        text.Range("DistributedDataParallel.forward", at, at + 38)
            .Node(at + 45, at + 48, 1)
            .Copy(at + 50, at + 55, "10")
            .AllReduce(at + 63, 10);
    }
    Import(text, "addmm-1 10: 45 10 0", {"file: 2 iterations exchange the same"});
}

/* 10 and 20 values are ready before the sum of 20, then 30: another order than that of the buckets. */
TEST(TorchTraining, TakesGradientsThatAddUpInAnotherOrder)
{
    const auto text =
        ExecutionTraceText().Operator().Copy("10").Copy("20").AllReduce(20).Copy("30").AllReduce(
            40);
    Import({{"file", text.Text()}},
           "addmm-1 30 20 10: 0 0 0",
           {"3 gradients add up to 2 all-reduces together"});
}

/* What is unknown is refused with its place, where a gradient may hide in it; keys without a use are not. */
TEST(TorchTraining, RefusesWhatItDoesNotKnow)
{
    const auto kineto = [](const std::string& event) {
        return R"({"traceEvents": [)" + event +
               R"(, {"ph": "X", "cat": "cpu_op", "name": "record_param_comms", "ts": 1, "dur": 1, )"
               R"("args": {"Collective name": "allreduce", "In msg nelems": 10, "dtype": "Float"}}]})";
    };
    const auto trace = [](const std::string& schema, const std::string& node) {
        return R"({"schema": ")" + schema + R"(", "nodes": [)" + node +
               R"(, {"id": 2, "name": "record_param_comms", "attrs": [)"
               R"({"name": "collective_name", "value": "allreduce"}, )"
               R"({"name": "dtype", "value": "Float"}, {"name": "in_msg_nelems", "value": 10}]}]})";
    };
    const std::pair<std::string, std::string> cases[] = {
        {kineto(R"({"ph": "B", "name": "x", "ts": 1})"),
         "file:1: traceEvents[0].ph: PyTorch writes no event of phase 'B'"},
        {kineto(R"({"ph": "X", "cat": "cpu_op", "name": "record_param_comms", "ts": 1, "dur": 1, )"
                R"("args": {"Collective name": "broadcast", "In msg nelems": 3, "dtype": "Flo"}})"),
         "file:1: traceEvents[0].dtype: unknown type of elements 'Flo'"},
        {trace("2.0.0", R"({"id": 1, "name": "x"})"),
         "schema: unknown schema of an execution trace '2.0.0'"}};
    for (const auto& [text, refusal] : cases)
    {
        EXPECT_THAT(RefusalOf(text), testing::HasSubstr(refusal));
        EXPECT_THAT(ImportText(text, Lenient()).report.Warnings(),
                    testing::Contains(testing::HasSubstr(refusal.substr(0, 40))));
    }
    for (const auto& text :
         {R"({"my_run": 7, )" + kineto(R"({"ph": "M", "name": "x", "colour": 3})").substr(1),
          trace("1.0.1", R"({"id": 1, "name": "x", "colour": 1})"),
          trace("1.0.1", R"({"id": 1, "name": "x", "attrs": [{"name": "rfid", "value": 1}]})")})
    {
        EXPECT_EQ(RefusalOf(text), "") << text;
    }
    EXPECT_THAT(ImportText(kineto(R"({"ph": "X", "cat": "glue", "name": "x", "ts": 1, "dur": 1})"))
                    .report.Text(),
                testing::HasSubstr("1 x event glue: neither an operator nor work of a GPU"));
}

} // namespace inca
