/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/slot-sender.h"

#include "base/errors.h"
#include "support/played.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>
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
    while (const auto packet = sender.Next())
    {
        numbers.push_back(packet->number);
    }
    return numbers;
}

/** "5 of 9: block 3, exponent of 4": a packet, with its stream. */
std::string
Text(const std::optional<StreamPacket>& packet)
{
    if (!packet)
    {
        return "none";
    }
    auto text = std::to_string(packet->number) + " of " + std::to_string(packet->stream) + ":";
    text += packet->block ? " block " + std::to_string(*packet->block) : "";
    text += packet->exponentOf ? " exponent of " + std::to_string(*packet->exponentOf) : "";
    return text + (packet->endsStream ? " end" : "");
}

std::string
Text(const std::optional<std::int64_t>& time)
{
    return time ? std::to_string(*time) : "none";
}

/**
 * "begin 9 5" is stream 9 of 5 blocks, "ahead" with as many exponents ahead; "all": the numbers of all that may go. "left 7 100": when
 * packet 7, which left at 100 ps, is due; "due": when the next one is; "again 110": all that go again then; "lost 7": its sum
 * tells of a loss.
 */
std::string
Do(SlotSender& sender, std::istringstream& words)
{
    std::string command;
    std::uint64_t number = 0;
    std::int64_t time = 0;
    words >> command >> number;
    if (command == "left")
    {
        words >> time;
        return Text(sender.Sent(number, time));
    }
    if (command == "timeout" || command == "again")
    {
        sender.TimeOut(static_cast<std::int64_t>(number));
        std::string all;
        for (auto packet = command == "again" ? sender.NextAgain() : std::nullopt; packet;
             packet = sender.NextAgain())
        {
            all += (all.empty() ? "" : " ") + std::to_string(packet->number);
        }
        return command == "timeout" ? "" : all.empty() ? "none" : all;
    }
    if (command == "due")
    {
        return Text(sender.NextDuePs());
    }
    if (command == "begin" || command == "ahead")
    {
        std::uint64_t blocks = 0;
        words >> blocks;
        sender.Begin(number, blocks, command == "ahead" ? blocks : 0);
        return "";
    }
    if (command == "all")
    {
        std::string all;
        for (const auto next : AllNext(sender))
        {
            all += (all.empty() ? "" : " ") + std::to_string(next);
        }
        return all.empty() ? "none" : all;
    }
    if (command == "oldest")
    {
        return sender.Oldest() ? std::to_string(*sender.Oldest()) : "none";
    }
    return command == "outstanding" ? std::to_string(sender.Outstanding())
           : command == "missing"   ? Text(sender.Missing(number))
           : command == "times"     ? std::to_string(sender.TimesSent(number))
           : command == "receive"   ? Text(sender.Receive(number))
           : command == "lost"      ? Text(sender.Receive(number, true))
                                    : Text(sender.Next());
}

} // namespace

TEST(SlotSender, SendsWhatSlotsAndExponentsAllow)
{
    struct Row
    {
        const char* what;
        std::uint32_t slots;
        const char* script;
    };

    const Row rows[] = {
        {"a packet per slot, then one per sum",
         3,
         "next = none; begin 9 5; next = 0 of 9: block 0; all = 1 2; outstanding = 3; "
         "receive 0 = 0 of 9: block 0; next = 3 of 9: block 3; all = none"},
        // The sum of 1 lets 3 go, while 0 is still missing; 5 needs 3.
        {"sums may come in any order",
         2,
         "begin 9 6; all = 0 1; receive 1 = 1 of 9: block 1; all = 3; receive 3 = 3 of 9: block 3; "
         "all = 5; oldest = 0; receive 0 = 0 of 9: block 0; all = 2; oldest = 2"},
        // Not sent yet; 2 may go, but has not; 2 is on its way in the same slot; 4 will never be.
        {"a sum counts once",
         2,
         "begin 9 4; receive 0 = none; all = 0 1; receive 0 = 0 of 9: block 0; receive 0 = none; "
         "all = 2; receive 0 = none; receive 4 = none; outstanding = 2"},
        {"it knows what is missing",
         2,
         "begin 9 3; missing 0 = none; oldest = none; all = 0 1; missing 1 = 1 of 9: block 1; "
         "receive 1 = 1 of 9: block 1; missing 1 = none; missing 3 = none; oldest = 0"},
        // Stream 8 has packets 0, 1; stream 9 has 2 .. 6 and begins while 8 is under way.
        {"streams follow each other without a gap",
         4,
         "begin 8 2; all = 0 1; begin 9 5; next = 2 of 9: block 0; all = 3; "
         "receive 1 = 1 of 8: block 1; next = 5 of 9: block 3; receive 0 = 0 of 8: block 0 end; "
         "next = 4 of 9: block 2"},
        // 1 may end before 0 does; then both slots serve the third.
        {"a stream may end before an earlier one",
         2,
         "begin 7 1; begin 8 1; all = 0 1; receive 1 = 1 of 8: block 0 end; "
         "receive 0 = 0 of 7: block 0 end; begin 9 2; next = 2 of 9: block 0; "
         "next = 3 of 9: block 1"},
        // There is a slot for block 0 at once, but its largest exponent comes with the sum of packet 0, and
        // block 1's with that of packet 1.
        {"a block waits for its exponent",
         8,
         "ahead 9 2; all = 0 1; receive 1 = 1 of 9: exponent of 1; next = 3 of 9: block 1; "
         "receive 0 = 0 of 9: exponent of 0; next = 2 of 9: block 0; next = none"},
        // Stream 7: packets 0 (ahead) and 1; stream 8: 2 (ahead) and 3. Packet 3 needs the sums of 2, its
        // exponent's, and of 0, its slot's.
        {"a block that has its exponent may still lack its slot",
         3,
         "ahead 7 1; ahead 8 1; all = 0 2; receive 2 = 2 of 8: exponent of 0; all = none; "
         "receive 0 = 0 of 7: exponent of 0; all = 3 1"},
    };
    for (const auto& row : rows)
    {
        SlotSender sender(row.slots);
        const auto run = [&](auto& words) { return Do(sender, words); };
        EXPECT_EQ(Played(row.script, run), row.script) << row.what;
    }
}

