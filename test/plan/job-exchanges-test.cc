/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/job-exchanges.h"

#include "plan/job-builder.h"
#include "trace/trace-catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace inca
{

namespace
{

/** Elements of each bucket, as backward finishes them. */
std::vector<std::uint64_t>
BucketsOf(const Scenario& scenario)
{
    const auto prepared = PrepareJob(scenario);
    std::vector<std::uint64_t> elements;
    for (const auto& chunk : prepared.job->chunks)
    {
        elements.push_back(chunk.range.count);
    }
    EXPECT_EQ(elements.size(), prepared.job->buckets.size()); // a chunk each
    return elements;
}

} // namespace

using testing::ElementsAre;

/* What three projects' public traces of PyTorch's DDP agree on, with 2, 15, 12, 51 and 81 parameters. */
TEST(JobExchanges, ResNet50HasPyTorchsBuckets)
{
    Scenario scenario;
    scenario.training.trace = "resnet-50";
    EXPECT_THAT(BucketsOf(scenario),
                ElementsAre(2'049'000, 7'875'584, 6'563'840, 6'637'568, 2'431'040));
}

/* Measured on rows of whole tensors, the same parameters make the same buckets. */
TEST(JobExchanges, BucketsDoNotDependOnHowRowsAreCut)
{
    Scenario scenario;
    scenario.training.trace = "resnet50-a100";
    EXPECT_THAT(BucketsOf(scenario),
                ElementsAre(2'049'000, 7'875'584, 6'563'840, 6'637'568, 2'431'040));
}

/* Of 2 bytes 25 MiB are 13,107,200 elements. The 15 parameters of the second bucket above are fewer, and so are
 * the first 11 of the third's 12, all but a convolution of 2,359,296, with them: 12,080,128. So those 27 are one
 * bucket of 7,875,584 + 6,563,840, and what is left is 6,637,568 + 2,431,040. */
TEST(JobExchanges, LimitsAreBytesOfTheGradientsType)
{
    Scenario scenario;
    scenario.training.trace = "resnet-50";
    scenario.training.gradientType = "bf16";
    EXPECT_THAT(BucketsOf(scenario), ElementsAre(2'049'000, 14'439'424, 9'068'608));
}

/* The rule of earlier versions: whole layers, at most 25 MiB, from the last one on: fc has 2,049,000, and
 * 6,553,600 elements are the most. */
TEST(JobExchanges, FusedBucketsHoldWholeLayers)
{
    Scenario scenario;
    scenario.training.trace = "resnet-50";
    scenario.training.send = "fused";
    for (const auto elements : BucketsOf(scenario))
    {
        EXPECT_LE(elements, 6'553'600U);
    }
}

} // namespace inca
