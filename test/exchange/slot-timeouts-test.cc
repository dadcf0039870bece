/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/slot-timeouts.h"

#include "base/errors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace inca
{

namespace
{

/** Everything that is due at @p now, in order; none of it is sent again. */
std::vector<std::uint64_t>
AllDue(SlotTimeouts& timeouts, std::int64_t now)
{
    std::vector<std::uint64_t> due;
    while (const auto number = timeouts.TakeDue(now))
    {
        due.push_back(*number);
    }
    return due;
}

using Numbers = std::vector<std::uint64_t>;

constexpr std::uint32_t SLOTS{8};

} // namespace

TEST(SlotTimeouts, NothingIsDueAtFirst)
{
    SlotTimeouts timeouts(SLOTS, 10, 0);
    EXPECT_EQ(timeouts.NextPs(), std::nullopt);
    EXPECT_EQ(timeouts.TakeDue(1'000), std::nullopt);
}

TEST(SlotTimeouts, APacketIsDueOneTimeoutAfterItWasSent)
{
    SlotTimeouts timeouts(SLOTS, 10, 0);
    timeouts.Sent(7, 100);
    EXPECT_EQ(timeouts.NextPs(), 110);
    EXPECT_EQ(timeouts.TakeDue(109), std::nullopt);
    EXPECT_EQ(timeouts.TakeDue(110), 7U);
    EXPECT_EQ(timeouts.TakeDue(110), std::nullopt);
    EXPECT_EQ(timeouts.NextPs(), std::nullopt);
}

TEST(SlotTimeouts, WhatIsAnsweredIsNotDue)
{
    SlotTimeouts timeouts(SLOTS, 10, 0);
    timeouts.Sent(7, 100);
    timeouts.Sent(3, 101);
    timeouts.Answered(7);
    timeouts.Answered(11); // is not waited for, though its slot, 11 mod 8, waits
    timeouts.Answered(12); // nor does its slot
    EXPECT_EQ(timeouts.NextPs(), 111);
    EXPECT_EQ(AllDue(timeouts, 200), Numbers{3});
}

TEST(SlotTimeouts, WhatIsSentAgainIsDueLater)
{
    SlotTimeouts timeouts(SLOTS, 10, 0);
    timeouts.Sent(7, 100);
    timeouts.Sent(3, 101);
    timeouts.Sent(7, 105);
    EXPECT_EQ(timeouts.NextPs(), 111);
    EXPECT_EQ(AllDue(timeouts, 115), (Numbers{3, 7}));
}

/* Doubled after every 2 timeouts: the packet of time 0 is due at 10, 20, then after 20: 40, 60,
 * then after 40: 100, 140, and so on. */
TEST(SlotTimeouts, TheTimeoutDoublesAfterSoManyTimeouts)
{
    SlotTimeouts timeouts(SLOTS, 10, 2);
    std::int64_t now = 0;
    for (const std::int64_t due : {10, 20, 40, 60, 100, 140, 220})
    {
        timeouts.Sent(1, now);
        now = due;
        EXPECT_EQ(timeouts.NextPs(), due);
        EXPECT_EQ(timeouts.TakeDue(due), 1U);
    }
}

/* Doubled after each timeout: 1, 2, 4, ..., 2^10, and 2^10 from then on. */
TEST(SlotTimeouts, TheTimeoutDoublesTenTimesAtMost)
{
    SlotTimeouts timeouts(SLOTS, 1, 1);
    std::int64_t now = 0;
    for (int sent = 0; sent < 15; ++sent)
    {
        timeouts.Sent(1, now);
        now += std::int64_t{1} << std::min(sent, 10);
        EXPECT_EQ(timeouts.NextPs(), now);
        EXPECT_EQ(timeouts.TakeDue(now), 1U);
    }
}

TEST(SlotTimeouts, ZeroNeverDoubles)
{
    SlotTimeouts timeouts(SLOTS, 10, 0);
    for (std::int64_t now = 0; now < 10'000; now += 10)
    {
        timeouts.Sent(1, now);
        EXPECT_EQ(timeouts.TakeDue(now + 10), 1U);
    }
}

/* Packet 1 is sent at 10 with a doubled timeout of 20: due at 30. After the restart packet 2, sent
 * at 12, is due at 22, before packet 1, whose time stands. */
TEST(SlotTimeouts, ARestartLetsLaterPacketsBeDueEarlier)
{
    SlotTimeouts timeouts(SLOTS, 10, 1);
    timeouts.Sent(1, 0);
    EXPECT_EQ(timeouts.TakeDue(10), 1U);
    timeouts.Sent(1, 10);
    timeouts.Restart();
    timeouts.Sent(2, 12);
    EXPECT_EQ(timeouts.NextPs(), 22);
    EXPECT_EQ(timeouts.TakeDue(29), 2U);
    EXPECT_EQ(timeouts.NextPs(), 30);
    EXPECT_EQ(timeouts.TakeDue(29), std::nullopt);
    EXPECT_EQ(timeouts.TakeDue(30), 1U);
}

/* One timeout of two is counted; after the restart two more are needed. */
TEST(SlotTimeouts, ARestartForgetsTheTimeoutsSoFar)
{
    SlotTimeouts timeouts(SLOTS, 10, 2);
    timeouts.Sent(1, 0);
    EXPECT_EQ(timeouts.TakeDue(10), 1U);
    timeouts.Restart();
    timeouts.Sent(1, 10);
    EXPECT_EQ(timeouts.TakeDue(20), 1U);
    timeouts.Sent(1, 20);
    EXPECT_EQ(timeouts.NextPs(), 30);
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

/* Packet 11 takes the slot of packet 3, 11 mod 8, which is then not due any more. */
TEST(SlotTimeouts, ASlotWaitsForOnePacket)
{
    SlotTimeouts timeouts(SLOTS, 10, 0);
    timeouts.Sent(3, 100);
    timeouts.Sent(4, 101);
    timeouts.Sent(11, 102);
    timeouts.Answered(3);
    EXPECT_EQ(AllDue(timeouts, 200), (Numbers{4, 11}));
}

/* The first, the middle and the last of a queue are answered, then all of it. */
TEST(SlotTimeouts, AnyPlaceInTheQueueMayBeAnswered)
{
    for (const std::uint64_t answered : {0U, 1U, 2U})
    {
        SlotTimeouts timeouts(SLOTS, 10, 0);
        for (const std::uint64_t number : {0U, 1U, 2U})
        {
            timeouts.Sent(number, 100);
        }
        timeouts.Answered(answered);
        timeouts.Sent(3, 100);
        Numbers left{0, 1, 2, 3};
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(answered));
        EXPECT_EQ(AllDue(timeouts, 110), left);
        EXPECT_EQ(timeouts.NextPs(), std::nullopt);
    }
}

/* A packet that the NIC's full buffer dropped at 50 never departs; those before it depart later. It
 * is due with the last of them, and not before packet 1, which would hide it in the queue. */
TEST(SlotTimeouts, AnEarlierTimeCountsAsTheLatest)
{
    SlotTimeouts timeouts(SLOTS, 10, 0);
    EXPECT_EQ(timeouts.Sent(1, 100), 110);
    EXPECT_EQ(timeouts.Sent(2, 50), 110);
    EXPECT_EQ(AllDue(timeouts, 109), Numbers{});
    EXPECT_EQ(AllDue(timeouts, 110), (Numbers{1, 2}));
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
