/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/job-builder.h"
#include "support/settings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>

namespace inca
{

namespace
{

/** Of all messages of the ranks from @p first on. */
std::uint64_t
MostElements(const Scenario& scenario, Rank first = 0)
{
    const auto prepared = PrepareJob(Resolve(scenario));
    const auto& plan = *prepared.job->chunks.front().rounds.front().plan;
    std::uint64_t most = 0;
    for (Rank rank = first; rank < plan.RankCount(); ++rank)
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
    for (const std::string type : {"fp32", "bf16", "fp16"})
    {
        const auto of = [&type](const std::string& settings) {
            return With({}, "training.trace=tensor:1MiB training.gradient_type=" + type + settings);
        };
        const auto expected = type == "fp32" ? 4'096U : 8'192U;
        for (const std::string algorithm : {"ring", "tree"})
        {
            const auto chunks =
                of(" exchange.algorithm=" + algorithm + " " + algorithm + ".chunk_bytes=16KiB");
            EXPECT_EQ(MostElements(chunks), expected) << algorithm << " " << type;
            EXPECT_EQ(MostElements(With(chunks, "codec.name=truncate")), expected) << type;
        }
    }
}

} // namespace inca
