/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/uneven-parts.h"

#include "exchange/exchange-catalog.h"
#include "exchange/traffic.h"

#include <gtest/gtest.h>

namespace inca
{

/* Whoever walks all steps of every rank counts the same. */
TEST(UnevenParts, CountWhatEveryRankMoves)
{
    for (const Rank workers : {2U, 5U, 6U, 8U})
    {
        for (const std::uint64_t elements : {8U, 23U, 100U, 103U})
        {
            ExchangeSpec spec;
            spec.workers = workers;
            const auto plan = MakeStepPlan(spec, elements);
            for (const Rank period : {1U, 2U})
            {
                if (workers % period != 0)
                {
                    continue;
                }
                const UnevenParts parts(*plan, {period, workers});
                for (Rank rank = 0; rank < workers; ++rank)
                {
                    const auto walked = Traffic(*plan, rank).gradient;
                    EXPECT_EQ(parts.Of(rank).sent, walked.sentElements);
                    EXPECT_EQ(parts.Of(rank).received, walked.receivedElements);
                }
            }
        }
    }
}

TEST(UnevenParts, CountWhatServersMove)
{
    for (const std::uint64_t elements : {8U, 23U, 100U, 103U})
    {
        ExchangeSpec spec;
        spec.algorithm = "sharded-parameter-server";
        spec.workers = 6;
        const auto plan = MakeStepPlan(spec, elements);
        const UnevenParts parts(*plan, FindExchange(spec.algorithm).symmetry(spec, false));
        for (Rank rank = 0; rank < plan->RankCount(); ++rank)
        {
            const auto walked = Traffic(*plan, rank).gradient;
            EXPECT_EQ(parts.Of(rank).sent, walked.sentElements) << rank;
            EXPECT_EQ(parts.Of(rank).received, walked.receivedElements) << rank;
        }
    }
}

} // namespace inca
