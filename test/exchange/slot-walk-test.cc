/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Slots that are moved on are as if they had lived through it.
#include "exchange/slot-pool.h"
#include "exchange/slot-sender.h"

#include <gtest/gtest.h>

#include <optional>
#include <utility>

namespace inca
{

namespace
{

constexpr std::uint32_t SLOTS{3};
constexpr std::uint64_t BLOCKS{40};

/** A worker and a switch to which it alone contributes: a packet's sum is there at once. */
struct Pair
{
    SlotSender sender{SLOTS, {100, 0}};
    SlotPool pool{{SLOTS, 1, true, WordSum::INT32}};
    std::int64_t nowPs{0};
    std::uint64_t answered{0};

    explicit Pair(std::uint64_t patternBlocks = 1)
    {
        sender.Begin(0, BLOCKS, 0, patternBlocks);
        for (std::uint32_t i = 0; i < SLOTS; ++i)
        {
            SendOne();
        }
    }

    void SendOne()
    {
        const auto sent = sender.Next();
        ASSERT_TRUE(sent);
        sender.Sent(sent->number, ++nowPs);
        SlotPacket packet;
        packet.number = sent->number;
        packet.values = 8;
        ASSERT_EQ(pool.Add(packet), SlotOutcome::COMPLETED);
    }

    /** A sum comes, and the next packet of its slot goes. */
    void Step()
    {
        ASSERT_TRUE(sender.Receive(answered++));
        SendOne();
    }

    void VisitState(StateVisitor& visitor)
    {
        sender.VisitState(visitor);
        pool.VisitState(visitor);
        answered += visitor.PacketsMoved();
    }

    NetworkState Seen()
    {
        NetworkState state;
        StateVisitor visitor(state, nowPs);
        VisitState(visitor);
        visitor.End();
        return state;
    }
};

} // namespace

/* After two rounds all is periodic: one step is a period of one packet. Seven are skipped, which turns the
 * slots by one; then packets 17 to 19 of 0.. are on their way, and all goes on as if they had been lived
 * through, to the end of the 40 blocks. */
TEST(SlotWalk, MovesOnWhatItWouldHaveLivedThrough)
{
    Pair pair;
    for (int i = 0; i < 9; ++i)
    {
        pair.Step();
    }
    const auto before = pair.Seen();
    pair.Step();
    const auto now = pair.Seen();
    ASSERT_EQ(before.digest, now.digest);
    // packets 10 to 12 are on their way; from 12 on it is 27 to the last, 39, and one is left to be lived through
    ASSERT_EQ(TimesToRepeat(before, now), 26U);

    StateVisitor visitor(before, now, 7);
    pair.VisitState(visitor);
    EXPECT_EQ(pair.answered, 17U);
    EXPECT_EQ(pair.sender.Oldest(), 17U);
    EXPECT_EQ(pair.sender.Outstanding(), SLOTS);
    EXPECT_EQ(pair.sender.NextDuePs(), 111); // the oldest was sent at 11 ps
    for (const std::uint64_t late : {14U, 15U, 16U})
    {
        EXPECT_EQ(pair.pool.Sum(late).number, late); // the round before is still there
    }
    pair.sender.TimeOut(111);
    EXPECT_EQ(pair.sender.NextAgain()->number, 17U);
    while (pair.answered + SLOTS < BLOCKS)
    {
        pair.Step();
    }
    EXPECT_TRUE(pair.sender.Receive(37));
    EXPECT_TRUE(pair.sender.Receive(39));
    EXPECT_TRUE(pair.sender.Receive(38)->endsStream);
}

/* Three packets leave at 1 ps, and one is answered every 10 ps, when the next one leaves. At 20 ps packets of 19, 10 and 0 ps
 * are under way, and from 30 ps on of 20, 10 and 0: only then all is as it was. Who is 7 periods further at 40 ps waits for
 * packets 11 to 13, which left 20, 10 and 0 ps ago. */
TEST(SlotWalk, HasPacketsAsOldAsTheyWouldBe)
{
    SlotSender sender(SLOTS, {100, 0});
    sender.Begin(0, BLOCKS);
    const auto seen = [&](std::int64_t nowPs) {
        NetworkState state;
        StateVisitor visitor(state, nowPs);
        sender.VisitState(visitor);
        visitor.End();
        return state;
    };
    const auto sendAt = [&](std::int64_t nowPs) {
        sender.Sent(sender.Next().value().number, nowPs);
    };
    const auto answerAt = [&](std::uint64_t number, std::int64_t nowPs) {
        sender.Receive(number);
        sendAt(nowPs);
        return seen(nowPs);
    };
    sendAt(1);
    sendAt(1);
    sendAt(1);
    answerAt(0, 10);
    const auto uneven = answerAt(1, 20);
    const auto before = answerAt(2, 30);
    const auto now = answerAt(3, 40);
    EXPECT_NE(uneven.digest, before.digest);
    ASSERT_EQ(before.digest, now.digest);

    StateVisitor visitor(before, now, 7);
    sender.VisitState(visitor);
    ASSERT_EQ(sender.Oldest(), 11U);
    const std::pair<std::int64_t, std::optional<std::uint64_t>> due[] = {
        {120, 11}, {130, 12}, {139, std::nullopt}, {140, 13}}; // 11 was sent at 20 ps
    for (const auto& [timePs, number] : due)
    {
        sender.TimeOut(timePs);
        const auto again = sender.NextAgain();
        EXPECT_EQ(again ? std::optional(again->number) : std::nullopt, number);
    }
}

/* Packets of 4 workers in turn: after 1, 2 or 3 steps it is another's turn, after 4 all is as it was. From packet 16 on
 * it is 20 to the first of the last four, 36: 5 turns, of which one is left to be lived through. */
TEST(SlotWalk, ComesBackAfterATurn)
{
    Pair pair(4);
    for (int i = 0; i < 10; ++i)
    {
        pair.Step();
    }
    const auto before = pair.Seen();
    for (int i = 0; i < 3; ++i)
    {
        pair.Step();
        EXPECT_EQ(TimesToRepeat(before, pair.Seen()), 0U);
    }
    pair.Step();
    EXPECT_EQ(TimesToRepeat(before, pair.Seen()), 4U);
}

} // namespace inca
