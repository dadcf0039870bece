/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/recorded-training.h"

#include "support/why-not.h"

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
    WarnOfRepeats(sums, report);
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

/* Reduce-scatters of 64 and 96 B, whose parts are summed, by whatever number of workers; and each with two sums of 16 B. */
TEST(GroupSums, KnowHybridSharding)
{
    ImportOptions options;
    options.group = "1";
    ImportReport report;
    const auto group = [&](const std::vector<std::uint64_t>& others, std::uint64_t workers) {
        GroupSums sums("a.et");
        for (const std::uint64_t scattered : {64, 96})
        {
            sums.Add("1", scattered, true, workers);
            for (const auto other : others)
            {
                sums.Add("2", scattered / other, false);
            }
        }
        return WhyNot([&] { EXPECT_EQ(sums.DataParallelGroup(options, report), "1"); });
    };
    for (const std::uint64_t workers : {0, 4})
    {
        EXPECT_THAT(group({4}, workers), testing::HasSubstr("a.et: hybrid sharding"));
        EXPECT_EQ(group({4, 4}, workers), "");
        EXPECT_EQ(group({1}, workers), "");
    }
    EXPECT_EQ(group({2}, 4), "");
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
