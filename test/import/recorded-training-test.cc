/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/recorded-training.h"

#include "base/errors.h"
#include "import/torch-steps.h"

#include <gmock/gmock.h>

#include <string>
#include <tuple>
#include <vector>

namespace inca
{

namespace
{

/** @return how often sums are warned of to repeat; empty if they are not */
std::string
WarningOf(const std::vector<std::uint64_t>& sums)
{
    ImportReport report;
    EXPECT_EQ(IterationsOf(sums, {}, report), 1U);
    return report.Warnings().empty() ? "" : report.Warnings().front();
}

} // namespace

TEST(RepeatedSums, AreOneIterationAndWarnedOf)
{
    EXPECT_EQ(WarningOf({}), "");
    EXPECT_EQ(WarningOf({7}), "");
    EXPECT_EQ(WarningOf({7, 8, 7}), "");
    EXPECT_EQ(WarningOf({7, 8, 7, 8, 7}), "");
    EXPECT_THAT(WarningOf({7, 8, 7, 8, 7, 8}), testing::HasSubstr("they repeat 3 times"));
    EXPECT_THAT(WarningOf({7, 7}), testing::HasSubstr("they repeat 2 times"));
}

TEST(RepeatedSums, AreAsManyIterationsAsAUserSays)
{
    ImportReport report;
    ImportOptions options;
    options.iterations = 2;
    EXPECT_EQ(IterationsOf({7, 7, 7, 7}, options, report), 2U);
    EXPECT_THROW(IterationsOf({7, 8}, options, report), InputError);
    EXPECT_THROW(IterationsOf({7, 7, 7}, options, report), InputError);
    EXPECT_THROW(IterationsOf({}, options, report), InputError);
    options.iterations = 0;
    EXPECT_THROW(IterationsOf({7, 7}, options, report), InputError);
}

TEST(RecordedTraining, SharesOutToTheLast)
{
    EXPECT_THAT(SharedOut(10, {1, 1, 1}), testing::ElementsAre(3, 4, 3)); // 3.3, 6.7, 10 rounded
    EXPECT_THAT(SharedOut(10, {0, 0}), testing::ElementsAre(5, 5));
    EXPECT_THAT(SharedOut(7, {5}), testing::ElementsAre(7));
    EXPECT_THAT(SharedOut(7, {}), testing::IsEmpty());
}

TEST(RecordedTraining, TakesTheLowerOfTwoMedians)
{
    EXPECT_EQ(MedianOf({9, 1, 5}), 5);
    EXPECT_EQ(MedianOf({9, 1}), 1);
    EXPECT_EQ(MedianOf({}), 0);
}

/*
 * A GPU computes from 10 to 30 and, beside it, 20 to 40, launched at 5 and 6; a collective goes on from 35 to 60. Forward
 * is asked for until 5 and done at 30, backward until 8 and done at 40. What is waited for in the update, from 40
 * to 50, is the collective. Of the 30 that the GPU computes, 20 are launched by 5. Without a GPU the CPU's times count.
 */
TEST(TimesOfSteps, AreThoseOfWhatWasLaunched)
{
    TorchStep step;
    step.begin = 0;
    step.backwardBegin = 5;
    step.gradients.resize(1);
    step.gradients.front().readyAt = 8;
    step.updateBegin = 8;
    step.updateEnd = 50;
    TorchRecording gpu;
    gpu.work = {{5, 10, 30, false}, {6, 20, 40, false}, {7, 35, 60, true}};
    const std::tuple<TorchRecording, bool, std::vector<std::int64_t>> rows[] = {
        {gpu, false, {30, 10, 0}}, {gpu, true, {20, 10, 0}}, {{}, false, {5, 3, 42}}};
    for (const auto& [recording, kernelTimes, expected] : rows)
    {
        ImportOptions options;
        options.kernelTimes = kernelTimes;
        ImportReport report;
        const auto times =
            TimesOfSteps(recording, {step}, {{0, 1, "a", {1}, 0}}, options, report).front();
        EXPECT_EQ(std::vector({times.forward[0], times.backward[0], times.update}), expected);
    }
}

TEST(Collectives, AreKnownByAnyName)
{
    EXPECT_EQ(NormalisedCollective("ALL_REDUCE"), "allreduce");
    EXPECT_EQ(NormalisedCollective("_reduce_scatter_base"), "reducescatterbase");
    EXPECT_TRUE(IsSum("reducescatterbase"));
    EXPECT_TRUE(IsSum("allreducecoalesced"));
    EXPECT_FALSE(IsSum("allgather"));
    EXPECT_FALSE(IsSum("reduce"));
}

TEST(ElementTypes, AreKnownByAnyName)
{
    for (const auto& [name, type, bytes] :
         std::vector<std::tuple<std::string, std::string, unsigned>>{{"Float", "fp32", 4},
                                                                     {"c10::BFloat16", "bf16", 2},
                                                                     {"torch.float16", "fp16", 2},
                                                                     {"long int", "int64", 8},
                                                                     {"Float8_e4m3fn", "fp8", 1}})
    {
        const auto found = FindElementType(name);
        ASSERT_TRUE(found) << name;
        EXPECT_EQ(found->name, type);
        EXPECT_EQ(found->bytes, bytes) << name;
    }
    EXPECT_FALSE(FindElementType("Flo"));
    EXPECT_EQ(BytesOfGradientType("bf16"), 2U);
    EXPECT_EQ(BytesOfGradientType("int64"), 0U);
}

} // namespace inca
