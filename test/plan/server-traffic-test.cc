/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/server-traffic.h"

#include "exchange/exchange-catalog.h"

#include <gtest/gtest.h>

namespace inca
{

/* Whoever walks all steps of every rank counts the same. */
TEST(ServerTraffic, CountsWhatEveryRankMoves)
{
    ExchangeSpec spec;
    spec.algorithm = "sharded-parameter-server";
    spec.workers = 6;
    const Framing framing{4, 20, 2}; // five values a frame
    const ServerTraffic traffic(spec.workers, framing);
    for (const std::uint64_t elements : {8U, 23U, 100U, 103U})
    {
        const auto plan = MakeStepPlan(spec, elements);
        for (Rank rank = 0; rank < plan->RankCount(); ++rank)
        {
            const auto walked = WalkedFrames(*plan, rank, framing);
            const auto counted = traffic.Of(rank, elements);
            EXPECT_EQ(counted.sent.elements, walked.sent.elements) << rank;
            EXPECT_EQ(counted.sent.frames, walked.sent.frames) << rank;
            EXPECT_EQ(counted.sent.wireBytes, walked.sent.wireBytes) << rank;
            EXPECT_EQ(counted.received.elements, walked.received.elements) << rank;
            EXPECT_EQ(counted.received.acknowledgements, walked.received.acknowledgements) << rank;
        }
    }
}

} // namespace inca
