/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/state-visitor.h"

#include <gtest/gtest.h>

#include <limits>

namespace inca
{

namespace
{

/** A machine that has something due, counts, and numbers what it sends. */
struct Machine
{
    std::int64_t duePs{0};
    std::uint64_t bytes{0};
    std::uint64_t end{0}; ///< of bytes
    std::uint64_t number{0};
    std::uint64_t packet{0};

    void VisitState(StateVisitor& visitor)
    {
        visitor.At(duePs);
        visitor.CountUpTo(bytes, end);
        visitor.SequenceNumber(1, number);
        visitor.SequenceNumber(1, number + 2);
        visitor.Packet(packet);
    }

    NetworkState SeenAt(std::int64_t nowPs)
    {
        NetworkState state;
        StateVisitor visitor(state, nowPs);
        VisitState(visitor);
        visitor.End();
        return state;
    }
};

} // namespace

/* What is due in 5 ps both times, 100 bytes apart, is the same state; due in 6 ps it is another. */
TEST(StateVisitor, IsRelativeToNow)
{
    Machine machine{15, 1000, 5000, 7, 40};
    const auto before = machine.SeenAt(10);
    machine = {35, 1100, 5000, 9, 41};
    EXPECT_EQ(machine.SeenAt(30).digest, before.digest);
    EXPECT_NE(machine.SeenAt(29).digest, before.digest);
}

/* A time that is over matters no more: 3 ps ago is as good as now. */
TEST(StateVisitor, ForgetsWhatIsOver)
{
    const auto digestAt = [](std::int64_t nowPs) {
        NetworkState state;
        StateVisitor visitor(state, nowPs);
        visitor.Deadline(20);
        visitor.End();
        return state.digest;
    };
    EXPECT_EQ(digestAt(20), digestAt(23));
    EXPECT_NE(digestAt(20), digestAt(19));
}

/* 3900 bytes are left, 100 go in each period: 39 periods, of which one is left to be lived through. An end that has been
 * passed, as of a packet that is the last already, leaves nothing to repeat, nor does what is not periodic. */
TEST(StateVisitor, LeavesTheLastPeriod)
{
    Machine machine{15, 1000, 5000, 7, 40};
    const auto before = machine.SeenAt(10);
    machine = {35, 1100, 5000, 9, 41};
    EXPECT_EQ(TimesToRepeat(before, machine.SeenAt(30)), 38U);
    machine = {35, 1100, 1050, 9, 41};
    EXPECT_EQ(TimesToRepeat(before, machine.SeenAt(30)), 0U);
    NetworkState aperiodic;
    StateVisitor visitor(aperiodic, 0);
    visitor.Aperiodic();
    visitor.End();
    EXPECT_EQ(TimesToRepeat(aperiodic, aperiodic), 0U);
}

/* 100 bytes and one packet in a period: 10 periods on, 1000 bytes and 10 packets. What is numbered for
 * itself stays as it is, as nobody compares it but with others of its way. */
TEST(StateVisitor, MovesOnWhatCounts)
{
    Machine machine{15, 1000, 5000, 7, 40};
    const auto before = machine.SeenAt(10);
    machine = {35, 1100, 5000, 9, 41};
    const auto now = machine.SeenAt(30);
    StateVisitor visitor(before, now, 10);
    machine.VisitState(visitor);
    EXPECT_EQ(machine.bytes, 2100U);
    EXPECT_EQ(machine.packet, 51U);
    EXPECT_EQ(machine.number, 9U);
    EXPECT_EQ(machine.duePs, 35);
    EXPECT_EQ(visitor.PacketsMoved(), 10U);
}

/* A mean is no part of a state. 3 measurements in a period, all of them kept: it is told to take them 10 times. If but 2
 * are kept, nothing repeats itself before it is at rest. */
TEST(StateVisitor, MovesMeansOn)
{
    const auto seen = [](std::int64_t mean, std::uint64_t measured, std::uint64_t kept) {
        NetworkState state;
        StateVisitor visitor(state, 0);
        EXPECT_EQ(visitor.Mean(mean, measured, kept), 0U);
        EXPECT_EQ(visitor.Times(), 0U);
        visitor.End();
        return state;
    };
    const auto before = seen(100, 7, 3);
    const auto now = seen(110, 10, 3);
    EXPECT_GT(TimesToRepeat(before, now), 0U);
    StateVisitor visitor(before, now, 10);
    EXPECT_EQ(visitor.Mean(110, 10, 3), 3U);
    EXPECT_EQ(visitor.Times(), 10U);

    EXPECT_EQ(TimesToRepeat(before, seen(110, 10, 2)), 0U);
    const auto atRest = seen(100, 10, 2);
    EXPECT_GT(TimesToRepeat(before, atRest), 0U);
    StateVisitor walkAtRest(before, atRest, 10);
    EXPECT_EQ(walkAtRest.Mean(100, 10, 2), 0U);
}

namespace
{

/** A message that is under way: which one, when it was sent, how far it is. */
struct MessageOnItsWay
{
    std::uint32_t ordinal{0};
    std::int64_t sentPs{0};
    std::uint64_t offset{0};

