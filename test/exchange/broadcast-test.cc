/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/broadcast.h"

#include "base/errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

namespace
{

using Ranks = std::vector<Rank>;

std::unique_ptr<Piece>
Make(const std::string& name, Rank members, std::uint64_t elements = 10)
{
    return MakeBroadcast({name, 4}, members, elements);
}

/** To whom a position sends, in order. */
Ranks
Receivers(const Piece& piece, Rank position)
{
    Ranks receivers;
    for (std::uint32_t step = 0; step < piece.StepCount(position); ++step)
    {
        for (const auto& send : piece.At(position, step).sends)
        {
            receivers.push_back(send.peer);
        }
    }
    return receivers;
}

Step
Both(std::vector<Transfer> sends, std::vector<Transfer> receives)
{
    Step step;
    step.sends = std::move(sends);
    step.receives = std::move(receives);
    return step;
}

void
ExpectTransfers(const Step& found, const Step& expected)
{
    EXPECT_EQ(found.sends, expected.sends);
    EXPECT_EQ(found.receives, expected.receives);
    for (const auto& receive : found.receives)
    {
        EXPECT_EQ(receive.combine, Combine::STORE);
    }
}

} // namespace

TEST(FlatBroadcast, SendsToOneAfterTheOther)
{
    const auto flat = Make("flat", 4);
    EXPECT_EQ(flat->StepCount(0), 3U);
    EXPECT_EQ(Receivers(*flat, 0), (Ranks{1, 2, 3}));
    ExpectTransfers(flat->At(0, 1), Both({{2, {0, 10}, Leg::WEIGHT}}, {}));
    ExpectTransfers(flat->At(2, 0), Both({}, {{0, {0, 10}, Leg::WEIGHT}}));
}

/* 8 members, MPICH's tree: 0 -> 4, 2, 1; 4 -> 6, 5; 2 -> 3; 6 -> 7. */
TEST(BinomialBroadcast, SendsDownATreeTheFarthestFirst)
{
    const auto binomial = Make("binomial", 8);
    EXPECT_EQ(Receivers(*binomial, 0), (Ranks{4, 2, 1}));
    EXPECT_EQ(Receivers(*binomial, 4), (Ranks{6, 5}));
    EXPECT_EQ(Receivers(*binomial, 2), (Ranks{3}));
    EXPECT_EQ(Receivers(*binomial, 6), (Ranks{7}));
    for (const Rank leaf : {1U, 3U, 5U, 7U})
    {
        EXPECT_EQ(Receivers(*binomial, leaf), Ranks{});
    }
    ExpectTransfers(binomial->At(6, 0), Both({}, {{4, {0, 10}, Leg::WEIGHT}}));
}

/* 5 members (4 workers and an aggregator): 0 -> 4, 2, 1; 2 -> 3. */
TEST(BinomialBroadcast, LeavesOutWhoIsNotThere)
{
    const auto binomial = Make("binomial", 5);
    EXPECT_EQ(Receivers(*binomial, 0), (Ranks{4, 2, 1}));
    EXPECT_EQ(Receivers(*binomial, 2), (Ranks{3}));
    EXPECT_EQ(Receivers(*binomial, 4), Ranks{});
}

/* ceil(log2(m)): 2 -> 1, 3 and 4 -> 2, 5 .. 8 -> 3, 9 -> 4, 1025 -> 11 */
TEST(BinomialBroadcast, CostsTheRootTheLogarithmOfTheMembers)
{
    for (const auto& [members, sends] : std::vector<std::pair<Rank, std::uint32_t>>{
             {2, 1}, {3, 2}, {4, 2}, {5, 3}, {8, 3}, {9, 4}, {1025, 11}})
    {
        EXPECT_EQ(Make("binomial", members)->StepCount(0), sends) << members;
    }
}

/* 10 elements in segments of 4: 4, 4, 2. */
TEST(ChainBroadcast, PassesASegmentOnWhileItReceivesTheNext)
{
    const auto chain = Make("chain", 3);
    const ElementRange first{0, 4};
    const ElementRange second{4, 4};
    const ElementRange third{8, 2};
    ASSERT_EQ(chain->StepCount(0), 3U);
    ASSERT_EQ(chain->StepCount(1), 4U);
    ASSERT_EQ(chain->StepCount(2), 3U);
    ExpectTransfers(chain->At(0, 2), Both({{1, third, Leg::WEIGHT}}, {}));
    ExpectTransfers(chain->At(1, 0), Both({}, {{0, first, Leg::WEIGHT}}));
    ExpectTransfers(chain->At(1, 1), Both({{2, first, Leg::WEIGHT}}, {{0, second, Leg::WEIGHT}}));
    ExpectTransfers(chain->At(1, 3), Both({{2, third, Leg::WEIGHT}}, {}));
    ExpectTransfers(chain->At(2, 2), Both({}, {{1, third, Leg::WEIGHT}}));
}

TEST(ChainBroadcast, SendsOneEmptySegmentOfNothing)
{
    const auto chain = Make("chain", 2, 0);
    EXPECT_EQ(chain->StepCount(0), 1U);
    ExpectTransfers(chain->At(0, 0), Both({{1, {0, 0}, Leg::WEIGHT}}, {}));
}

/* 2^40 values in segments of 4 are 2.7e11 steps, of at most 1e9: so at least 1100 values each. */
TEST(ChainBroadcast, RefusesMoreSegmentsThanCanBeCounted)
{
    EXPECT_THROW(Make("chain", 3, 1ULL << 40U), InputError);
    EXPECT_NO_THROW(MakeBroadcast({"chain", 1100}, 3, 1ULL << 40U));
}

TEST(Broadcast, SuggestsTheNearestName)
{
    try
    {
        Make("binomal", 3);
        FAIL() << "an unknown broadcast was made";
    }
    catch (const InputError& error)
    {
        EXPECT_STREQ(error.what(),
                     "exchange.broadcast: unknown 'binomal'; did you mean 'binomial'?");
    }
}

} // namespace inca
