/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/uneven-blocks.h"

#include "plan/job-builder.h"
#include "scenario/keys.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

using Settings = std::vector<std::pair<std::string, std::string>>;

/** A ring of 32 workers that add at no cost. */
Scenario
Ring(const Settings& settings)
{
    Scenario scenario;
    scenario.cluster.workers = 32;
    SetKey(scenario, "host.sum_rate", "none");
    for (const auto& [key, text] : settings)
    {
        SetKey(scenario, key, text);
    }
    return scenario;
}

constexpr std::uint64_t PAYLOAD_BYTES{1460};

double
MostUneven(const Settings& settings)
{
    const auto scenario = Ring(settings);
    const auto prepared = PrepareJob(scenario);
    const auto uneven = UnevennessOf(*prepared.job, scenario.cluster.workers, PAYLOAD_BYTES);
    return MostUneven(scenario, *prepared.job, uneven);
}

/** @return of which 32 workers have so many bytes each, and one a value more */
std::pair<std::string, std::string>
Tensor(std::uint64_t bytes)
{
    return {"training.trace", "tensor:" + std::to_string(32 * bytes + 4) + "B"};
}

} // namespace

/* 2920 bytes are two full frames, and a value more is a third: 38 bytes around each, and 40 of headers. */
TEST(UnevenBlocks, DifferInBytesAndInFrames)
{
    const auto prepared = PrepareJob(Ring({Tensor(2920)}));
    const auto uneven = UnevennessOf(*prepared.job, 32, PAYLOAD_BYTES);
    EXPECT_TRUE(uneven.inFrames);
    EXPECT_EQ(uneven.mostFrames, 2U);
    EXPECT_EQ(uneven.frames, 2U);
    EXPECT_DOUBLE_EQ(uneven.differingBytes, 32 * 4);
    const auto shorter = PrepareJob(Ring({Tensor(2900)}));
    EXPECT_FALSE(UnevennessOf(*shorter.job, 32, PAYLOAD_BYTES).inFrames);
}

/*
 * Of a lone exchange whose messages have more frames than are acknowledged at once (16) and fewer than 250, some workers stand
 * for all, and not one; but where fewer than 32 take part, or no miniature may be.
 */
TEST(UnevenBlocks, OfALoneExchangeAreNotBorneByOne)
{
    EXPECT_EQ(MostUneven({Tensor(100'000)}), 0);
    EXPECT_EQ(MostUneven({Tensor(23'000)}), MOST_UNEVEN_ALONE);  // 16 frames
    EXPECT_EQ(MostUneven({Tensor(365'000)}), MOST_UNEVEN_ALONE); // 250
    EXPECT_EQ(MostUneven({Tensor(363'000)}), 0);                 // 249
    EXPECT_EQ(MostUneven({Tensor(100'000), {"cluster.workers", "31"}}), MOST_UNEVEN_ALONE);
    EXPECT_EQ(MostUneven({Tensor(100'000), {"transport.window", "31"}}), MOST_UNEVEN_ALONE);
    EXPECT_EQ(MostUneven({Tensor(100'000), {"ring.channels", "2"}}), MOST_UNEVEN_ALONE);
}

TEST(UnevenBlocks, AreOfALoneRingInOneExchange)
{
    const auto isLone = [](const Settings& settings) {
        const auto scenario = Ring(settings);
        return IsLoneRing(scenario, *PrepareJob(scenario).job);
    };
    EXPECT_TRUE(isLone({Tensor(1000)}));
    EXPECT_FALSE(isLone({Tensor(1000), {"training.iterations", "2"}}));
    EXPECT_FALSE(isLone({Tensor(1000), {"exchange.chunk_bytes", "1kB"}}));
    EXPECT_FALSE(isLone({Tensor(1000), {"ring.chunk_bytes", "100B"}}));
    EXPECT_FALSE(isLone({Tensor(1000), {"exchange.algorithm", "halving-doubling"}}));
}

TEST(UnevenBlocks, MayBeOfAMiniature)
{
    EXPECT_TRUE(MayBeInMiniature(Ring({})));
    for (const auto& others : {Settings{{"cluster.workers", "31"}},
                               Settings{{"exchange.concurrent", "2"}},
                               Settings{{"transport.ack_every", "7"}},
                               Settings{{"transport.window", "31"}}})
    {
        EXPECT_FALSE(MayBeInMiniature(Ring(others)));
    }
}

} // namespace inca
