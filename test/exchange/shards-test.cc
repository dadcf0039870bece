/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/shards.h"

#include "base/errors.h"
#include "exchange/exchange-catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace inca
{

namespace
{

ExchangeSpec
Sharded(const std::string& algorithm, Rank workers)
{
    ExchangeSpec spec;
    spec.algorithm = algorithm;
    spec.workers = workers;
    spec.sharded = true;
    spec.halves = Halves::REDUCE_SCATTER;
    return spec;
}

Shards
Of(const ExchangeSpec& spec, std::uint64_t elements)
{
    return ShardsOf(*MakeStepPlan(spec, elements));
}

using Ranges = std::vector<ElementRange>;
using testing::ElementsAre;

} // namespace

/* A block goes round from the worker that it is named after, and ends with the one before it: 4 of 3 elements. */
TEST(ShardsOf, OfARingEndOneWorkerBefore)
{
    EXPECT_THAT(Of(Sharded("ring", 4), 12),
                ElementsAre(Ranges{{3, 3}}, Ranges{{6, 3}}, Ranges{{9, 3}}, Ranges{{0, 3}}));
}

/* Two channels of 6, and a block of each. */
TEST(ShardsOf, OfChannelsHaveAPartInEach)
{
    auto spec = Sharded("ring", 3);
    spec.ringChannels = 2;
    EXPECT_THAT(
        Of(spec, 12),
        ElementsAre(Ranges{{2, 2}, {8, 2}}, Ranges{{4, 2}, {10, 2}}, Ranges{{0, 2}, {6, 2}}));
}

/* Chunks of 2: turns of 6, 6 and 3. */
TEST(ShardsOf, OfChunksHaveAPartInEachTurn)
{
    auto spec = Sharded("ring", 3);
    spec.ringChunkElements = 2;
    EXPECT_EQ(Of(spec, 15).front(), (Ranges{{2, 2}, {8, 2}, {13, 1}}));
}

/* A member's bits, reversed: 0, 2, 1, 3. */
TEST(ShardsOf, OfHalvingAndDoubling)
{
    EXPECT_THAT(Of(Sharded("halving-doubling", 4), 8),
                ElementsAre(Ranges{{0, 2}}, Ranges{{4, 2}}, Ranges{{2, 2}}, Ranges{{6, 2}}));
}

TEST(ShardsOf, OfSwitches)
{
    EXPECT_THAT(Of(Sharded("switch-slots", 3), 6),
                ElementsAre(Ranges{{0, 2}}, Ranges{{2, 2}}, Ranges{{4, 2}}));
}

TEST(ShardsOf, WhereAllGetAllAreBlocks)
{
    ExchangeSpec spec;
    spec.workers = 3;
    EXPECT_THAT(Of(spec, 6), ElementsAre(Ranges{{0, 2}}, Ranges{{2, 2}}, Ranges{{4, 2}}));
}

TEST(ShardsOf, OfNothingAreEmpty)
{
    EXPECT_EQ(TotalCount(Of(Sharded("ring", 3), 0)), 0U);
}

/* 7 elements in 3 blocks are 3, 2 and 2: the first worker has no third of them. */
TEST(ShardsOf, MustBeEqual)
{
    EXPECT_THROW(Of(Sharded("halving-doubling", 4), 7), InvariantError);
}

} // namespace inca