    std::uint64_t VisitState(StateVisitor& visitor)
    {
        visitor.HasSteps() ? visitor.MessageNumber(1, 0, ordinal) : visitor.State(ordinal);
        return visitor.Progress(sentPs, offset, 1000);
    }
};

NetworkState
Seen(MessageOnItsWay message, std::int64_t nowPs, PeriodKind kind)
{
    NetworkState state;
    StateVisitor visitor(state, nowPs, kind);
    message.VisitState(visitor);
    visitor.End();
    return state;
}

} // namespace

/*
 * From 10 to 30 ps. The same message may have gone on: 1000 bytes in steps of 100, of which 200 are done, are 8, so 7 more. Where
 * there are steps, another one may have come in its place, sent 20 ps later, if it is as far; it ends nothing. One that is farther,
 * or was sent at another time, is another state, as is any other message where there are no steps.
 */
TEST(StateVisitor, TakesMessagesOfAlikeSteps)
{
    constexpr auto steps = PeriodKind::STEPS;
    constexpr auto frames = PeriodKind::FRAMES;
    constexpr auto endless = std::numeric_limits<std::uint64_t>::max();
    const struct
    {
        PeriodKind kind;
        MessageOnItsWay now;
        std::uint64_t times;
    } rows[] = {
        {steps, {4, 5, 200}, 7},
        {steps, {5, 25, 100}, endless},
        {steps, {5, 25, 200}, 0},
        {steps, {5, 24, 100}, 0},
        {frames, {4, 5, 200}, 7},
        {frames, {5, 25, 100}, 0},
    };
    for (const auto& row : rows)
    {
        const auto before = Seen({4, 5, 100}, 10, row.kind);
        const auto now = Seen(row.now, 30, row.kind);
        EXPECT_EQ(TimesToRepeat(before, now), row.times) << row.now.sentPs << " " << row.now.offset;
    }
    const auto other = Seen({4, 5, 100}, 10, frames);
    EXPECT_EQ(TimesToRepeat(other, Seen({4, 5, 100}, 30, steps)), 0U);
}

/* 3 more periods of 20 ps: what is under way then was sent 60 ps later, and is as far. Its number is only compared with others. */
TEST(StateVisitor, MovesPastTimesOn)
{
    const auto before = Seen({4, 5, 100}, 10, PeriodKind::STEPS);
    MessageOnItsWay message{5, 25, 100};
    const auto now = Seen(message, 30, PeriodKind::STEPS);
    StateVisitor visitor(before, now, 3);
    EXPECT_EQ(visitor.PeriodPs(), 20);
    EXPECT_EQ(message.VisitState(visitor), 0U);
    EXPECT_EQ(message.sentPs, 85);
    EXPECT_EQ(message.offset, 100U);
    EXPECT_EQ(message.ordinal, 5U);
}

} // namespace inca