/** Of 4 slots. */
TEST(SlotSender, SendsAgainWhatIsNotAnsweredInTime)
{
    struct Row
    {
        const char* what;
        std::uint32_t doubleAfter;
        const char* script;
    };

    const Row rows[] = {
        {"nothing is due at first", 0, "due = none; again 1000 = none"},
        {"a packet is due one timeout after it left",
         0,
         "left 3 100 = 110; due = 110; again 109 = none; again 110 = 3; again 110 = none; "
         "due = none; times 3 = 1; left 3 111 = 121; times 3 = 2"},
        // Packet 7 is not waited for, though its slot, 7 mod 4, waits; 0 has not left.
        {"what is answered is not due",
         0,
         "left 2 100 = 110; left 3 101 = 111; receive 2 = 2 of 9: block 2; receive 7 = none; "
         "receive 0 = 0 of 9: block 0; due = 111; again 200 = 3"},
        {"what is answered after its timeout does not go again",
         0,
         "left 2 100 = 110; timeout 110; receive 2 = 2 of 9: block 2; again 110 = none"},
        {"what is sent again is due later",
         0,
         "left 3 100 = 110; left 2 101 = 111; left 3 105 = 115; due = 111; again 115 = 2 3"},
        {"the middle of a queue is answered",
         0,
         "left 0 100 = 110; left 1 100 = 110; left 2 100 = 110; receive 1 = 1 of 9: block 1; "
         "left 3 100 = 110; again 110 = 0 2 3; due = none"},
        // Packet 7 takes the slot of packet 3, which then is not due any more.
        {"a slot waits for one packet",
         0,
         "left 3 100 = 110; left 2 101 = 111; receive 3 = 3 of 9: block 3; "
         "next = 7 of 9: block 7; left 7 102 = 112; receive 3 = none; again 200 = 2 7"},
        // A packet that the NIC's full buffer dropped at 50 never departs; those before it depart later. It
        // is due with the last of them, and not before packet 1, which would hide it in the queue.
        {"an earlier time counts as the latest",
         0,
         "left 1 100 = 110; left 2 50 = 110; again 109 = none; again 110 = 1 2"},
        // After 2 timeouts of 10: 20, 20, then 40, 40, and so on.
        {"the timeout doubles after every 2 timeouts",
         2,
         "left 1 0 = 10; again 10 = 1; left 1 10 = 20; again 20 = 1; left 1 20 = 40; "
         "again 40 = 1; left 1 40 = 60; again 60 = 1; left 1 60 = 100; again 100 = 1; "
         "left 1 100 = 140; again 140 = 1; left 1 140 = 220; due = 220; again 220 = 1"},
        // Packet 1 leaves at 10 with a doubled timeout of 20: due at 30. After the loss packet 2, which leaves
        // at 12, is due at 22, before packet 1, whose time stands.
        {"a loss lets later packets be due earlier",
         1,
         "left 1 0 = 10; again 10 = 1; left 1 10 = 30; lost 0 = 0 of 9: block 0; left 2 12 = 22; "
         "due = 22; again 29 = 2; due = 30; again 29 = none; again 30 = 1"},
        // One timeout of two is counted; after a loss, or at the begin of a stream, two more are needed.
        {"a loss forgets the timeouts so far",
         2,
         "left 1 0 = 10; again 10 = 1; lost 0 = 0 of 9: block 0; left 1 10 = 20; again 20 = 1; "
         "left 1 20 = 30; due = 30"},
        {"a stream does so, too",
         2,
         "left 1 0 = 10; again 10 = 1; begin 8 1; left 1 10 = 20; again 20 = 1; left 1 20 = 30; "
         "due = 30"},
    };
    for (const auto& row : rows)
    {
        SlotSender sender(4, {10, row.doubleAfter});
        sender.Begin(9, 20);
        EXPECT_EQ(AllNext(sender), (Numbers{0, 1, 2, 3}));
        const auto run = [&](auto& words) { return Do(sender, words); };
        EXPECT_EQ(Played(row.script, run), row.script) << row.what;
    }
}

