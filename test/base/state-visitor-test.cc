/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/state-visitor.h"

#include <gtest/gtest.h>

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

} // namespace inca
