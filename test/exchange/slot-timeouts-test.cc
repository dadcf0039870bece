/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/slot-timeouts.h"

#include "base/errors.h"
#include "support/played.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

namespace inca
{

namespace
{

constexpr std::uint32_t SLOTS{8};

/** "send 7 100": when it is due; "due 110": all that is due then, in order, none of which is sent again; "next": when. */
std::string
Do(SlotTimeouts& timeouts, std::istringstream& words)
{
    const auto text = [](std::optional<std::int64_t> time) {
        return time ? std::to_string(*time) : "none";
    };
    std::string command;
    std::int64_t time = 0;
    std::uint64_t number = 0;
    words >> command;
    if (command == "send")
    {
        words >> number >> time;
        return text(timeouts.Sent(number, time));
    }
    if (command == "next")
    {
        return text(timeouts.NextPs());
    }
    if (command == "due")
    {
        std::string all;
        words >> time;
        while (const auto due = timeouts.TakeDue(time))
        {
            all += (all.empty() ? "" : " ") + std::to_string(*due);
        }
        return all.empty() ? "none" : all;
    }
    if (command == "answer")
    {
        words >> number;
        timeouts.Answered(number);
    }
    else
    {
        timeouts.Restart();
    }
    return "";
}

} // namespace

TEST(SlotTimeouts, AreDueWhenTheyShouldBe)
{
    struct Row
    {
        const char* what;
        std::uint32_t doubleAfter;
        const char* script;
    };

    const Row rows[] = {
        {"nothing is due at first", 0, "next = none; due 1000 = none"},
        {"a packet is due one timeout after it was sent",
         0,
         "send 7 100 = 110; next = 110; due 109 = none; due 110 = 7; due 110 = none; next = none"},
        // Packet 11 is not waited for, though its slot, 11 mod 8, waits; nor does the slot of 12.
        {"what is answered is not due",
         0,
         "send 7 100 = 110; send 3 101 = 111; answer 7; answer 11; answer 12; next = 111; "
         "due 200 = 3"},
        {"what is sent again is due later",
         0,
         "send 7 100 = 110; send 3 101 = 111; send 7 105 = 115; next = 111; due 115 = 3 7"},
        // After 2 timeouts of 10: 20, 20, then 40, 40, and so on.
        {"the timeout doubles after every 2 timeouts",
         2,
         "send 1 0 = 10; due 10 = 1; send 1 10 = 20; due 20 = 1; send 1 20 = 40; due 40 = 1; "
         "send 1 40 = 60; due 60 = 1; send 1 60 = 100; due 100 = 1; send 1 100 = 140; due 140 = 1; "
         "send 1 140 = 220; next = 220; due 220 = 1"},
        // Packet 1 is sent at 10 with a doubled timeout of 20: due at 30. After the restart packet 2, sent
        // at 12, is due at 22, before packet 1, whose time stands.
        {"a restart lets later packets be due earlier",
         1,
         "send 1 0 = 10; due 10 = 1; send 1 10 = 30; restart; send 2 12 = 22; next = 22; "
         "due 29 = 2; next = 30; due 29 = none; due 30 = 1"},
        // One timeout of two is counted; after the restart two more are needed.
        {"a restart forgets the timeouts so far",
         2,
         "send 1 0 = 10; due 10 = 1; restart; send 1 10 = 20; due 20 = 1; send 1 20 = 30; "
         "next = 30"},
        // Packet 11 takes the slot of packet 3, 11 mod 8, which is then not due any more.
        {"a slot waits for one packet",
         0,
         "send 3 100 = 110; send 4 101 = 111; send 11 102 = 112; answer 3; due 200 = 4 11"},
        // A packet that the NIC's full buffer dropped at 50 never departs; those before it depart later. It
        // is due with the last of them, and not before packet 1, which would hide it in the queue.
        {"an earlier time counts as the latest",
         0,
         "send 1 100 = 110; send 2 50 = 110; due 109 = none; due 110 = 1 2"},
        {"the first of a queue is answered",
         0,
         "send 0 100 = 110; send 1 100 = 110; send 2 100 = 110; answer 0; send 3 100 = 110; "
         "due 110 = 1 2 3; next = none"},
        {"the middle of a queue is answered",
         0,
         "send 0 100 = 110; send 1 100 = 110; send 2 100 = 110; answer 1; send 3 100 = 110; "
         "due 110 = 0 2 3; next = none"},
        {"the last of a queue is answered",
         0,
         "send 0 100 = 110; send 1 100 = 110; send 2 100 = 110; answer 2; send 3 100 = 110; "
         "due 110 = 0 1 3; next = none"},
    };
    for (const auto& row : rows)
    {
        SlotTimeouts timeouts(SLOTS, 10, row.doubleAfter);
        const auto run = [&](auto& words) { return Do(timeouts, words); };
        EXPECT_EQ(Played(row.script, run), row.script) << row.what;
    }
}

/* Doubled after each timeout: 1, 2, 4, ..., 2^10, and 2^10 from then on; with 0, never. */
TEST(SlotTimeouts, TheTimeoutDoublesTenTimesAtMost)
{
    for (const std::uint32_t doubleAfter : {1U, 0U})
    {
        SlotTimeouts timeouts(SLOTS, 1, doubleAfter);
        std::int64_t now = 0;
        for (int sent = 0; sent < 15; ++sent)
        {
            timeouts.Sent(1, now);
            now += doubleAfter == 0 ? 1 : std::int64_t{1} << std::min(sent, 10);
            EXPECT_EQ(timeouts.NextPs(), now);
            EXPECT_EQ(timeouts.TakeDue(now), 1U);
        }
    }
}

TEST(SlotTimeouts, TimeDoesNotOverflow)
{
    constexpr auto end = std::numeric_limits<std::int64_t>::max();
    SlotTimeouts timeouts(SLOTS, end / 2, 1);
    timeouts.Sent(1, 0);
    EXPECT_EQ(timeouts.TakeDue(end / 2), 1U);
    timeouts.Sent(1, end / 2); // the doubled timeout ends beyond the end of time
    EXPECT_EQ(timeouts.NextPs(), end);
}

/* 8 timeouts of 2^10 times the first, or of the first if it never doubles; never beyond the end of time. */
TEST(SlotTimeouts, SayHowLongTheyMayBeInVain)
{
    EXPECT_EQ(SlotTimeouts(SLOTS, 10, 100).LongestSilencePs(), 8 * 1024 * 10);
    EXPECT_EQ(SlotTimeouts(SLOTS, 10, 0).LongestSilencePs(), 8 * 10);
    constexpr auto end = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(SlotTimeouts(SLOTS, end / 4, 0).LongestSilencePs(), end);
    EXPECT_EQ(SlotTimeouts(SLOTS, end / 4, 1).LongestSilencePs(), end);
}

TEST(SlotTimeouts, WantsATimeoutAndASlot)
{
    EXPECT_THROW(SlotTimeouts(SLOTS, 0, 1), InvariantError);
    EXPECT_THROW(SlotTimeouts(0, 1, 1), InvariantError);
}

} // namespace inca