/* Doubled after each timeout: 1, 2, 4, ..., 2^10, and 2^10 from then on; with 0, never. */
TEST(SlotSender, DoublesItsTimeoutTenTimesAtMost)
{
    for (const std::uint32_t doubleAfter : {1U, 0U})
    {
        SlotSender sender(1, {1, doubleAfter});
        sender.Begin(9, 1);
        sender.Next();
        std::int64_t now = 0;
        for (int sent = 0; sent < 15; ++sent)
        {
            sender.Sent(0, now);
            now += doubleAfter == 0 ? 1 : std::int64_t{1} << std::min(sent, 10);
            EXPECT_EQ(sender.NextDuePs(), now);
            sender.TimeOut(now);
            EXPECT_TRUE(sender.NextAgain());
        }
    }
}

/* 2^10 times the first, or the first if it never doubles. Nothing is beyond the end of time. */
TEST(SlotSender, SaysWhatItsTimeoutDoublesTo)
{
    EXPECT_EQ(SlotSender(1, {10, 100}).LongestTimeoutPs(), 1024 * 10);
    EXPECT_EQ(SlotSender(1, {10, 0}).LongestTimeoutPs(), 10);
    constexpr auto end = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(SlotSender(1, {end / 4, 0}).LongestTimeoutPs(), end / 4);
    EXPECT_EQ(SlotSender(1, {end / 4, 1}).LongestTimeoutPs(), end);
    SlotSender sender(1, {end / 2, 1});
    sender.Begin(9, 1);
    sender.Next();
    EXPECT_EQ(sender.Sent(0, 0), end / 2);
    sender.TimeOut(end / 2);
    EXPECT_EQ(sender.Sent(0, end / 2), end); // the doubled timeout
}

/* Of 3 slots and 5 blocks: L = 3 packets without values with the exponents of blocks 0, 1, 2; then blocks 0 and 1 with the
 * exponents of 3 and 4, then the others with none. 2 slots: stream 7 has one block and tells nothing ahead, 8 has 2 with
 * packets 1 and 2 ahead, 9 one without. Packet 3 waits for the sums of 1, its slot's and its exponent's. */
TEST(SlotSender, ExponentsTravelOneWindowAheadWhereAStreamHasAny)
{
    SlotSender alone(3);
    alone.Begin(9, 5, 3);
    SlotSender mixed(2);
    mixed.Begin(7, 1);
    mixed.Begin(8, 2, 2);
    mixed.Begin(9, 1);
    const std::pair<SlotSender*, std::vector<std::string>> rows[] = {
        {&alone,
         {"0 of 9: exponent of 0",
          "1 of 9: exponent of 1",
          "2 of 9: exponent of 2",
          "3 of 9: block 0 exponent of 3",
          "4 of 9: block 1 exponent of 4",
          "5 of 9: block 2",
          "6 of 9: block 3",
          "7 of 9: block 4 end"}},
        {&mixed,
         {"0 of 7: block 0 end",
          "1 of 8: exponent of 0",
          "2 of 8: exponent of 1",
          "3 of 8: block 0",
          "4 of 8: block 1 end",
          "5 of 9: block 0 end"}}};
    for (const auto& [sender, expected] : rows)
    {
        for (std::uint64_t number = 0; number < expected.size(); ++number)
        {
            EXPECT_EQ(expected[number].rfind(Text(sender->Next()), 0), 0U) << expected[number];
            EXPECT_EQ(Text(sender->Receive(number)), expected[number]);
        }
        EXPECT_EQ(Text(sender->Next()), "none");
    }
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
        const auto blocks = stream % 13 + 1;
        sender.Begin(stream, blocks, std::min(5UL, blocks));
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
    EXPECT_THROW(SlotSender(1, {0, 1}), InvariantError);
    EXPECT_THROW(SlotSender(1).Begin(1, 0), InvariantError);
    EXPECT_THROW(SlotSender(1).Begin(1, 2, 2), InvariantError);
    EXPECT_THROW(SlotSender(2).Begin(1, 1, 2), InvariantError);
}

} // namespace inca
