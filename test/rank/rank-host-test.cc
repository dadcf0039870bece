/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What a rank lends to its exchanges: clock, resources, waits, messages, addresses, and the order of its gathers.
#include "rank/rank-host.h"

#include "base/errors.h"
#include "rank/round-mailbox.h"
#include "rank/wait-log.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace inca
{

/** Reckons in picoseconds; notes when things are done. */
class RankTest : public testing::Test
{
  protected:
    RankTest()
    {
        if (ns3::Time::GetResolution() != ns3::Time::PS)
        {
            ns3::Time::SetResolution(ns3::Time::PS);
        }
    }

    ~RankTest() override
    {
        ns3::Simulator::Destroy();
    }

    std::function<void()> Note()
    {
        return [this] { donePs.push_back(clock.NowPs()); };
    }

    Timeline timeline;
    JobClock clock;
    std::vector<std::int64_t> donePs;
};

class RankResourceTest : public RankTest
{
  protected:
    ResourceWorkSink sink;
    RankResource resource{timeline, clock, sink};
};

/* 30 ps, then 20 ps behind it; at 100 ps it is idle and begins at once. */
TEST_F(RankResourceTest, DoesOneThingAfterTheOther)
{
    resource.Run(PathKind::SUM, 30, Note());
    resource.Run(PathKind::SUM, 20, Note());
    EXPECT_EQ(resource.BusyUntilPs(), 50);
    ns3::Simulator::Schedule(ns3::PicoSeconds(100), [this] {
        EXPECT_EQ(resource.BusyUntilPs(), 50);
        resource.Run(PathKind::UPDATE, 5, Note());
    });
    ns3::Simulator::Run();
    EXPECT_EQ(donePs, (std::vector<std::int64_t>{30, 50, 105}));
}

/* 30 ps, then 20 ps behind it, told when they are queued, with the layer of the second. */
TEST_F(RankResourceTest, TellsItsWork)
{
    std::vector<ResourceWork> told;
    sink = [&told](const ResourceWork& work) { told.push_back(work); };
    resource.Run(PathKind::SUM, 30, Note());
    resource.Run(PathKind::UPDATE, 20, Note(), 7);
    ASSERT_EQ(told.size(), 2U);
    EXPECT_EQ(told[0].activity, Activity::SUM);
    EXPECT_FALSE(told[0].layer);
    EXPECT_EQ(told[1].span.beginPs, 30);
    EXPECT_EQ(told[1].span.endPs, 50);
    EXPECT_EQ(told[1].layer, 7U);
}

/* Back to back work is one span; another activity has spans of its own; nothing has none. */
TEST_F(RankResourceTest, WritesTheTimeline)
{
    resource.Run(PathKind::SUM, 30, Note());
    resource.Run(PathKind::SUM, 20, Note());
    resource.Run(PathKind::UPDATE, 7, Note());
    resource.Run(PathKind::ENCODE, 0, Note());
    ns3::Simulator::Run();
    ASSERT_EQ(timeline.Spans(Activity::SUM).size(), 1U);
    EXPECT_EQ(timeline.Spans(Activity::SUM)[0].endPs, 50);
    ASSERT_EQ(timeline.Spans(Activity::UPDATE).size(), 1U);
    EXPECT_EQ(timeline.Spans(Activity::UPDATE)[0].beginPs, 50);
    EXPECT_TRUE(timeline.Spans(Activity::CODEC).empty());
    EXPECT_EQ(donePs.size(), 4U);
}

/* Work of no duration is done in an event of its own, not within the call. */
TEST_F(RankResourceTest, IsNeverDoneAtOnce)
{
    resource.Run(PathKind::SUM, 0, Note());
    EXPECT_TRUE(donePs.empty());
    ns3::Simulator::Run();
    EXPECT_EQ(donePs, std::vector<std::int64_t>{0});
}

/* Links between GPUs and copies to the host, say, are both copying: 0 to 10, 20 to 35 (and 25 to 30), 50 to 60
 * which comes last, though the other resource said so first; then 10 to 15 and 40 to 55 join what they touch. */
TEST(Timeline, CountsResourcesThatAreBusyWithTheSameOnce)
{
    Timeline both;
    const auto copy = [&both](std::int64_t beginPs, std::int64_t endPs) {
        both.Add(Activity::COPY, {beginPs, endPs});
    };
    copy(0, 10);
    copy(50, 60);
    copy(20, 35);
    copy(25, 30);
    copy(40, 40);
    const auto spans = [&both] {
        std::vector<std::pair<std::int64_t, std::int64_t>> all;
        for (const auto& span : both.Spans(Activity::COPY))
        {
            all.emplace_back(span.beginPs, span.endPs);
        }
        return all;
    };
    using Spans = decltype(spans());
    EXPECT_EQ(spans(), (Spans{{0, 10}, {20, 35}, {50, 60}}));
    copy(10, 15);
    copy(40, 55);
    EXPECT_EQ(spans(), (Spans{{0, 15}, {20, 35}, {40, 60}}));
    copy(14, 70);
    EXPECT_EQ(spans(), (Spans{{0, 70}}));
}

using JobClockTest = RankTest;

TEST_F(JobClockTest, HasThingsDoneInTime)
{
    clock.At(30, Note());
    clock.At(10, Note());
    EXPECT_EQ(clock.Awaited().size(), 2U);
    ns3::Simulator::Run();
    EXPECT_EQ(donePs, (std::vector<std::int64_t>{10, 30}));
    EXPECT_TRUE(clock.Awaited().empty());
    EXPECT_EQ(clock.Done(), 2U);
}

/* At 5 ps the network skips 20, so that it is 25 here: what is to be done at 47 comes 22 ps later, at 27 of
 * ns-3's. */
TEST_F(JobClockTest, IsAheadByWhatIsSkipped)
{
    ns3::Simulator::Schedule(ns3::TimeStep(5), [this] {
        clock.Skip(20);
        EXPECT_EQ(clock.NowPs(), 25);
        clock.At(47, Note());
    });
    ns3::Simulator::Run();
    EXPECT_EQ(donePs, std::vector<std::int64_t>{47});
    EXPECT_EQ(ns3::Simulator::Now().GetTimeStep(), 27);
}

namespace
{

class WaitLogTest : public RankTest
{
  protected:
    void At(std::int64_t ps, const std::function<void()>& action)
    {
        ns3::Simulator::Schedule(ns3::PicoSeconds(static_cast<std::uint64_t>(ps)), action);
    }

    void NoteAt(std::int64_t ps, std::optional<Awaited> awaited)
    {
        At(ps, [this, awaited] { log.Note(awaited); });
    }

    void ComeAt(std::int64_t ps, Awaited what, std::int64_t sentPs)
    {
        At(ps, [this, what, sentPs] { log.Came(what, sentPs); });
    }

    /** Peer, begin and end of each wait. */
    std::vector<std::array<std::int64_t, 3>> Waits()
    {
        ns3::Simulator::Run();
        std::vector<std::array<std::int64_t, 3>> waits;
        for (const auto& wait : timeline.Waits())
        {
            waits.push_back({wait.peer, wait.span.beginPs, wait.span.endPs});
        }
        return waits;
    }

    WaitLog log{timeline, clock};
};

} // namespace

/* Waits for a message of rank 2 from 10 ps on, said twice, which comes at 30 and was sent at 25; then for
 * one of rank 5, which comes at 40 and was sent at 28, before it was awaited; then for a grant of rank 5,
 * sent at 50 and there at 60. */
TEST_F(WaitLogTest, AWaitEndsWhenWhatIsAwaitedWasSent)
{
    const Awaited first{{2, 0}, false};
    const Awaited second{{5, 0}, false};
    const Awaited grant{{5, 0}, true};
    NoteAt(10, first);
    NoteAt(20, first);
    ComeAt(30, first, 25);
    NoteAt(30, second);
    ComeAt(40, second, 28);
    NoteAt(40, grant);
    ComeAt(60, grant, 50);
    EXPECT_EQ(Waits(), (std::vector<std::array<std::int64_t, 3>>{{2, 10, 25}, {5, 40, 50}}));
}

/* Waits for a message of rank 2 from 10 to 20 ps, for a grant of rank 3 until 40, for the message again
 * until 70, when it comes; it was sent at 60. The grant was sent at 35. */
TEST_F(WaitLogTest, AWaitMayBeInterrupted)
{
    const Awaited message{{2, 7}, false};
    const Awaited grant{{3, 0}, true};
    NoteAt(10, message);
    NoteAt(20, grant);
    ComeAt(40, grant, 35);
    NoteAt(40, message);
    ComeAt(70, message, 60);
    EXPECT_EQ(Waits(),
              (std::vector<std::array<std::int64_t, 3>>{{3, 20, 35}, {2, 10, 20}, {2, 40, 60}}));
}

/* What nobody waits for comes; a wait of no length is none. */
TEST_F(WaitLogTest, WhatCameEarlyWasNotWaitedFor)
{
    const Awaited message{{2, 0}, false};
    ComeAt(10, message, 5);
    NoteAt(20, Awaited{{2, 1}, false});
    NoteAt(20, std::nullopt);
    ComeAt(30, {{2, 1}, false}, 30);
    EXPECT_TRUE(Waits().empty());
}

TEST(RoundMailbox, NumbersMessagesByPeerAndDirection)
{
    RoundMailbox mailbox;
    EXPECT_EQ(mailbox.NextTo(3), (MessageKey{3, 0}));
    EXPECT_EQ(mailbox.NextTo(3), (MessageKey{3, 1}));
    EXPECT_EQ(mailbox.NextTo(4), (MessageKey{4, 0}));
    EXPECT_EQ(mailbox.NextFrom(3), (MessageKey{3, 0}));
}

TEST(RoundMailbox, KeepsWhatCameEarlyUntilItIsTaken)
{
    RoundMailbox mailbox;
    ReceivedMessage message;
    message.wirePayloadBytes = 7;
    mailbox.Keep({3, 1}, std::move(message));
    EXPECT_FALSE(mailbox.Take({3, 0}));
    const auto taken = mailbox.Take({3, 1});
    ASSERT_TRUE(taken);
    EXPECT_EQ(taken->wirePayloadBytes, 7U);
    EXPECT_FALSE(mailbox.Take({3, 1}));
}

TEST(RoundMailbox, AGrantCountsOnce)
{
    RoundMailbox mailbox;
    mailbox.AddGrant({2, 5});
    EXPECT_FALSE(mailbox.TakeGrant({2, 4}));
    EXPECT_TRUE(mailbox.TakeGrant({2, 5}));
    EXPECT_FALSE(mailbox.TakeGrant({2, 5}));
}

TEST(RankAddresses, KnowsRanksAndHostsOfEachOther)
{
    const ns3::Mac48Address first("02:00:00:00:00:07");
    const ns3::Mac48Address second("02:00:00:00:00:02");
    const RankAddresses addresses({first, second});
    EXPECT_EQ(addresses.Of(0), first);
    EXPECT_EQ(addresses.RankAt(second), 1U);
    EXPECT_THROW(addresses.RankAt(ns3::Mac48Address("02:00:00:00:00:03")), InvariantError);
}

TEST(RankAddresses, RefusesTwoRanksOnOneHost)
{
    const ns3::Mac48Address host("02:00:00:00:00:07");
    EXPECT_THROW(RankAddresses({host, host}), InvariantError);
}

class ReductionOrderTest : public testing::Test
{
  protected:
    void Request(std::uint32_t round)
    {
        order.Request(round, [this, round] { begun.push_back(round); });
    }

    ReductionOrder order;
    std::vector<std::uint32_t> begun;
};

TEST_F(ReductionOrderTest, TheFirstBeginsAtOnce)
{
    order.Reserve(7);
    Request(7);
    order.Reserve(3);
    Request(3);
    EXPECT_THAT(begun, testing::ElementsAre(7, 3));
}

/* 7, 3 and 5 are reserved: 5 and 3 wait for 7, and follow in the order in which they were reserved. */
TEST_F(ReductionOrderTest, OthersWaitForThoseBefore)
{
    for (const auto round : {7U, 3U, 5U})
    {
        order.Reserve(round);
    }
    Request(5);
    Request(3);
    EXPECT_THAT(begun, testing::IsEmpty());
    Request(7);
    EXPECT_THAT(begun, testing::ElementsAre(7, 3, 5));
}

TEST_F(ReductionOrderTest, WhoeverBeginsMayReserveAgain)
{
    order.Reserve(1);
    order.Reserve(2);
    Request(2);
    order.Request(1, [this] {
        begun.push_back(1);
        order.Reserve(3);
    });
    Request(3);
    EXPECT_THAT(begun, testing::ElementsAre(1, 2, 3));
}

TEST_F(ReductionOrderTest, RefusesWhatWasNotReserved)
{
    order.Reserve(1);
    EXPECT_THROW(Request(2), InvariantError);
    Request(1);
    EXPECT_THROW(Request(1), InvariantError);
}

} // namespace inca
