/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What rows of the catalogue say of how their ranks are alike, beside their plans.
#include "exchange/exchange-catalog.h"
#include "exchange/plan-in-turn.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace inca
{

namespace
{

/** All parts of @p elements have one size. */
constexpr std::uint64_t ELEMENTS{8 * 9 * 5 * 7 * 11};

/** @param moved where a peer of the one is, as the other's */
template <typename Moved>
void
ExpectShifted(const Transfer& own, const Transfer& other, const Moved& moved)
{
    EXPECT_EQ(other.peer, moved(own.peer));
    EXPECT_EQ(other.range.count, own.range.count);
    EXPECT_EQ(other.leg, own.leg);
}

std::vector<Transfer>
ByPeer(std::vector<Transfer> transfers)
{
    std::sort(transfers.begin(), transfers.end(), [](const auto& a, const auto& b) {
        return a.peer < b.peer;
    });
    return transfers;
}

std::ptrdiff_t
CountAdded(const std::vector<Transfer>& transfers)
{
    return std::count_if(transfers.begin(), transfers.end(), [](const auto& transfer) {
        return transfer.combine == Combine::ADD;
    });
}

/** What is received together may be added up in another order. */
template <typename Moved>
void
ExpectReceivesShifted(std::vector<Transfer> own, const std::vector<Transfer>& other, Moved moved)
{
    EXPECT_EQ(CountAdded(own), CountAdded(other));
    for (auto& transfer : own)
    {
        transfer.peer = moved(transfer.peer);
    }
    const auto sorted = ByPeer(own);
    const auto otherSorted = ByPeer(other);
    for (std::size_t i = 0; i < sorted.size(); ++i)
    {
        ExpectShifted(sorted[i], otherSorted[i], [](Rank peer) { return peer; });
    }
}

template <typename Moved>
void
ExpectShifted(const Step& own, const Step& other, const Moved& moved)
{
    ASSERT_EQ(other.sends.size(), own.sends.size());
    ASSERT_EQ(other.receives.size(), own.receives.size());
    for (std::size_t i = 0; i < own.sends.size(); ++i)
    {
        ExpectShifted(own.sends[i], other.sends[i], moved);
    }
    ExpectReceivesShifted(own.receives, other.receives, moved);
    EXPECT_EQ(other.update, own.update);
    EXPECT_EQ(other.ownsResult, own.ownsResult);
    EXPECT_EQ(other.networkSum.has_value(), own.networkSum.has_value());
}

std::shared_ptr<const StepPlan>
PlanOf(const ExchangeSpec& spec, const ShiftSymmetry& symmetry)
{
    return PlanInTurn(MakeStepPlan(spec, ELEMENTS), symmetry.rows);
}

/** Every rank's plan is that of whoever stands for it, with every peer moved as it is, which SenderSeen undoes. */
void
ExpectSymmetric(const ExchangeSpec& spec, const ShiftSymmetry& symmetry, bool alternates)
{
    const auto plan = PlanOf(spec, symmetry);
    const auto ranks = plan->RankCount();
    const auto period = symmetry.period;
    ASSERT_EQ(ranks % period, 0U);
    for (Rank rank = 0; rank < ranks; ++rank)
    {
        const auto standsIn = rank % period;
        const auto shift = rank - standsIn;
        const auto moved = [&](Rank peer) {
            const auto there = symmetry.bitwise ? peer ^ shift : (peer + shift) % ranks;
            EXPECT_EQ(SenderSeen(there, rank, period, ranks, symmetry.bitwise), peer);
            return there;
        };
        ASSERT_EQ(plan->StepCount(rank), plan->StepCount(standsIn));
        for (std::uint32_t step = 0; step < plan->StepCount(rank); ++step)
        {
            const auto own = plan->At(standsIn, step);
            const auto other = plan->At(rank, step);
            ExpectShifted(own, other, moved);
            EXPECT_TRUE(!alternates || own.receiveFirst == other.receiveFirst);
        }
    }
}

/** All whom a rank hears from, by data or acknowledgements, are periods apart. */
void
ExpectOneSender(const ExchangeSpec& spec, const ShiftSymmetry& symmetry)
{
    const auto period = symmetry.period;
    const auto plan = PlanOf(spec, symmetry);
    for (Rank rank = 0; rank < plan->RankCount(); ++rank)
    {
        std::set<Rank> senders;
        for (std::uint32_t step = 0; step < plan->StepCount(rank); ++step)
        {
            const auto moved = plan->At(rank, step);
            for (const auto& transfer : moved.sends)
            {
                senders.insert(transfer.peer % period);
            }
            for (const auto& transfer : moved.receives)
            {
                senders.insert(transfer.peer % period);
            }
        }
        EXPECT_LE(senders.size(), 1U) << rank;
    }
}

/** Where the parts are uneven, a step's range of the next rank is as many parts further as is said. */
void
ExpectPartsMove(const ExchangeSpec& spec, const ShiftSymmetry& symmetry)
{
    constexpr std::uint64_t uneven = 1000;
    const auto plan = MakeStepPlan(spec, uneven);
    const auto ranks = plan->RankCount();
    const auto moved = symmetry.parts * symmetry.period / ranks;
    for (std::uint32_t step = 0; step < plan->StepCount(0); ++step)
    {
        const auto own = plan->At(0, step).sends.front().range;
        const auto other = plan->At(symmetry.period, step).sends.front().range;
        std::uint64_t part = 0;
        while (!(BlockOf(uneven, symmetry.parts, part) == own))
        {
            ++part;
        }
        EXPECT_EQ(other, BlockOf(uneven, symmetry.parts, (part + moved) % symmetry.parts));
    }
}

} // namespace

TEST(ShiftSymmetry, HoldsOfEveryRowThatSaysSo)
{
    std::uint32_t checked = 0;
    for (const auto& entry : ExchangeCatalog())
    {
        for (const Rank workers : {2U, 3U, 4U, 6U, 7U, 8U, 9U, 12U})
        {
            for (const bool alternates : {false, true})
            {
                ExchangeSpec spec;
                spec.algorithm = entry.name;
                spec.workers = workers;
                spec.groupSize = workers % 3 == 0 ? 3 : 2;
                const auto symmetry = entry.symmetry && entry.complaints(spec).empty()
                                          ? entry.symmetry(spec, alternates)
                                          : ShiftSymmetry{};
                if (symmetry.period > 0)
                {
                    SCOPED_TRACE(entry.name + " of " + std::to_string(workers));
                    ExpectSymmetric(spec, symmetry, alternates);
                    if (symmetry.oneSender)
                    {
                        ExpectOneSender(spec, symmetry);
                    }
                    ++checked;
                }
            }
        }
    }
    // ring: 8, and the 5 even ones that alternate; slots and trees: 16 each; hierarchical ring: 4 in 2s,
    // 6 in 3s, 8 in 2s, 9 in 3s, 12 in 3s, and those of them with 2 or 4 groups that alternate: 4; halving and
    // doubling: 2, 4 and 8; as many servers as workers: 8
    EXPECT_EQ(checked, 8U + 5U + 16U + 16U + 5U + 4U + 3U + 8U);
}

/* 8 * 9 * 5 * 7 * 11 elements: of 6 workers in 2 channels blocks of 4620, or of 3 that 100 values make turns; shards in 5
 * channels, which 27720 / 6 = 4620 of all shares make equal ones of. */
TEST(ShiftSymmetry, HoldsOfChannelsAndTurns)
{
    const auto& ring = FindExchange("ring");
    for (const std::uint32_t channels : {1U, 2U, 4U})
    {
        for (const std::uint64_t turn : {0U, 100U, 700U})
        {
            for (const bool sharded : {false, true})
            {
                for (const bool alternates : {false, true})
                {
                    ExchangeSpec spec;
                    spec.workers = 6;
                    spec.ringChannels = sharded ? channels + 4 : channels;
                    spec.ringChunkElements = turn;
                    spec.sharded = sharded;
                    const auto symmetry = ring.symmetry(spec, alternates);
                    EXPECT_EQ(ELEMENTS % symmetry.parts, 0U);
                    ExpectSymmetric(spec, symmetry, alternates);
                }
            }
        }
    }
}

TEST(ShiftSymmetry, SaysHowFarARingsBlocksMove)
{
    ExchangeSpec spec;
    spec.workers = 6;
    const auto& ring = FindExchange("ring");
    ExpectPartsMove(spec, ring.symmetry(spec, false));
    ExpectPartsMove(spec, ring.symmetry(spec, true));
}

TEST(ShiftSymmetry, IsOfAsManyServersAsWorkersAlone)
{
    ExchangeSpec spec;
    spec.workers = 6;
    const auto& entry = FindExchange("sharded-parameter-server");
    EXPECT_EQ(entry.symmetry(spec, false).period, 2U);
    EXPECT_EQ(entry.symmetry(spec, true).period, 0U);
    for (const Rank servers : {1U, 3U, 5U, 12U})
    {
        spec.servers = servers;
        EXPECT_EQ(entry.symmetry(spec, false).period, 0U) << servers;
    }
}

/* Of 3 workers and 3 servers: 0, 3, 1, 4, 2, 5. */
TEST(ShiftSymmetry, TakesRanksFromRowsInTurn)
{
    const std::vector<Rank> ranks{0, 3, 1, 4, 2, 5};
    for (Rank place = 0; place < ranks.size(); ++place)
    {
        EXPECT_EQ(RankInTurn(place, 6, 2), ranks[place]);
        EXPECT_EQ(InTurn(ranks[place], 6, 2), place);
        EXPECT_EQ(RankInTurn(place, 6, 1), place);
        EXPECT_EQ(InTurn(place, 6, 1), place);
    }
}

TEST(ShiftSymmetry, IsNoneInAnOddRingThatAlternates)
{
    ExchangeSpec spec;
    spec.workers = 5;
    EXPECT_EQ(FindExchange("ring").symmetry(spec, true).period, 0U);
    EXPECT_EQ(FindExchange("ring").symmetry(spec, false).period, 1U);
}

/* 4 of 10 stand for all: ranks 8 and 9 are two and one before rank 0, so what is sent from 3 to 4 comes to 0 from 9. */
TEST(ShiftSymmetry, ClosesARingThatPeriodsDoNotGoInto)
{
    EXPECT_EQ(StandInOf(3, 4, 10), 3U);
    EXPECT_EQ(StandInOf(4, 4, 10), 0U);
    EXPECT_EQ(StandInOf(9, 4, 10), 3U);
    EXPECT_EQ(StandInOf(8, 4, 10), 2U);
    EXPECT_EQ(SenderSeen(3, 4, 4, 10, false), 9U);
    EXPECT_EQ(SenderSeen(0, 9, 4, 10, false), 4U); // an acknowledgement, back
    EXPECT_EQ(SenderSeen(1, 2, 4, 10, false), 1U);
}

} // namespace inca
