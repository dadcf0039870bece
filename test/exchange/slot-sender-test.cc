/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/slot-sender.h"

#include "base/errors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace inca
{

namespace
{

using Numbers = std::vector<std::uint64_t>;

Numbers
AllNext(SlotSender& sender)
{
    Numbers numbers;
    while (const auto turn = sender.Next())
    {
        numbers.push_back(turn->number);
    }
    return numbers;
}

/** "5 of 9: block 3, exponent of 4": a turn, with its stream. */
std::string
Text(const std::optional<SlotTurn>& turn)
{
    if (!turn)
    {
        return "none";
    }
    auto text = std::to_string(turn->number) + " of " + std::to_string(turn->stream) + ":";
    text += turn->block ? " block " + std::to_string(*turn->block) : "";
    text += turn->exponentOf ? " exponent of " + std::to_string(*turn->exponentOf) : "";
    return text + (turn->endsStream ? " end" : "");
}

} // namespace

TEST(SlotSender, SendsAPacketPerSlotThenOnePerSum)
{
    SlotSender sender(3);
    EXPECT_EQ(Text(sender.Next()), "none");
    sender.Begin(9, 5, false);
    EXPECT_EQ(Text(sender.Next()), "0 of 9: block 0");
    EXPECT_EQ(AllNext(sender), (Numbers{1, 2}));
    EXPECT_EQ(sender.Outstanding(), 3U);
    EXPECT_EQ(Text(sender.Receive(0)), "0 of 9: block 0");
    EXPECT_EQ(Text(sender.Next()), "3 of 9: block 3");
    EXPECT_EQ(AllNext(sender), Numbers{});
}

/* With 2 slots: the sum of 1 lets 3 go, while 0 is still missing; 5 needs 3. */
TEST(SlotSender, SumsMayComeInAnyOrder)
{
    SlotSender sender(2);
    sender.Begin(9, 6, false);
    EXPECT_EQ(AllNext(sender), (Numbers{0, 1}));
    sender.Receive(1);
    EXPECT_EQ(AllNext(sender), Numbers{3});
    sender.Receive(3);
    EXPECT_EQ(AllNext(sender), Numbers{5});
    EXPECT_EQ(sender.Oldest(), 0U);
    sender.Receive(0);
    EXPECT_EQ(AllNext(sender), Numbers{2});
    EXPECT_EQ(sender.Oldest(), 2U);
}

TEST(SlotSender, ASumCountsOnce)
{
    SlotSender sender(2);
    sender.Begin(9, 4, false);
    EXPECT_EQ(Text(sender.Receive(0)), "none"); // not sent yet
    AllNext(sender);
    EXPECT_NE(Text(sender.Receive(0)), "none");
    EXPECT_EQ(Text(sender.Receive(0)), "none"); // 2 may go, but has not
    AllNext(sender);
    EXPECT_EQ(Text(sender.Receive(0)), "none"); // 2 is on its way in the same slot
    EXPECT_EQ(Text(sender.Receive(4)), "none"); // never
    EXPECT_EQ(sender.Outstanding(), 2U);
}

TEST(SlotSender, KnowsWhatIsMissing)
{
    SlotSender sender(2);
    sender.Begin(9, 3, false);
    EXPECT_EQ(Text(sender.Missing(0)), "none");
    EXPECT_EQ(sender.Oldest(), std::nullopt);
    AllNext(sender);
    EXPECT_EQ(Text(sender.Missing(1)), "1 of 9: block 1");
    sender.Receive(1);
    EXPECT_EQ(Text(sender.Missing(1)), "none");
    EXPECT_EQ(Text(sender.Missing(3)), "none");
    EXPECT_EQ(sender.Oldest(), 0U);
}

/* 4 slots: stream 8 has packets 0, 1; stream 9 has 2 .. 6 and begins while 8 is under way. */
TEST(SlotSender, StreamsFollowEachOtherWithoutAGap)
{
    SlotSender sender(4);
    sender.Begin(8, 2, false);
    EXPECT_EQ(AllNext(sender), (Numbers{0, 1}));
    sender.Begin(9, 5, false);
    EXPECT_EQ(Text(sender.Next()), "2 of 9: block 0");
    EXPECT_EQ(AllNext(sender), Numbers{3});
    EXPECT_EQ(Text(sender.Receive(1)), "1 of 8: block 1");
    EXPECT_EQ(Text(sender.Next()), "5 of 9: block 3");
    EXPECT_EQ(Text(sender.Receive(0)), "0 of 8: block 0 end");
    EXPECT_EQ(Text(sender.Next()), "4 of 9: block 2");
}

/* 2 slots, streams of 1 and 1 packet: 1 may end before 0 does; then both slots serve the third. */
TEST(SlotSender, AStreamMayEndBeforeAnEarlierOne)
{
    SlotSender sender(2);
    sender.Begin(7, 1, false);
    sender.Begin(8, 1, false);
    AllNext(sender);
    EXPECT_EQ(Text(sender.Receive(1)), "1 of 8: block 0 end");
    EXPECT_EQ(Text(sender.Receive(0)), "0 of 7: block 0 end");
    sender.Begin(9, 2, false);
    EXPECT_EQ(Text(sender.Next()), "2 of 9: block 0");
    EXPECT_EQ(Text(sender.Next()), "3 of 9: block 1");
}

/* 3 slots and 5 blocks: L = 3 packets without values with the exponents of blocks 0, 1, 2; then
 * blocks 0 and 1 with the exponents of 3 and 4, then the others with none. */
TEST(SlotSender, ExponentsTravelOneWindowAhead)
{
    SlotSender sender(3);
    sender.Begin(9, 5, true);
    const std::vector<std::string> expected{"0 of 9: exponent of 0",
                                            "1 of 9: exponent of 1",
                                            "2 of 9: exponent of 2",
                                            "3 of 9: block 0 exponent of 3",
                                            "4 of 9: block 1 exponent of 4",
                                            "5 of 9: block 2",
                                            "6 of 9: block 3",
                                            "7 of 9: block 4"};
    for (std::uint64_t number = 0; number < expected.size(); ++number)
    {
        EXPECT_EQ(Text(sender.Next()), expected[number]);
        EXPECT_EQ(Text(sender.Receive(number)), expected[number] + (number == 7 ? " end" : ""));
    }
    EXPECT_EQ(Text(sender.Next()), "none");
}

/* 8 slots and 2 blocks: 2 packets ahead. There is a slot for block 0 at once, but its largest
 * exponent comes with the sum of packet 0, and block 1's with that of packet 1. */
TEST(SlotSender, ABlockWaitsForItsExponent)
{
    SlotSender sender(8);
    sender.Begin(9, 2, true);
    EXPECT_EQ(AllNext(sender), (Numbers{0, 1}));
    sender.Receive(1);
    EXPECT_EQ(Text(sender.Next()), "3 of 9: block 1");
    sender.Receive(0);
    EXPECT_EQ(Text(sender.Next()), "2 of 9: block 0");
    EXPECT_EQ(Text(sender.Next()), "none");
}

/* A block that has its exponent may still lack its slot. 3 slots; stream 7: packets 0 (ahead) and
 * 1; stream 8: 2 (ahead) and 3. Packet 3 needs the sums of 2, its exponent's, and of 0, its
 * slot's. */
TEST(SlotSender, ABlockWaitsForItsSlotToo)
{
    SlotSender sender(3);
    sender.Begin(7, 1, true);
    sender.Begin(8, 1, true);
    EXPECT_EQ(AllNext(sender), (Numbers{0, 2}));
    sender.Receive(2);
    EXPECT_EQ(AllNext(sender), Numbers{});
    sender.Receive(0);
    EXPECT_EQ(AllNext(sender), (Numbers{3, 1}));
}

/* 2 slots: stream 7 has one block and tells nothing ahead, 8 has 2 with packets 1 and 2 ahead, 9
 * one without. Packet 3 waits for the sums of 1, its slot's and its exponent's. */
TEST(SlotSender, EachStreamHasExponentsAheadOrNot)
{
    SlotSender sender(2);
    sender.Begin(7, 1, false);
    sender.Begin(8, 2, true);
    sender.Begin(9, 1, false);
    const std::vector<std::string> expected{"0 of 7: block 0",
                                            "1 of 8: exponent of 0",
                                            "2 of 8: exponent of 1",
                                            "3 of 8: block 0",
                                            "4 of 8: block 1",
                                            "5 of 9: block 0"};
    for (std::uint64_t number = 0; number < expected.size(); ++number)
    {
        EXPECT_EQ(Text(sender.Next()), expected[number]);
        const bool ends = number == 0 || number >= 4;
        EXPECT_EQ(Text(sender.Receive(number)), expected[number] + (ends ? " end" : ""));
    }
    EXPECT_EQ(Text(sender.Next()), "none");
}

/* A whole long job: every packet goes once, and never more than the slots are on their way. */
TEST(SlotSender, EveryPacketGoesOnce)
{
    SlotSender sender(5);
    Numbers waiting;
    Numbers sent;
    std::uint64_t ended = 0;
    for (std::uint64_t stream = 1; stream <= 40; ++stream)
    {
        sender.Begin(stream, stream % 13 + 1, true);
        for (const auto number : AllNext(sender))
        {
            waiting.push_back(number);
        }
        while (!waiting.empty())
        {
            EXPECT_LE(waiting.size(), 5U);
            EXPECT_EQ(waiting.size(), sender.Outstanding());
            sent.push_back(waiting.back());
            waiting.pop_back();
            ended += sender.Receive(sent.back())->endsStream ? 1 : 0;
            const auto next = AllNext(sender);
            waiting.insert(waiting.end(), next.begin(), next.end());
        }
    }
    std::sort(sent.begin(), sent.end());
    for (std::uint64_t number = 0; number < sent.size(); ++number)
    {
        ASSERT_EQ(sent[number], number);
    }
    EXPECT_EQ(ended, 40U);
}

TEST(SlotSender, RefusesWhatIsEmpty)
{
    EXPECT_THROW(SlotSender(0), InvariantError);
    EXPECT_THROW(SlotSender(1).Begin(1, 0, false), InvariantError);
}

} // namespace inca
