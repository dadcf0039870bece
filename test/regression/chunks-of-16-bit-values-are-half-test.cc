/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/job-builder.h"
#include "scenario/keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>

namespace inca
{

namespace
{

/** Of all messages of a worker or aggregator. */
std::uint64_t
MostElements(const Scenario& scenario)
{
    const auto prepared = PrepareJob(scenario);
    const auto& plan = *prepared.job->chunks.front().rounds.front().plan;
    std::uint64_t most = 0;
    for (Rank rank = 0; rank < plan.RankCount(); ++rank)
    {
        for (std::uint32_t step = 0; step < plan.StepCount(rank); ++step)
        {
            for (const auto& transfer : plan.At(rank, step).sends)
            {
                most = std::max(most, transfer.range.count);
            }
        }
    }
    return most;
}

} // namespace

/* 16 KiB are 4,096 values of fp32 and 8,192 of bf16, be they chunks of a ring or of a tree, and whatever a codec makes
 * of them; they were cut as if all had 4 bytes. A ring of 4 has blocks of at least 65,536 values of 1 MiB, so none is
 * smaller than a chunk. */
TEST(Chunks, AreBytesOfTheGradientsType)
{
    for (const auto* settings : {"ring.chunk_bytes", "tree.chunk_bytes"})
    {
        const std::string key = settings;
        for (const auto* type : {"fp32", "bf16", "fp16"})
        {
            Scenario scenario;
            scenario.training.trace = "tensor:1MiB";
            scenario.training.gradientType = type;
            scenario.exchange.algorithm = key.substr(0, key.find('.'));
            SetKey(scenario, key, "16KiB");
            const auto expected = std::string(type) == "fp32" ? 4'096U : 8'192U;
            EXPECT_EQ(MostElements(scenario), expected) << key << " " << type;
            scenario.codec.name = "truncate";
            EXPECT_EQ(MostElements(scenario), expected) << key << " " << type;
        }
    }
}

/* Gradients of the chain's exchange travel whole: 262,144 values. The aggregator sends nothing else but weights. */
TEST(Chunks, SegmentsAreBytesOfWeights)
{
    Scenario scenario;
    scenario.training.trace = "tensor:1MiB";
    scenario.training.gradientType = "bf16";
    scenario.exchange.algorithm = "worker-aggregator";
    scenario.exchange.broadcast = "chain";
    scenario.exchange.segmentBytes = 16 * 1024;
    const auto prepared = PrepareJob(scenario);
    const auto& plan = *prepared.job->chunks.front().rounds.front().plan;
    const Rank aggregator = scenario.cluster.workers;
    for (std::uint32_t step = 0; step < plan.StepCount(aggregator); ++step)
    {
        for (const auto& transfer : plan.At(aggregator, step).sends)
        {
            EXPECT_EQ(transfer.range.count, 8'192U);
        }
    }
}

} // namespace inca
